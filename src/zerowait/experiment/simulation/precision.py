"""How many replications a precision takes.

A sequential procedure (Law, Simulation Modeling and Analysis, 2015, section 9.4.1): where the
interval is too wide, the width that is seen says how many replications would do. At most twice as
many are run before the next look, for an early width is a poor guide.
"""

import math

from zerowait.experiment.statistics.intervals import Interval


def is_precise(found: Interval, precision: float) -> bool:
    return found.known and found.half_width <= precision * abs(found.mean)


def next_replications(found: Interval, precision: float, n: int, most: int) -> int:
    """The number of replications at the next look; `n` where there is none."""
    if n >= most or is_precise(found, precision):
        return n
    wanted = math.inf
    if found.known and found.mean != 0:
        wanted = n * (found.half_width / (precision * found.mean)) ** 2
    return min(most, 2 * n, max(n + 1, math.ceil(wanted) if wanted < 2 * n else 2 * n))
