"""How many replications a precision takes.

A sequential procedure (Law, Simulation Modeling and Analysis, 2015, section 9.4.1): where the
interval is too wide, the width that is seen says how many replications would do. At most twice as
many are run before the next look, for an early width is a poor guide; and nothing is read off
fewer than ten, whose widths are too often small by luck. The mean that a width is set against may
itself be too large: to be within g of the true one it is asked to be within g / (1 + g) (the same
section).
"""

import math
from dataclasses import replace

from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.setup import PRECISE_REPLICATIONS, Setup
from zerowait.experiment.statistics.intervals import Interval


def wanted_replications(setup: Setup, result: Result) -> int:
    """At the next look; as many as there are where nothing is gained by more."""
    n, precision = len(result.replicates), setup.options.precision
    if precision is None or result.diverging:
        return n
    return _next_replications(_found(setup, result), precision, n, setup.most_replications)


def with_precision_note(setup: Setup, result: Result) -> Result:
    """Say so where the precision was not reached."""
    n, precision = len(result.replicates), setup.options.precision
    if precision is None or result.diverging or _is_precise(_found(setup, result), precision):
        return result
    note = (
        f"precision {precision:g} of {setup.options.measure} was not reached within the budget: "
        f"{_found(setup, result)} after {n} replications ({n * setup.arrivals} arrivals)"
    )
    return replace(result, notes=(*result.notes, note))


def _found(setup: Setup, result: Result) -> Interval:
    return result.interval(setup.options.measure, setup.options.level)


def _is_precise(found: Interval, precision: float) -> bool:
    return found.known and found.half_width <= precision / (1 + precision) * abs(found.mean)


def _next_replications(found: Interval, precision: float, n: int, most: int) -> int:
    if n < PRECISE_REPLICATIONS:
        return min(most, PRECISE_REPLICATIONS)
    if n >= most or _is_precise(found, precision):
        return n
    wanted = math.inf
    if found.known and found.mean != 0:
        wanted = n * (found.half_width * (1 + precision) / (precision * found.mean)) ** 2
    return min(most, 2 * n, max(n + 1, math.ceil(wanted) if wanted < 2 * n else 2 * n))
