"""A slow, obvious simulator: the definitions of DESIGN.md and the paper, and nothing else.

It shares no code with `src/`. A job is its arrival, need and service; a policy is a function
`serve(waiting, free)` that says which waiting jobs start now on `free` idle servers. One that
looks at the time has a third argument, the `Scene`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

HELPERS = -1  # the pool H; the pool A_i has the class index i

JobRow = tuple[float, int, float]  # arrival, need, service


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
TIMED: dict[str, TimedServe] = {}  # filled by the files of such policies


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
) -> list[Outcome]:
    """What happens to each job under `policy`: a name of SERVE or TIMED, or `bs:`, `mbs:` and one.

    Estimates are the service times unless given.
    """
    name, _, auxiliary = policy.partition(":")
    split = name in ("bs", "mbs")
    decider = auxiliary if split else name
    classes = classes_of(jobs, job_class)
    largest = largest_needs(jobs, job_class)

    # Idle servers of each pool. Without a split all servers are one pool, decided on like H.
    own_servers = [0] * len(largest)
    if split:
        assert slots is not None
        own_servers = [s * need for s, need in zip(slots, largest, strict=True)]
    free = dict(enumerate(own_servers))
    helpers = free[HELPERS] = servers - sum(own_servers)

    announced = [service for _, _, service in jobs] if estimates is None else estimates
    rows = zip(jobs, classes, announced, strict=True)
    coming = [Job(i, *row, c, estimate) for i, (row, c, estimate) in enumerate(rows)]
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
        if decider in TIMED:
            there = [(outcomes[j.position].start, j) for _, j, pool in running if pool == HELPERS]
            scene = Scene(now, helpers, there)
            chosen = TIMED[decider](list(waiting), free[HELPERS], scene)
        else:
            chosen = SERVE[decider](list(waiting), free[HELPERS])
        for job in chosen:
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


# -- measures ------------------------------------------------------------------------------------


class Moments(NamedTuple):
    mean: float
    variance: float  # of the population (ddof = 0)
    max: float


@dataclass(frozen=True)
class Measures:
    count: int
    response: Moments
    wait: Moments
    slowdown: Moments
    bounded_slowdown: Moments
    p_wait: float
    routed_to_helpers: float
    served_by_helpers: float
    utilisation: float
    in_system: float


def ratio(a: float, b: float) -> float:
    """a / b as IEEE 754 has it, for a, b >= 0."""
    if b > 0:
        return a / b
    return math.inf if a > 0 else math.nan


def slowdown(response: float, service: float) -> float:
    """A job of no service is slowed down by nothing if it did not wait, else beyond measure."""
    return 1.0 if response == service == 0 else ratio(response, service)


def moments(values: Sequence[float]) -> Moments:
    if any(math.isnan(v) for v in values):
        return Moments(math.nan, math.nan, math.nan)
    if any(math.isinf(v) for v in values):
        return Moments(math.inf, math.nan, math.inf)
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / len(values)
    return Moments(mean, variance, max(values))


def measures_of(rows: Sequence[tuple[JobRow, Outcome]], servers: int, horizon: float) -> Measures:
    """The measures of some jobs of a run that lasted `horizon`."""
    n = len(rows)
    response = [o.end - arrival for (arrival, _, _), o in rows]
    service = [s for (_, _, s), _ in rows]
    return Measures(
        count=n,
        response=moments(response),
        wait=moments([o.start - arrival for (arrival, _, _), o in rows]),
        slowdown=moments([slowdown(r, s) for r, s in zip(response, service, strict=True)]),
        bounded_slowdown=moments(
            [max(1.0, r / max(s, 10.0)) for r, s in zip(response, service, strict=True)]
        ),
        p_wait=sum(o.start > arrival for (arrival, _, _), o in rows) / n,
        routed_to_helpers=sum(o.routed for _, o in rows) / n,
        served_by_helpers=sum(o.helpers for _, o in rows) / n,
        utilisation=ratio(
            math.fsum(need * (o.end - o.start) for (_, need, _), o in rows), servers * horizon
        ),
        in_system=ratio(math.fsum(response), horizon),
    )


def naive_measures(
    jobs: Sequence[JobRow],
    outcomes: Sequence[Outcome],
    servers: int,
    job_class: Sequence[int] | None = None,
) -> tuple[Measures, list[Measures]]:
    """Overall and per class; all time averages over [first arrival, last completion]."""
    classes = classes_of(jobs, job_class)
    rows = list(zip(jobs, outcomes, strict=True))
    horizon = max(o.end for o in outcomes) - jobs[0][0]
    per_class = [
        [row for row, other in zip(rows, classes, strict=True) if other == c]
        for c in range(max(classes) + 1)
    ]
    overall = measures_of(rows, servers, horizon)
    return overall, [measures_of(group, servers, horizon) for group in per_class]
