"""Needs rounded to powers of two."""

import numpy as np

from zerowait.model import Jobs
from zerowait.traces.classes.base import Ints, no_option, register


def power_below(need: Ints) -> Ints:
    """The largest power of two that is no larger; exact, as frexp is."""
    return np.asarray(1 << (np.frexp(need.astype(np.float64))[1].astype(np.int64) - 1))


@register("down")
def down(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Down to a power of two, as the paper's table does: some work is left out."""
    no_option("down", option)
    return power_below(distinct)


@register("up")
def up(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Up to a power of two: every job fits its class's slots."""
    no_option("up", option)
    below = power_below(distinct)
    return np.where(below == distinct, below, 2 * below)
