"""Times and prices as a policy's spelling writes them, straight from DESIGN.md section 8."""

import math
from collections.abc import Callable

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}  # in seconds, the unit of a replay


def time_of(text: str) -> float:
    """`10h`, `90min`, `3d`, `-5s` or a plain number; `never` is later than any time."""
    if text == "never":
        return math.inf
    for unit in sorted(UNITS, key=len, reverse=True):
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * UNITS[unit]
    return float(text)


def price_of(cost: str | float) -> Callable[[float], float]:
    """What a pause costs a job that has done so much work: a share (`10%`) of it, or a time."""
    text = str(cost)
    if text.endswith("%"):
        share = float(text.removesuffix("%")) / 100
        return lambda work_done: share * work_done
    time = time_of(text) or 0  # a whole zero leaves fractions as they are
    return lambda work_done: time
