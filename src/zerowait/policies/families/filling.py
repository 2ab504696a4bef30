"""What the filling policies share: serving a chosen set by need."""

from zerowait.engine.arrays import Ints
from zerowait.engine.structures.lines import Boundary, Lines, plan_count
from zerowait.engine.system import System


def powers_of_two_note(name: str, system: System) -> tuple[str, ...]:
    """ServerFilling fills all servers for sure only where all numbers are powers of two."""
    odd = [int(n) for n in (system.servers, *system.needs) if n < 1 or n & (n - 1)]
    if not odd:
        return ()
    return (f"{name}: {odd[0]} is not a power of two, so servers may idle while jobs wait",)


def fill_by_need(lines: Lines, chosen: Boundary, needs: Ints, servers: int) -> None:
    """Plan the chosen jobs, largest need first, up to the first that does not fit."""
    idle = servers
    stopped = False
    for line in range(needs.shape[0] - 1, -1, -1):
        count = 0
        if not stopped:
            count = min(chosen.n_inside[line], idle // needs[line])
            stopped = count < chosen.n_inside[line]
            idle -= count * needs[line]
        plan_count(lines, line, count)
