"""Lines kept in order of a key: search trees whose jobs also stand in queues.

The tree finds the place of a newcomer in logarithmic time; the links of `Queues` then give
each job its neighbours, so that boundaries move along a sorted line as along any other.
"""

from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, leave
from zerowait.engine.structures.trees import Trees, cut, grow, lift, too_low


@called
def attach(trees: Trees, queues: Queues, line: int, jobs: Seats, job: int, older: int) -> None:
    """Put `job` right behind `older` in its line, or first where that is NONE."""
    newer = queues.head[line] if older == NONE else queues.after[older]
    # Of two neighbours in order one is below the other, and has room on the side of the other.
    if older != NONE and trees.right[older] == NONE:
        grow(trees, line, older, False, job, jobs.order[job])
    else:
        grow(trees, line, newer, True, job, jobs.order[job])
    while too_low(trees, job):
        lift(trees, line, job)
    queues.before[job] = older
    queues.after[job] = newer
    if older == NONE:
        queues.head[line] = job
    else:
        queues.after[older] = job
    if newer == NONE:
        queues.tail[line] = job
    else:
        queues.before[newer] = job


@called
def take_out(trees: Trees, queues: Queues, line: int, job: int) -> None:
    """Remove `job` from its line."""
    cut(trees, line, job)
    leave(queues, line, job)
