"""Which totals can be had by adding up the needs of some jobs: a counted subset sum.

Where each need divides the next, taking the largest first is exact: small needs that could
replace a larger one add up to it exactly. Otherwise that is tried first, and if it fails a
table of all totals up to the wanted one decides.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import Ints, called


class Reach(NamedTuple):
    needs: Ints  # distinct, in units, smallest first
    unit: Ints  # [1] servers in a unit
    is_chain: Ints  # [1] does each need divide the next?
    left: Ints  # per need: jobs that can be taken
    used: Ints  # scratch, per total: least number of the last need, -1 where out of reach


def empty_reach(needs: Ints, servers: int) -> Reach:
    unit = int(np.gcd.reduce(needs))
    units = needs // unit
    is_chain = bool(np.all(units[1:] % units[:-1] == 0))
    return Reach(
        units,
        np.array([unit]),
        np.array([is_chain], np.int64),
        np.zeros_like(units),
        np.zeros(1 if is_chain else servers // unit + 1, np.int64),
    )


@called
def most_reached(reach: Reach, servers: int) -> int:
    """The largest total of jobs at hand that is not above `servers`."""
    total = servers // reach.unit[0]
    short = shortfall(reach, total)
    if short > 0 and reach.is_chain[0] == 0:
        tabulate(reach, total)
        short = 0
        while reach.used[total - short] < 0:
            short += 1
    return (total - short) * reach.unit[0]


@called
def reaches(reach: Reach, servers: int) -> bool:
    """Do some of the jobs at hand need exactly `servers`?"""
    if servers < 0 or servers % reach.unit[0] != 0:
        return False
    total = servers // reach.unit[0]
    if shortfall(reach, total) == 0:
        return True
    if reach.is_chain[0] != 0:
        return False
    tabulate(reach, total)
    return reach.used[total] >= 0


def shortfall(reach: Reach, total: int) -> int:
    """What is missing to the total when the largest needs are taken first."""
    for rank in range(reach.needs.shape[0] - 1, -1, -1):
        need = reach.needs[rank]
        total -= min(reach.left[rank], total // need) * need
    return total


@called
def tabulate(reach: Reach, total: int) -> None:
    """Mark in `used` what is in reach up to the total."""
    used = reach.used
    used[0] = 0
    for at in range(1, total + 1):
        used[at] = -1
    for rank in range(reach.needs.shape[0]):
        need = reach.needs[rank]
        for at in range(total + 1):
            if used[at] >= 0:
                used[at] = 0
            elif at >= need and 0 <= used[at - need] < reach.left[rank]:
                used[at] = used[at - need] + 1
