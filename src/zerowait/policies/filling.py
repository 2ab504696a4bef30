"""What the filling policies share: serving a chosen set by need."""

from zerowait.engine.arrays import Ints
from zerowait.engine.lines import Boundary, Lines, plan_count
from zerowait.engine.seats import Seats


def fill_by_need(lines: Lines, chosen: Boundary, jobs: Seats, needs: Ints, servers: int) -> None:
    """Plan the chosen jobs, largest need first, up to the first that does not fit."""
    idle = servers
    stopped = False
    for line in range(needs.shape[0] - 1, -1, -1):
        count = 0
        if not stopped:
            count = min(chosen.n_inside[line], idle // needs[line])
            stopped = count < chosen.n_inside[line]
            idle -= count * needs[line]
        plan_count(lines, jobs, line, count)
