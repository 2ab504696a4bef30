"""What the order of a queue and a reservation promise, checked on who started when."""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from .backfill import Options, allowance_of, keys_of, mean_services, options_of
from .naive import Job, JobRow, classes_of
from .overruns import settle
from .strategies import Case


class Run(NamedTuple):
    """A replay of `backfill` without a split: what was asked, and what came of it."""

    stream: list[Job]  # overruns settled
    servers: int
    options: Options
    starts: Sequence[float]
    ends: Sequence[float]


def stream_of(case: Case) -> list[Job]:
    """The jobs of a case as its policy knows them."""
    jobs, estimates = settle(case.overruns, case.jobs, case.estimates)
    rows = zip(jobs, classes_of(jobs, case.job_class), estimates, strict=True)
    return [Job(i, *row, c, estimate) for i, (row, c, estimate) in enumerate(rows)]


def run_of(policy: str, case: Case, starts: Sequence[float], ends: Sequence[float]) -> Run:
    name, _, options = policy.partition(",")
    assert name == "backfill"
    return Run(stream_of(case), case.servers, options_of(options), starts, ends)


def queue_of(run: Run) -> list[Job]:
    """All jobs in the order in which a scan would meet them if all waited."""
    keys = keys_of(run.stream, run.options)
    return sorted(run.stream, key=lambda job: keys[job.position])


# -- nobody is overtaken for ever -----------------------------------------------------------------


def allowances_of(run: Run) -> list[float]:
    """Of order=arrival and order=due."""
    if run.options.order == "arrival":
        return [0.0] * len(run.stream)
    means, by_class = mean_services(run.stream), run.options.by == "class"
    times = [means[job.job_class] if by_class else job.estimate for job in run.stream]
    pairs = zip(run.stream, times, strict=True)
    return [allowance_of(job, time, run.options) for job, time in pairs]


def check_overtaking(run: Run) -> None:
    """Whoever stands before a job came at most (its allowance - the smallest) after it."""
    allowances = allowances_of(run)
    if not all(map(math.isfinite, allowances)):  # an estimate of 0 has no limit
        return
    latest = -math.inf  # arrival of all before
    for job in queue_of(run):
        most = allowances[job.position] - min(allowances)
        rounding = 4 * math.ulp(abs(job.arrival) + max(map(abs, allowances)))
        assert latest - job.arrival <= most + rounding
        latest = max(latest, job.arrival)


def check_equals_go_in_order(run: Run) -> None:
    """Of two alike in need and estimate the one that stands before does not start later.

    Unless it was not there yet.
    """
    for first, second in itertools.combinations(queue_of(run), 2):
        if (first.need, first.estimate) == (second.need, second.estimate):
            start = run.starts[second.position]
            assert run.starts[first.position] <= start or start <= first.arrival


# -- a reservation is kept ------------------------------------------------------------------------


def shadow_at(run: Run, job: Job, now: float) -> float:
    """When `job` can start at the latest, by the estimated ends of all that run after `now`."""
    running = [
        (start + other.estimate, other.need)
        for other, start, end in zip(run.stream, run.starts, run.ends, strict=True)
        if start <= now < end
    ]
    free = run.servers - sum(need for _, need in running)
    for end, need in sorted(running):
        if free >= job.need:
            break
        free, now = free + need, end
    return now


def check_promises(run: Run) -> None:
    """Once all before a job have started, and it has waited enough, its reservation is kept.

    So it is if no estimate is too short, as under `extend` and `kill`.
    """
    instants = sorted({job.arrival for job in run.stream} | set(run.ends))
    settled = -math.inf  # when the last of all before has started
    for job in queue_of(run):
        start = run.starts[job.position]
        reserved = (t for t in instants if t >= settled and t >= job.arrival)
        waited = (t for t in reserved if t - job.arrival >= run.options.reserve_after)
        since = next(waited, math.inf)
        assert start <= since or start <= shadow_at(run, job, since)
        settled = max(settled, start)


# -- every job starts -----------------------------------------------------------------------------


def check_every_job_starts(run: Run) -> None:
    """Whatever comes later: no job waits longer than those before it account for.

    No job that comes after `settled` stands before this one, and all that do have then waited
    enough. There is a decision within the longest estimate, and from then on the first of those
    still waiting has a reservation, which is at most the longest estimate away; and so the next.
    """
    allowances = allowances_of(run)
    longest = max(job.estimate for job in run.stream)
    for before, job in enumerate(queue_of(run)):
        most = allowances[job.position] - min(allowances)
        settled = job.arrival + most + run.options.reserve_after
        assert run.starts[job.position] <= settled + longest * (before + 2)


# -- a large job in a stream of small ones --------------------------------------------------------


def stream_of_small_jobs(n: int) -> list[JobRow]:
    """For two servers: `n` small jobs, one every 2 s and each 3 s long, so that one always runs.

    At 1 s comes a job that needs both servers, for 1 s; it is the second of the list.
    """
    small = [(2.0 * i, 1, 3.0) for i in range(n)]
    return [small[0], (1.0, 2, 1.0), *small[1:]]
