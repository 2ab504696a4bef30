"""What the policies by Gittins rank share: lines that keep their order while ranks move.

A job that is not in service keeps its rank: one line per need. Jobs in service age together,
so those of one class and need keep their order for as long as the rank only falls with age, or
only grows. There is one line for each such stretch of ages; a job that comes to its end goes on
to the next line. A decision looks once at every line, and moves a job once per stretch.

Where pauses have a price, a job in service that still pays for one does not age. It stays in the
line of those not in service until it has paid.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import System
from zerowait.engine.seats import Seats, remaining_of, work_left_of
from zerowait.engine.structures.age_pieces import ROUNDING, last_started, rounding_of
from zerowait.engine.structures.queues import (
    NONE,
    Boundary,
    Lines,
    empty_boundary,
    empty_lines,
    forget,
    join_boundary,
    join_inside,
    next_pause,
    next_planned,
    touch,
)
from zerowait.engine.structures.trees import (
    JobTrees,
    attach,
    empty_job_trees,
    insert,
    remove,
    take_out,
)
from zerowait.model.age_functions import AgeFunction, rank_function
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.families.common_order import RANK, CommonOrder, common_key, empty_order
from zerowait.policies.families.preemptive import Preemptive

# A smaller relative step between two pieces of a rank is rounding.
STEP = 1e-12


class Stretches(NamedTuple):
    """First one line per need for jobs not in service; then, need by need, those in service."""

    line: Ints  # per seat: where the job stands
    first: Ints  # per class and need: the first line of its jobs in service
    span: Ints  # per need: the first of all its lines of jobs in service, and one entry more
    begin: Ints  # per class: its first stretch, and one entry more
    start: Floats  # per stretch: the age
    end: Floats  # per line: the age at which a job leaves it
    trend: Ints  # per line: does the rank fall (-1) or grow (1) with age, or is it constant (0)?
    birth: Floats  # per seat: when a job in service had started if it had never paused
    pays: Ints  # per seat: is it in service, but still pays for a pause?
    paying: JobTrees  # one tree: those that pay, by when they have paid


class Ranked(NamedTuple):
    """Everything about the order; part of a policy's state."""

    need_rank: Ints  # per line: place of its need among the distinct ones
    lines: Lines
    order: CommonOrder
    chosen: Boundary
    stretches: Stretches


def stretches_of(rank: AgeFunction) -> list[tuple[float, int]]:
    """Start and trend of the longest stretches of ages on which a rank is monotone."""
    found: list[tuple[float, int]] = []
    for piece, start in enumerate(rank.start):
        trend = int(-np.sign(rank.fall[piece]))
        step = 0
        if piece > 0:
            before = (rank.value[piece - 1] - rank.fall[piece - 1] * start) / rank.scale[piece - 1]
            after = rank(start)
            if abs(after - before) > STEP * max(before, after):
                step = int(np.sign(after - before))
        known = found[-1][1] if found else 0
        signs = {known, step, trend} - {0}
        if not found or len(signs) > 1:
            found.append((float(start), trend))
        else:
            found[-1] = (found[-1][0], signs.pop() if signs else 0)
    # Jobs leave a stretch by age, so one that ends is kept in order of age.
    return [(start, trend or -1) for start, trend in found[:-1]] + found[-1:]


def empty_ranked(system: System, weigh_needs: bool) -> Ranked:
    """`chosen` adds up needs, or counts jobs."""
    ranks = [rank_function(law) for law in system.class_laws()]
    stretches = [stretches_of(rank) for rank in ranks]
    n_needs = len(system.needs)
    line_needs = list(range(n_needs))
    ends = [math.inf] * n_needs
    trends = [0] * n_needs
    first = np.zeros(system.n_classes * n_needs, np.int64)
    span = np.zeros(n_needs + 1, np.int64)
    span[0] = n_needs
    for need in range(n_needs):
        for job_class, of_kind in system.kinds:
            if of_kind == system.needs[need]:
                first[job_class * n_needs + need] = len(line_needs)
                starts = [start for start, _ in stretches[job_class]]
                line_needs += [need] * len(starts)
                ends += [*starts[1:], math.inf]
                trends += [trend for _, trend in stretches[job_class]]
        span[need + 1] = len(line_needs)
    need_rank = np.array(line_needs)
    needs = system.needs[need_rank]
    begin, start = _laid_out(stretches)
    n_seats = system.n_seats
    return Ranked(
        need_rank,
        empty_lines(needs, n_seats),
        empty_order(RANK, needs.astype(np.float64), n_seats, ranks),
        empty_boundary(needs if weigh_needs else np.ones_like(needs), n_seats),
        Stretches(
            np.zeros(n_seats, np.int64), first, span, begin, start,
            np.array(ends), np.array(trends), np.zeros(n_seats), np.zeros(n_seats, np.int64),
            empty_job_trees(1, n_seats),
        ),
    )  # fmt: skip


def _laid_out(stretches: Sequence[list[tuple[float, int]]]) -> tuple[Ints, Floats]:
    begin = np.append(0, np.cumsum([len(one) for one in stretches]))
    return begin, np.array([start for one in stretches for start, _ in one])


def age_of(jobs: Seats, job: int) -> float:
    """The age by which a job's stretch is found."""
    left = work_left_of(jobs, job)
    age = jobs.service[job] - left
    return age + rounding_of(jobs, age, left)


