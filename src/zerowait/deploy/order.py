"""What a policy asks of a scheduler: in which order jobs start, who waits for whom, who runs where.

The spelling of a policy is the truth; this is the one place that reads it for deployment.
"""

import math
from dataclasses import dataclass, field

from zerowait.experiment.files.plan_file import Plan, PlanClass
from zerowait.model import InputError

ORDERS = ("arrival", "need", "estimate", "area", "due")
UNITS_S = {"": 1.0, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
NEVER = math.inf
# Policies that are points of the back-filling family: order and reserve_after.
POINTS = {
    "backfill": ("arrival", 0.0),
    "easy": ("arrival", 0.0),
    "first-fit": ("arrival", NEVER),
    "ff": ("arrival", NEVER),
    "smallest-area-first": ("area", NEVER),
    "saf": ("area", NEVER),
}
SPLITS = ("balanced-splitting", "bs")


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


def chosen_order(plan: Plan) -> Order:
    """What the plan wants; asked only of plans that change something."""
    assert plan.choice is not None
    return order_of(plan.choice, plan)


def order_of(spelling: str, plan: Plan) -> Order:
    """The order behind a policy's spelling, or why Slurm cannot run it."""
    names, *parts = (part.strip() for part in spelling.split(","))
    name, _, auxiliary = names.lower().replace("_", "-").partition(":")
    options = dict(_option(part, spelling) for part in parts)
    if name in SPLITS:
        return _split(spelling, auxiliary, options, plan)
    if name == "fcfs" and not auxiliary:
        _refuse_rest(options, spelling)
        return Order(spelling, backfills=False)
    if name not in POINTS or auxiliary:
        raise InputError(
            f"policy {spelling!r}: Slurm cannot run it; fcfs, first-fit, easy, backfill, "
            "smallest-area-first and bs:fcfs can be deployed"
        )
    return _backfill(name, spelling, options, plan)


def _backfill(name: str, spelling: str, options: dict[str, str], plan: Plan) -> Order:
    key, reserve_after = POINTS[name]
    if name == "backfill":
        key = options.pop("order", key)
        given = options.pop("reserve_after", None)
        if given is not None:
            reserve_after = NEVER if given == "never" else _time(given, spelling)
    if key not in ORDERS:
        raise InputError(f"policy {spelling!r}: order={key}: must be one of {', '.join(ORDERS)}")
    patience, need_weight, time_weight, table = 0.0, 1.0, 1.0, None
    if key == "due":
        patience = _time(options.pop("patience", "0"), spelling)
        need_weight = _number(options.pop("need_weight", "1"), spelling)
        time_weight = _number(options.pop("time_weight", "1"), spelling)
        if "allowance" in options:
            table = tuple(_time(one, spelling) for one in options.pop("allowance").split("/"))
    by = options.pop("by", "job")
    _refuse_rest(options, spelling)
    order = Order(
        spelling, key, reserve_after=reserve_after, patience=patience, need_weight=need_weight,
        time_weight=time_weight, allowance=table, per_class=by == "class", classes=plan.classes,
    )  # fmt: skip
    _check_classes(order)
    return order


def _split(spelling: str, auxiliary: str, options: dict[str, str], plan: Plan) -> Order:
    if auxiliary not in ("", "fcfs"):
        raise InputError(
            f"policy {spelling!r}: on Slurm the helpers of a split only run fcfs: back-filling "
            "would start a job there although its own servers come free first; use bs:fcfs"
        )
    given = options.pop("slots", None)
    if options.pop("refill", "oldest") != "oldest":
        raise InputError(f"policy {spelling!r}: own servers on Slurm take the oldest job first")
    _refuse_rest(options, spelling)
    if given is None:
        raise InputError(f"policy {spelling!r}: give the slots of each class, as slots=24/16/8/4")
    slots = tuple(int(_number(one, spelling)) for one in given.split("/"))
    order = Order(spelling, backfills=False, slots=slots, classes=plan.classes)
    _check_classes(order)
    return order


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


def _option(part: str, spelling: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise InputError(f"policy {spelling!r}: option {part!r} is not of the form key=value")
    return key.strip(), value.strip()


def _refuse_rest(options: dict[str, str], spelling: str) -> None:
    if options:
        raise InputError(f"policy {spelling!r}: unknown option {next(iter(options))!r}")


def _time(text: str, spelling: str) -> float:
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = text[len(number) :]
    if unit not in UNITS_S:
        raise InputError(f"policy {spelling!r}: {text!r} is no time (s, min, h, d or w)")
    return _number(number, spelling) * UNITS_S[unit]


def _number(text: str, spelling: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"policy {spelling!r}: {text!r} is not a number")
    return value
