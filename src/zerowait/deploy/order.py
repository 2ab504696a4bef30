"""What a policy asks of a scheduler: in which order jobs start, who waits for whom, who runs where.

The spelling of a policy is the truth; this is the one place that reads it for deployment.
"""

import math
from dataclasses import dataclass, field

from zerowait.experiment.files.plan_file import Plan, PlanClass
from zerowait.model import InputError
from zerowait.policies import Policy, parse_policy
from zerowait.policies.balanced_splitting import BalancedSplitting
from zerowait.policies.families.backfill_rule import Rule
from zerowait.policies.families.backfilling import Backfilling
from zerowait.policies.fcfs import Fcfs
from zerowait.policies.first_fit import FirstFit

NEVER = math.inf


@dataclass(frozen=True)
class Order:
    """Jobs are looked at by key, smallest first, equal keys by submission.

    `key` is the time of arrival, the need, the estimate, their product, or (due) arrival plus
    an allowance: `patience (need_weight ln need + time_weight ln estimate)`, or a table. Without
    `backfills` the first that does not fit blocks all behind it. With `slots`, classes have
    servers of their own.
    """

    spelling: str
    key: str = "arrival"
    backfills: bool = True
    reserve_after: float = 0.0
    patience: float = 0.0
    need_weight: float = 1.0
    time_weight: float = 1.0
    allowance: tuple[float, ...] | None = None
    per_class: bool = False  # the class's mean service stands for the job's estimate
    slots: tuple[int, ...] | None = None
    classes: tuple[PlanClass, ...] = field(default=())

    @property
    def reserves(self) -> bool:
        return self.backfills and self.reserve_after < NEVER

    @property
    def has_formula(self) -> bool:
        """Of the allowance; else it has a table, or none."""
        return self.key == "due" and self.allowance is None


def chosen_order(plan: Plan) -> Order:
    """What the plan wants; asked only of plans that change something."""
    assert plan.choice is not None
    return order_of(plan.choice, plan)


def order_of(spelling: str, plan: Plan) -> Order:
    """The order behind a policy's spelling, or why Slurm cannot run it."""
    policy = parse_policy(spelling)
    if isinstance(policy, BalancedSplitting):
        order = _split(spelling, policy, plan)
    elif isinstance(policy, Fcfs):
        order = Order(spelling, backfills=False)
    else:
        order = _backfill(spelling, _rule(policy, spelling), plan)
    _check_classes(order)
    return order


def _rule(policy: Policy, spelling: str) -> Rule:
    if isinstance(policy, FirstFit):
        return Rule(reserve_after=NEVER)
    if isinstance(policy, Backfilling):
        return policy.rule
    raise InputError(
        f"policy {spelling!r}: Slurm cannot run it; fcfs, first-fit, easy, backfill, "
        "smallest-area-first and bs:fcfs can be deployed"
    )


def _backfill(spelling: str, rule: Rule, plan: Plan) -> Order:
    return Order(
        spelling, rule.order, reserve_after=rule.reserve_after, patience=rule.patience or 0.0,
        need_weight=rule.need_weight, time_weight=rule.time_weight, allowance=rule.allowance,
        per_class=rule.by == "class", classes=plan.classes,
    )  # fmt: skip


def _split(spelling: str, policy: BalancedSplitting, plan: Plan) -> Order:
    if not isinstance(policy.auxiliary, Fcfs):
        raise InputError(
            f"policy {spelling!r}: on Slurm the helpers of a split only run fcfs: back-filling "
            "would start a job there although its own servers come free first; use bs:fcfs"
        )
    if policy.refill != "oldest":
        raise InputError(f"policy {spelling!r}: own servers on Slurm take the oldest job first")
    if policy.slots is None:
        raise InputError(f"policy {spelling!r}: give the slots of each class, as slots=24/16/8/4")
    return Order(spelling, backfills=False, slots=policy.slots, classes=plan.classes)


def _check_classes(order: Order) -> None:
    """A table or a split has one entry for each class of the plan."""
    for name, table in (("slots", order.slots), ("allowance", order.allowance)):
        if table is not None and len(table) != len(order.classes):
            raise InputError(
                f"policy {order.spelling!r}: {name} has {len(table)} entries and the plan "
                f"{len(order.classes)} [[class]]; it must have one of each"
            )
    formula = order.per_class and order.allowance is None
    if formula and not all(one.mean_service for one in order.classes or (PlanClass(""),)):
        raise InputError(
            f"policy {order.spelling!r}: by=class needs a mean_service in every [[class]]"
        )
    largest = [one for one in order.classes if one.need[1] == math.inf]
    if order.slots is not None and largest:
        raise InputError(
            f"policy {order.spelling!r}: class {largest[0].name!r} has no largest need, and its "
            "slots no size; give need = [least, largest]"
        )


def key_of(order: Order, arrival: float, need: int, estimate: float) -> float:
    """By which a job that arrived so is started; estimates are seconds."""
    if order.key in ("need", "estimate", "area"):
        return {"need": need, "estimate": estimate, "area": need * estimate}[order.key]
    return arrival + (_allowance(order, need, estimate) if order.key == "due" else 0.0)


def _allowance(order: Order, need: int, estimate: float) -> float:
    number = class_of(order, need, estimate)
    if order.allowance is not None:
        return max(order.allowance) if number is None else order.allowance[number]
    if order.per_class and number is not None:
        estimate = order.classes[number].mean_service or estimate
    size = order.need_weight * math.log(need) + order.time_weight * math.log(estimate)
    return order.patience * size


def class_of(order: Order, need: int, estimate: float) -> int | None:
    """The place of the class that a job is in, or None."""
    for number, one in enumerate(order.classes):
        is_sized = one.need[0] <= need <= one.need[1]
        if is_sized and one.estimate[0] <= estimate < one.estimate[1]:
            return number
    return None


def own_servers(order: Order) -> tuple[int, ...]:
    """Servers of each class: its slots times its largest need."""
    assert order.slots is not None
    return tuple(
        slots * int(one.need[1]) for slots, one in zip(order.slots, order.classes, strict=True)
    )
