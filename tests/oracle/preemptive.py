"""A slow, obvious simulator of preemptive policies: every decision looks at every job again.

It shares no code with `src/`. A policy is a function `serve(present, servers, now)` that says
which of all the jobs present (in order of arrival) are in service from now on; the simulator
starts and pauses the difference. What a policy may look at is in `Job`.

Arithmetic, so that equality can be exact: a job put into service at t ends at t + remaining; at a
decision at t a job in service has end - t left (never more than before), kept when it is paused;
attained = service - remaining, size = remaining * need. A job that goes on keeps its end.

The price of a pause (`preemption_cost`: a time, or a share of the work done) is added to remaining
at the pause, so that orders by remaining time or size see the grown remainder while the job waits.
- A job pays what it owes first when it is served again, and works after that: of its own work
  work_left = min(work_left, remaining) is left. Paused while it still pays it owes the rest and
  the new price.
- The work done is attained = service - work_left, over all its time in service; what it paid is
  no work. The price of a pause is share * attained, or the time, whatever was done.
- Every pause counted in `preemptions` is charged, also one at the instant of the start (of which a
  share is 0). A job that goes on, or that its own servers take while it is paused, pays no more.
- Gittins ranks and `refill=expected` look at attained, as laws of service know nothing of prices;
  `refill=largest` looks at the grown size.
- Lost is what a job paid in all, times its need. Servers are busy while it pays.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from .fills import (
    Fill,
    Job,
    Order,
    block,
    by_arrival,
    by_rank,
    by_remaining,
    by_size,
    fill_divisors,
    fill_servers,
    least_servers,
    max_weight,
    most_servers,
    skip,
)
from .naive import HELPERS, JobRow, classes_of, largest_needs
from .spellings import price_of

# Of the attained service: a Gittins rank or a mean residual.
Age = Callable[[float], float | Fraction]


class Outcome(NamedTuple):
    start: float  # of the first service
    end: float
    helpers: bool  # its last service period was on H
    routed: bool  # did not enter A_i on arrival
    preemptions: int  # times paused
    lost: float = 0.0  # server seconds paid for pauses


# -- policies -------------------------------------------------------------------------------------

Serve = Callable[[list[Job], int, float], list[Job]]


def preemptive(order: Order, fill: Fill) -> Serve:
    return lambda present, servers, now: fill(order(present), servers)


def nonpreemptive(order: Order, fill: Fill) -> Serve:
    """What runs goes on, the others are offered the idle servers."""

    def serve(present: list[Job], servers: int, now: float) -> list[Job]:
        running = [job for job in present if job.running]
        waiting = order([job for job in present if not job.running])
        return running + fill(waiting, servers - sum(job.need for job in running))

    return serve


SERVE: dict[str, Serve] = {
    "fcfs": nonpreemptive(by_arrival, block),
    "first-fit": nonpreemptive(by_arrival, skip),
    "msf": preemptive(most_servers, skip),
    "lsf": preemptive(least_servers, skip),
    "ff-srpt": preemptive(by_remaining, skip),
    "ff-srpt,key=size": preemptive(by_size, skip),
    "greedy-srpt": preemptive(by_size, block),
    "maxweight": preemptive(by_arrival, max_weight),
    "sf": preemptive(by_arrival, fill_servers),
    "sf-srpt": preemptive(by_size, fill_servers),
    "sf-gittins": preemptive(by_rank, fill_servers),
    "df": preemptive(by_arrival, fill_divisors),
    "df-srpt": preemptive(by_size, fill_divisors),
    "df-gittins": preemptive(by_rank, fill_divisors),
}


def refill_order(refill: str, waiting: list[Job], mean_residual: Sequence[Age]) -> list[Job]:
    """Rule 3: in which order A_i takes the waiting jobs of its class; ties: the oldest."""
    if refill == "largest":
        return sorted(waiting, key=lambda job: -job.size)
    if refill == "expected":
        return sorted(waiting, key=lambda j: -(mean_residual[j.job_class](j.attained) * j.need))
    assert refill == "oldest"
    return list(waiting)


# -- the simulator --------------------------------------------------------------------------------


def naive_preemptive(
    policy: str,
    jobs: Sequence[JobRow],
    servers: int,
    job_class: Sequence[int] | None = None,
    slots: Sequence[int] | None = None,
    rank: Sequence[Age] = (),
    mean_residual: Sequence[Age] = (),
    preemption_cost: str | float = 0.0,
) -> list[Outcome]:
    """What happens to each job under `policy`: a name of SERVE, or `bs:` or `mbs:` and one.

    `bs` may be followed by `,refill=oldest|largest|expected`. `rank` and `mean_residual` have one
    function of the attained service per class.

    A split at a decision: (1) each A_i, in the order of its refill, takes jobs of its class that
    are at the helpers but not in service there (a paused job continues, which is no preemption)
    until the first that does not fit; (2) the auxiliary decides on H over all jobs still there,
    those in service on H included. (1) is not repeated for jobs that (2) pauses. Jobs on A_i are
    never paused. Every event is a decision for H too, also one that concerns A_i only.
    """
    policy, _, refill = policy.partition(",refill=")
    name, _, auxiliary = policy.partition(":")
    split = name in ("bs", "mbs")
    serve = SERVE[auxiliary if split else name]
    refill = refill or "oldest"
    price = price_of(preemption_cost)
    classes = classes_of(jobs, job_class)
    own_servers = [0] * (max(classes) + 1)
    if split:
        assert slots is not None
        own_servers = [s * n for s, n in zip(slots, largest_needs(jobs, job_class), strict=True)]
    size_of = {**dict(enumerate(own_servers)), HELPERS: servers - sum(own_servers)}

    stream = [
        Job(i, *row, c, remaining=row[2])
        for i, (row, c) in enumerate(zip(jobs, classes, strict=True))
    ]
    coming = list(stream)
    present: list[Job] = []  # in order of arrival

    def idle(pool: int) -> int:
        return size_of[pool] - sum(job.need for job in present if job.pool == pool)

    def start(job: Job, pool: int, now: float) -> None:
        job.pool = pool
        job.end = now + job.remaining
        job.helpers = split and pool == HELPERS
        if job.start is None:
            job.start = now

    while coming or present:
        running = [job for job in present if job.running]
        next_end = min((job.end for job in running), default=math.inf)
        if running and (not coming or next_end <= coming[0].arrival):
            # Every completion of this instant, before any arrival of it.
            now = next_end
            present = [job for job in present if not (job.running and job.end == now)]
        elif coming:
            arriving = coming.pop(0)
            now = arriving.arrival
            c = arriving.job_class
            # Under mbs no waiting job will ever enter A_i, so none there is ahead of this one.
            overtakes = name == "bs" and any(
                job.job_class == c and not job.running for job in present
            )
            enters = split and arriving.need <= idle(c) and not overtakes
            arriving.routed = split and not enters
            present.append(arriving)
            if enters:
                start(arriving, c, now)
        else:
            raise ValueError(f"{len(present)} jobs can never be served")

        for job in present:
            if job.running:
                job.remaining = min(job.remaining, job.end - now)  # end is rounded
                job.work_left = min(job.work_left, job.remaining)
            if rank:
                job.rank = rank[job.job_class](job.attained)
        if name == "bs":
            for c in range(len(own_servers)):
                waiting = [job for job in present if job.job_class == c and not job.running]
                for job in block(refill_order(refill, waiting, mean_residual), idle(c)):
                    start(job, c, now)
        at_helpers = [job for job in present if job.pool in (None, HELPERS)]
        chosen = serve(at_helpers, size_of[HELPERS], now)
        for job in at_helpers:
            if job.running and job not in chosen:
                job.pool = None
                job.preemptions += 1
                cost = price(job.attained)
                job.remaining += cost
                job.cost += cost
        for job in chosen:
            if not job.running:
                start(job, HELPERS, now)
        taken = Counter[int | None]()
        for job in present:
            taken[job.pool] += job.need
        assert all(taken[pool] <= size for pool, size in size_of.items())

    outcomes = []
    for job in stream:
        assert job.start is not None
        lost = job.cost * job.need
        outcomes.append(Outcome(job.start, job.end, job.helpers, job.routed, job.preemptions, lost))
    return outcomes


# -- laws of a replay: the class's own service times ----------------------------------------------


def services_of(jobs: Sequence[JobRow], job_class: Sequence[int] | None) -> list[list[float]]:
    """The service times of each class."""
    classes = classes_of(jobs, job_class)
    services: list[list[float]] = [[] for _ in range(max(classes) + 1)]
    for (_, _, service), c in zip(jobs, classes, strict=True):
        services[c].append(service)
    return services


def exactly(time: float) -> int | Fraction:
    """Whole numbers are faster."""
    exact = Fraction(time)
    return exact.numerator if exact.denominator == 1 else exact


def empirical_rank(services: Sequence[float]) -> Age:
    """Gittins rank: inf over b > a of E[min(S, b) - a | S > a] / P(S <= b | S > a) (section 2).

    S is one of `services`, each as likely; the infimum is at one of them. Nothing beyond a: 0.
    In whole seconds it is exact, and so is its product with a need: ranks that are equal tie.
    """
    times = [exactly(s) for s in services]

    @cache
    def rank(attained: float) -> Fraction:
        a = exactly(attained)
        later = [s for s in times if s > a]
        return min(
            (
                Fraction(sum(min(s, b) - a for s in later), sum(s <= b for s in later))
                for b in set(later)
            ),
            default=Fraction(0),
        )

    return rank


def empirical_mean_residual(services: Sequence[float]) -> Age:
    """E[S - a | S > a]; nothing beyond a: 0."""

    @cache
    def mean_residual(a: float) -> float:
        later = [s for s in services if s > a]
        return sum(s - a for s in later) / len(later) if later else 0.0

    return mean_residual
