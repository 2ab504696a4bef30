"""Functions of a job's age, one per class, for kernels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called
from zerowait.model.age_functions import AgeFunction


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
    """The last of the places from `first` to before `beyond` whose start is not after the age."""
    while beyond - first > 1:
        middle = (first + beyond) // 2
        if start[middle] <= age:
            first = middle
        else:
            beyond = middle
    return first


@called
def value_at(ages: Ages, job_class: int, age: float) -> float:
    """The function of a class at an age."""
    at = last_started(ages.start, ages.begin[job_class], ages.begin[job_class + 1], age)
    # Rounding must not take it below zero.
    return max((ages.value[at] - ages.fall[at] * age) / ages.scale[at], 0.0)