@called
def wait_by_rank(ranked: Ranked, jobs: Seats, job: int, paused: bool) -> None:
    """Join those not in service; equal ranks keep the order of arrival."""
    order, lines = ranked.order, ranked.lines
    line = jobs.need_rank[job]
    ranked.stretches.line[job] = line
    key = common_key(order, jobs, line, job)
    older = NONE
    node = order.tree.root[line]
    while node != NONE:
        other = common_key(order, jobs, line, node)
        # A paused job stays behind those that are about to start in its place.
        ahead = key < other or (key == other and jobs.order[job] < jobs.order[node])
        if ahead and not (paused and lines.plan.inside[node] != 0):
            node = order.tree.left[node]
        else:
            older = node
            node = order.tree.right[node]
    attach(order.tree, lines.queues, line, jobs, job, older)


@called
def serve_by_age(ranked: Ranked, jobs: Seats, job: int) -> None:
    """Join the jobs in service of the same class, need and stretch of ages."""
    s, tree, queues = ranked.stretches, ranked.order.tree, ranked.lines.queues
    job_class = jobs.job_class[job]
    age = age_of(jobs, job)
    stretch = last_started(s.start, s.begin[job_class], s.begin[job_class + 1], age)
    n_needs = s.span.shape[0] - 1
    kind = s.first[job_class * n_needs + jobs.need_rank[job]]
    line = kind + stretch - s.begin[job_class]
    s.line[job] = line
    older = NONE
    node = tree.root[line]
    while node != NONE:
        # Where ranks fall the oldest come first, where they grow the youngest.
        lead = (s.birth[node] - s.birth[job]) * -s.trend[line]
        if abs(lead) <= jobs.clock[0] * ROUNDING:
            lead = 0.0
        if lead > 0.0 or (lead == 0.0 and jobs.order[job] < jobs.order[node]):
            node = tree.left[node]
        else:
            older = node
            node = tree.right[node]
    attach(tree, queues, line, jobs, job, older)
    # Whoever is in service is planned, and whoever is planned is chosen.
    join_inside(ranked.lines.plan, queues, line, job)
    join_inside(ranked.chosen, queues, line, job)


@called
def leave_ranked(ranked: Ranked, jobs: Seats, job: int) -> None:
    line = ranked.stretches.line[job]
    if ranked.stretches.pays[job] != 0:
        ranked.stretches.pays[job] = 0
        remove(ranked.stretches.paying, 0, jobs, job)
    forget(ranked.chosen, ranked.lines.queues, line, job)
    forget(ranked.lines.plan, ranked.lines.queues, line, job)
    take_out(ranked.order.tree, ranked.lines.queues, line, job)


def be_born(ranked: Ranked, jobs: Seats, job: int) -> None:
    """Jobs that start together are equally old, whatever their service times."""
    attained = jobs.service[job] - work_left_of(jobs, job)
    ranked.stretches.birth[job] = jobs.clock[0] - attained


@called
def age_when_paid(ranked: Ranked, jobs: Seats) -> None:
    """Move jobs in service that have paid: their ranks move by now, against the order of a line in
    which nobody ages."""
    paying = ranked.stretches.paying
    while paying.first[0] != NONE:
        job = paying.first[0]
        if remaining_of(jobs, job) > jobs.work_left[job]:
            break
        leave_ranked(ranked, jobs, job)
        be_born(ranked, jobs, job)
        serve_by_age(ranked, jobs, job)


@called
def age_in_service(ranked: Ranked, jobs: Seats) -> None:
    """Move jobs in service that have paid, or have come to the end of their stretch."""
    age_when_paid(ranked, jobs)
    s, queues = ranked.stretches, ranked.lines.queues
    for line in range(s.span[0], s.end.shape[0]):
        while queues.head[line] != NONE and s.end[line] < math.inf:
            oldest = queues.head[line]
            if s.trend[line] > 0:
                oldest = queues.tail[line]
            if age_of(jobs, oldest) < s.end[line]:
                break
            leave_ranked(ranked, jobs, oldest)
            serve_by_age(ranked, jobs, oldest)


class Gittins(Preemptive):
    """Its state has `ranked`; a subclass decides."""

    @staticmethod
    def on_arrival(state: Any, jobs: Seats, job: int) -> None:
        ranked = state.ranked
        line = jobs.need_rank[job]
        age_when_paid(ranked, jobs)
        wait_by_rank(ranked, jobs, job, False)
        join_boundary(ranked.chosen, ranked.lines.queues, line, job)
        if join_boundary(ranked.lines.plan, ranked.lines.queues, line, job):
            touch(ranked.lines, job)

    @staticmethod
    def on_departure(state: Any, jobs: Seats, job: int) -> None:
        leave_ranked(state.ranked, jobs, job)

    @staticmethod
    def withdraw(state: Any, jobs: Seats, job: int) -> None:
        leave_ranked(state.ranked, jobs, job)

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        ranked = state.ranked
        job = next_pause(ranked.lines, jobs)
        if job != NONE:
            chosen = ranked.chosen.inside[job] != 0
            leave_ranked(ranked, jobs, job)
            wait_by_rank(ranked, jobs, job, True)
            line = jobs.need_rank[job]
            inside = join_boundary(ranked.chosen, ranked.lines.queues, line, job)
            if (
                chosen
                and not inside
                and ranked.chosen.last[line] == ranked.lines.queues.before[job]
            ):
                join_inside(ranked.chosen, ranked.lines.queues, line, job)
        return job

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        ranked = state.ranked
        job = next_planned(ranked.lines, jobs)
        if job != NONE:
            debt = jobs.remaining[job] - jobs.work_left[job]
            if debt > 0.0:
                ranked.stretches.pays[job] = 1
                insert(ranked.stretches.paying, 0, jobs, job, jobs.clock[0] + debt)
            else:
                leave_ranked(ranked, jobs, job)
                be_born(ranked, jobs, job)
                serve_by_age(ranked, jobs, job)
        return job
