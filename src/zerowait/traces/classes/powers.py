"""Needs rounded to powers of two."""

import numpy as np

from zerowait.model import Jobs
from zerowait.model.quantities import refuse
from zerowait.traces.classes.base import Ints, register


def power_below(need: Ints) -> Ints:
    """The largest power of two that is no larger; exact, as frexp is."""
    return np.asarray(1 << (np.frexp(need.astype(np.float64))[1].astype(np.int64) - 1))


@register("down")
def down(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Down to a power of two, as the paper's table does: some work is left out."""
    _no_value("down", option)
    return power_below(distinct)


@register("up")
def up(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Up to a power of two: every job fits its class's slots."""
    _no_value("up", option)
    below = power_below(distinct)
    return np.where(below == distinct, below, 2 * below)


def _no_value(name: str, option: str) -> None:
    if option:
        raise refuse("classes", f"{name}={option}", f"{name} takes no value")
