"""Rule 3 of Balanced Splitting: which waiting job a class's own servers take first.

By default the oldest. Without pauses that is a queue in order of arrival. Otherwise the lines are
sorted, because a paused job comes back to its place and the rule may ask for the largest job.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.seats import PAUSING, Seats
from zerowait.engine.structures.age_pieces import Ages, ages_of, rounding_of, value_at
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.structures.sorted_lines import attach, take_out
from zerowait.engine.structures.trees import Trees, empty_trees
from zerowait.engine.system import System
from zerowait.model import InputError
from zerowait.model.age_functions import residual_function

REFILLS = ("oldest", "largest", "expected")
LARGEST = REFILLS.index("largest")
EXPECTED = REFILLS.index("expected")


class Waiting(NamedTuple):
    """The jobs not in service, one line per class."""

    line: Queues
    rule: Ints  # [1] of refilling
    tree: Trees  # of a sorted line
    key: Floats  # per seat: what it is sorted by
    residuals: Ages  # per class: mean residual lives, if these are what counts


def parse_refill(text: str) -> str:
    if text not in REFILLS:
        raise InputError(f"refill={text}: must be one of {', '.join(REFILLS)}")
    return text


def empty_waiting(refill: str, system: System) -> Waiting:
    laws = system.class_laws() if refill == "expected" else []
    return Waiting(
        line=empty_queues(system.n_classes, system.n_seats),
        rule=np.array([REFILLS.index(refill)]),
        tree=empty_trees(system.n_classes, system.n_seats),
        key=np.zeros(system.n_seats),
        residuals=ages_of([residual_function(law) for law in laws]),
    )


def wait(waiting: Waiting, jobs: Seats, job: int) -> None:
    """Join the line of the job's class."""
    if PAUSING:
        attach(
            waiting.tree, waiting.line, jobs.job_class[job], jobs, job, before(waiting, jobs, job)
        )
    else:
        join(waiting.line, jobs.job_class[job], job)


def stop_waiting(waiting: Waiting, jobs: Seats, job: int) -> None:
    if PAUSING:
        take_out(waiting.tree, waiting.line, jobs.job_class[job], job)
    else:
        leave(waiting.line, jobs.job_class[job], job)


def before(waiting: Waiting, jobs: Seats, job: int) -> int:
    """The job behind which a newcomer belongs, or NONE; equals in order of arrival."""
    line = jobs.job_class[job]
    key = float(jobs.order[job])
    if waiting.rule[0] == LARGEST:
        key = -jobs.remaining[job] * jobs.need[job]
    elif waiting.rule[0] == EXPECTED:
        age = jobs.service[job] - jobs.work_left[job]
        rounding = rounding_of(jobs, age, jobs.work_left[job])
        key = -value_at(waiting.residuals, line, age, rounding) * jobs.need[job]
    waiting.key[job] = key
    older = NONE
    node = waiting.tree.root[line]
    while node != NONE:
        other = waiting.key[node]
        if key < other or (key == other and jobs.order[job] < jobs.order[node]):
            node = waiting.tree.left[node]
        else:
            older = node
            node = waiting.tree.right[node]
    return older
