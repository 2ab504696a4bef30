"""Functions of a job's age, one per class, for kernels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats
from zerowait.model.age_functions import AgeFunction
from zerowait.model.quantities import Floats, Ints

ROUNDING = 2.0**-48  # 16 units in the last place: a few pauses and resumptions


class Ages(NamedTuple):
    """The pieces of all classes, one class after the other; see `AgeFunction`."""

    begin: Ints  # per class: its first piece, and one entry more
    start: Floats  # per piece
    value: Floats
    fall: Floats
    scale: Floats


def ages_of(functions: Sequence[AgeFunction]) -> Ages:
    sizes = [len(function.start) for function in functions]

    def joined(name: str) -> Floats:
        return np.concatenate([np.zeros(0), *(getattr(one, name) for one in functions)])

    begin = np.append(0, np.cumsum(np.array(sizes, np.int64)))
    return Ages(begin, joined("start"), joined("value"), joined("fall"), joined("scale"))


@called
def last_started(start: Floats, first: int, beyond: int, age: float) -> int:
    """Return the last place from `first` to before `beyond` whose start is not after the age."""
    while beyond - first > 1:
        middle = (first + beyond) // 2
        if start[middle] <= age:
            first = middle
        else:
            beyond = middle
    return first


def rounding_of(jobs: Seats, age: float, remaining: float) -> float:
    """Return how far an age may be below what it would be without rounding.

    An age is a difference of times as late as the clock, but for that of a job never served. Jobs
    reach the ages at which others of their class end to the last digit, and what holds from there
    on must hold of them; but a job that is about to end itself has not got there.
    """
    slack = jobs.clock[0] * ROUNDING
    if age > 0.0 and remaining > slack:
        return slack
    return 0.0


@called
def value_at(ages: Ages, job_class: int, age: float, rounding: float) -> float:
    """Return the function of a class at an age; see `rounding_of`."""
    first, beyond = ages.begin[job_class], ages.begin[job_class + 1]
    at = last_started(ages.start, first, beyond, age + rounding)
    age = max(age, ages.start[at])
    # Rounding must not take it below zero.
    return max((ages.value[at] - ages.fall[at] * age) / ages.scale[at], 0.0)
