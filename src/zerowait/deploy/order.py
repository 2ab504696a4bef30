"""What a policy asks of a scheduler: in which order jobs start, who waits for whom, who runs where.

The policy itself says so, by `slurm_order`; here that meets the classes of the plan.
"""

import math
from dataclasses import dataclass, field

from zerowait.experiment.files.plan_file import Plan, PlanClass
from zerowait.model import InputError
from zerowait.policies import POLICIES, Policy, parse_policy

NEVER = math.inf


@dataclass(frozen=True)
class QueueOrder:
    """How a scheduler looks at its queue: by key, smallest first, equal keys by submission.

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
        """Tell whether the allowance has a formula; else it has a table, or there is none."""
        return self.key == "due" and self.allowance is None


def chosen_order(plan: Plan) -> QueueOrder:
    """Return what the plan wants; asked only of plans that change something."""
    assert plan.choice is not None
    return order_of(plan.choice, plan)


def order_of(spelling: str, plan: Plan) -> QueueOrder:
    """Return the order behind a policy's spelling; InputError says why Slurm cannot run it."""
    policy = parse_policy(spelling)
    try:
        found = policy.slurm_order()
    except InputError as error:
        raise InputError(f"policy {spelling!r}: {error}") from None
    if found is None:
        raise InputError(
            f"policy {spelling!r}: Slurm cannot run it; {deployable()} can be deployed"
        )
    classes = () if policy.in_order else plan.classes  # which then make no difference
    order = QueueOrder(spelling, classes=classes, **found)
    _check_classes(order)
    return order


def deployable() -> str:
    """List the policies that Slurm can run."""
    kinds = {kind for kind in POLICIES.values() if kind.slurm_order is not Policy.slurm_order}
    *names, last = sorted(
        f"{one.alias or one.name}:{one.auxiliary.name}" if one.auxiliary else one.name
        for one in kinds
    )
    return f"{', '.join(names)} and {last}"


def _check_classes(order: QueueOrder) -> None:
    """Refuse a table or a split that has not one entry for each class of the plan."""
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


def queue_key(order: QueueOrder, arrival: float, need: int, estimate: float) -> float:
    """Compute the key of a job; estimates are seconds."""
    if order.key in ("need", "estimate", "area"):
        return {"need": need, "estimate": estimate, "area": need * estimate}[order.key]
    return arrival + (_allowance(order, need, estimate) if order.key == "due" else 0.0)


def _allowance(order: QueueOrder, need: int, estimate: float) -> float:
    number = class_of(order, need, estimate)
    if order.allowance is not None:
        return max(order.allowance) if number is None else order.allowance[number]
    if order.per_class and number is not None:
        estimate = order.classes[number].mean_service or estimate
    size = order.need_weight * math.log(need) + order.time_weight * math.log(estimate)
    return order.patience * size


def class_of(order: QueueOrder, need: int, estimate: float) -> int | None:
    """Return the place of the class that a job is in, or None."""
    for number, one in enumerate(order.classes):
        is_sized = one.need[0] <= need <= one.need[1]
        if is_sized and one.estimate[0] <= estimate < one.estimate[1]:
            return number
    return None


def own_servers(order: QueueOrder) -> tuple[int, ...]:
    """Return the servers of each class: its slots times its largest need."""
    assert order.slots is not None
    return tuple(
        slots * int(one.need[1]) for slots, one in zip(order.slots, order.classes, strict=True)
    )
