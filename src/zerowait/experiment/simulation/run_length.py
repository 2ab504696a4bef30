"""Is a run long enough for what is read off it?

In heavy traffic the work in the system is a reflected Brownian motion, whatever the policy that
serves it. What it remembers fades over so many arrivals as its variance over the square of the
capacity that is left:

    relaxation = load^2 (gaps' + work's squared variation) / (limit - load)^2

with the limit one, or where a policy's own is known that (Asmussen, Applied Probability and Queues,
2003, X.6). A mean over fewer of these than `ENOUGH` comes out too low, for the run began empty, and
the spread of the runs does not tell: the crises that make the mean are missing in most of them.
"""

import math
from collections.abc import Sequence

from zerowait.model import Renewal, Workload

ENOUGH = 40  # relaxations in a run
SHORT = "runs are short"  # how the note begins


def relaxation(workload: Workload, load: float, limit: float = 1.0) -> float:
    """In arrivals; infinite where the work of a job has no variance, or nothing is left."""
    if load >= limit:
        return math.inf
    return load**2 * work_variation(workload) / (limit - load) ** 2


def work_variation(workload: Workload) -> float:
    """Squared variation of gaps and of the work of a job, together."""
    squares = math.fsum(
        one.share * one.need**2 * (one.service.variance + one.service.mean**2)
        for one in workload.classes
    )
    work = squares / workload.demand**2 - 1
    gaps = workload.arrivals.law.scv if isinstance(workload.arrivals, Renewal) else 1.0
    return gaps + work


def enough_arrivals(workload: Workload, load: float) -> float:
    """The length below which the note is written."""
    return ENOUGH * relaxation(workload, load)


def notes_on_length(arrivals: int, memory: float, unsettled: Sequence[bool]) -> tuple[str, ...]:
    """What the reader should know of runs that are too short; `memory` is their relaxation."""
    notes = []
    if sum(unsettled) > len(unsettled) / 2:
        notes.append(
            "MSER-5 would drop more than half of the run as warm-up: the run is too short, or has "
            "no steady state; raise arrivals"
        )
    if arrivals < ENOUGH * memory:
        what = f"{SHORT} against their own memory"
        if math.isfinite(memory):
            what += f" ({memory:.2g} arrivals): means may be too low and intervals too narrow; "
            notes.append(f"{what}give {ENOUGH * memory:.2g} arrivals")
        else:
            what += ", which has no end (a service of infinite variance, or a load at the limit): "
            notes.append(f"{what}means are too low and intervals too narrow at any length")
    return tuple(notes)
