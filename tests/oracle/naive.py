"""A slow, obvious simulator: the definitions of DESIGN.md and the paper, and nothing else.

It shares no code with `src/`. A job is its arrival, need and service; a policy is a function
`serve(waiting, free)` that says which waiting jobs start now on `free` idle servers. One that
looks at the time has a third argument, the `Scene`.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from .overruns import JobRow, settle

HELPERS = -1  # the pool H; the pool A_i has the class index i


class Job(NamedTuple):
    position: int  # in the stream
    arrival: float
    need: int
    service: float
    job_class: int
    estimate: float  # the service as announced


class Scene(NamedTuple):
    """What else a policy may know of the pool it decides on."""

    now: float
    servers: int  # of the pool, idle or not
    running: list[tuple[float, Job]]  # start and job of all that run there


class Outcome(NamedTuple):
    start: float
    end: float
    helpers: bool  # ran on H
    routed: bool  # did not enter A_i on arrival


# -- policies: who of `waiting` (in order of arrival) starts now on `free` servers ---------------

Serve = Callable[[list[Job], int], list[Job]]
TimedServe = Callable[[list[Job], int, Scene], list[Job]]


def fcfs(waiting: list[Job], free: int) -> list[Job]:
    started = []
    for job in waiting:
        if job.need > free:
            break
        started.append(job)
        free -= job.need
    return started


def first_fit(waiting: list[Job], free: int) -> list[Job]:
    started = []
    for job in waiting:
        if job.need <= free:
            started.append(job)
            free -= job.need
    return started


SERVE: dict[str, Serve] = {"fcfs": fcfs, "first-fit": first_fit}
PLAIN = list(SERVE)  # those of this file; others extend the table
TIMED: dict[str, TimedServe] = {}  # filled by the files of such policies
FAMILY: dict[str, Callable[[str, Sequence[Job]], TimedServe]] = {}  # by options and all the jobs


def decider_of(spelling: str, stream: Sequence[Job]) -> TimedServe:
    """The function that decides, for the name of a policy and perhaps its options."""
    name, _, options = spelling.partition(",")
    if name in FAMILY:
        return FAMILY[name](options, stream)
    if spelling in TIMED:
        return TIMED[spelling]
    return lambda waiting, free, scene: SERVE[spelling](waiting, free)


# -- the simulator -------------------------------------------------------------------------------


def classes_of(jobs: Sequence[JobRow], job_class: Sequence[int] | None) -> list[int]:
    """The class index of each job: as given, else by need, smallest need first."""
    if job_class is not None:
        return list(job_class)
    needs = sorted({need for _, need, _ in jobs})
    return [needs.index(need) for _, need, _ in jobs]


def largest_needs(jobs: Sequence[JobRow], job_class: Sequence[int] | None) -> list[int]:
    """The largest need of each class."""
    classes = classes_of(jobs, job_class)
    return [
        max(need for (_, need, _), other in zip(jobs, classes, strict=True) if other == c)
        for c in range(max(classes) + 1)
    ]


def naive(
    policy: str,
    jobs: Sequence[JobRow],
    servers: int,
    job_class: Sequence[int] | None = None,
    slots: Sequence[int] | None = None,
    estimates: Sequence[float] | None = None,
    overruns: str = "extend",
) -> list[Outcome]:
    """What happens to each job under `policy`, or `bs:`, `mbs:` and a policy.

    A policy is a name of SERVE or TIMED, or one of FAMILY and its options. Estimates are the
    service times unless given.
    """
    jobs, estimates = settle(overruns, jobs, estimates)
    name, _, auxiliary = policy.partition(":")
    split = name in ("bs", "mbs")
    classes = classes_of(jobs, job_class)
    largest = largest_needs(jobs, job_class)

    # Idle servers of each pool. Without a split all servers are one pool, decided on like H.
    own_servers = [0] * len(largest)
    if split:
        assert slots is not None
        own_servers = [s * need for s, need in zip(slots, largest, strict=True)]
    free = dict(enumerate(own_servers))
    helpers = free[HELPERS] = servers - sum(own_servers)

    rows = zip(jobs, classes, estimates, strict=True)
    coming = [Job(i, *row, c, estimate) for i, (row, c, estimate) in enumerate(rows)]
    serve = decider_of(auxiliary if split else policy, list(coming))
    waiting: list[Job] = []  # in order of arrival
    running: list[tuple[float, Job, int]] = []  # end, job, pool
    routed: set[int] = set()
    outcomes: dict[int, Outcome] = {}

    def start(job: Job, pool: int, now: float) -> None:
        if job in waiting:
            waiting.remove(job)
        free[pool] -= job.need
        assert free[pool] >= 0
        end = now + job.service
        running.append((end, job, pool))
        in_helpers = split and pool == HELPERS
        outcomes[job.position] = Outcome(now, end, in_helpers, job.position in routed)

    while coming or running or waiting:
        next_end = min((end for end, _, _ in running), default=math.inf)
        if running and (not coming or next_end <= coming[0].arrival):
            # Every completion of this instant, before any arrival of it.
            now = next_end
            for end, job, pool in running:
                if end == now:
                    free[pool] += job.need
            running = [entry for entry in running if entry[0] > now]
        elif coming:
            job = coming.pop(0)
            now = job.arrival
            # Under mbs no waiting job will ever enter A_i, so none there is ahead of this one.
            overtakes = name == "bs" and any(w.job_class == job.job_class for w in waiting)
            if split and job.need <= free[job.job_class] and not overtakes:
                start(job, job.job_class, now)
            else:
                if split:
                    routed.add(job.position)
                waiting.append(job)
        else:
            raise ValueError(f"{len(waiting)} jobs can never be served")

        # The decision: (1) the own servers refill, (2) the auxiliary serves the helpers.
        if name == "bs":
            for c in range(len(largest)):
                for job in fcfs([w for w in waiting if w.job_class == c], free[c]):
                    start(job, c, now)
        there = [(outcomes[j.position].start, j) for _, j, pool in running if pool == HELPERS]
        for job in serve(list(waiting), free[HELPERS], Scene(now, helpers, there)):
            start(job, HELPERS, now)

    return [outcomes[i] for i in range(len(jobs))]


# -- the balanced split (paper, eq. 2) -----------------------------------------------------------


class NaiveSplit(NamedTuple):
    psi: Fraction
    slots: list[int]
    helpers: int


def naive_split(
    needs: Sequence[int], demands: Sequence[Fraction | int | float], servers: int
) -> NaiveSplit:
    """Walk x over every breakpoint m / c_i upwards; stop before the helpers get too few."""
    exact = [Fraction(demand) for demand in demands]
    c = [servers * d / (n * sum(exact)) for n, d in zip(needs, exact, strict=True)]

    def split_at(x: Fraction) -> tuple[list[int], int]:
        slots = [math.floor(x * c_i) for c_i in c]
        return slots, servers - sum(s * n for s, n in zip(slots, needs, strict=True))

    if all(c_i.denominator == 1 for c_i in c):
        return NaiveSplit(Fraction(1), *split_at(Fraction(1)))
    if servers < max(needs):
        raise ValueError("no job of the largest need fits")

    breakpoints = {Fraction(m) / c_i for c_i in c for m in range(1, math.floor(c_i) + 1)}
    before = split_at(Fraction(0))
    for x in sorted(breakpoints):
        slots, helpers = split_at(x)
        if helpers < max(needs):
            return NaiveSplit(x, *before)  # the supremum, not attained
        before = slots, helpers
    return NaiveSplit(Fraction(1), *before)
