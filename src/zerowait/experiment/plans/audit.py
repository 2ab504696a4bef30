"""The audit: what the log says, which policy explains it, and what limits conclusions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from zerowait.experiment.optimisation.evaluations import run_jobs
from zerowait.experiment.optimisation.samples import LogJobs, Sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.results.single_jobs import Match, match
from zerowait.experiment.statistics.samples import week_numbers
from zerowait.model.quantities import WEEK_S, Floats
from zerowait.policies import Policy, parse_policy
from zerowait.traces.description import trace_info
from zerowait.traces.log import Log

FEWEST_WEEKS = 8  # four in each half, which is what intervals need
# Ten in each half: with fewer, an interval over weeks misses more than twice as often as it says.
WEEKS_FOR_SURE = 20
DAY_S = 86_400.0  # a last week that lacks less is whole
HALF_EMPTY = 0.5  # of the usual load: such a week at an end is ramp-up or drain
RARE = 0.01  # share of jobs
MANY = 0.05
CROWDED = 1.0  # an offered load beyond which queues grow


@dataclass(frozen=True)
class Audit:
    """Times in seconds, shares of one."""

    path: str
    jobs: int
    servers: int
    servers_from: str
    span: float  # from the first to the last arrival
    weeks: int  # whole ones
    load: float
    weekly_loads: tuple[float, ...]
    users: int | None
    set_aside: tuple[str, ...]  # rows that are no jobs, or changed, and why
    too_large: int  # jobs that need more than all servers
    overruns: int
    overrun_work: float  # share of the work
    estimated: float  # share of jobs with an estimate of its own
    accuracy: float | None  # service / estimate, mean
    waits_known: float  # share of jobs with a recorded start
    zero_waits: float | None  # of those
    ramp_up: int  # weeks at the beginning with less than half of the usual load
    drain: int  # the same at the end
    partitions: tuple[tuple[str, float], ...]  # column=value, share of jobs
    large_jobs: int  # that need more than half of the servers
    large_work: float  # share of the work
    largest: int  # need
    limits: tuple[str, ...]  # in plain words


def audit_log(log: Log, known: LogJobs, servers: int) -> Audit:
    """Look at the log before anything is concluded from it."""
    info = trace_info(log, servers=servers)
    jobs = known.drawn
    need = jobs.need
    work = need * jobs.service
    total = float(work.sum()) or 1.0
    loads = weekly_loads(jobs.arrival, work, servers)
    before = np.asarray(log.jobs.estimate)[known.kept]
    late = np.asarray(log.jobs.service)[known.kept] > before
    waits = recorded_waits(log, known)
    has = np.isfinite(waits)
    large = need > servers / 2
    usual = float(np.median(loads))
    found = Audit(
        path=log.path,
        jobs=known.sample.n_jobs,
        servers=servers,
        servers_from="as the log says" if log.servers == servers else "as given",
        span=info.span,
        weeks=int((info.span + DAY_S) // WEEK_S),
        load=info.offered_load or 0.0,
        weekly_loads=tuple(loads.tolist()),
        users=None if info.users is None else info.users.count,
        set_aside=tuple(str(one) for one in log.cleaning.findings if one.action != "noted"),
        too_large=int((~known.kept).sum()),
        overruns=known.overran,
        overrun_work=float(work[late].sum()) / total,
        estimated=0.0 if info.estimates is None else info.estimates.share,
        accuracy=None if info.estimates is None else info.estimates.mean_accuracy,
        waits_known=float(has.mean()),
        zero_waits=float((waits[has] == 0).mean()) if has.any() else None,
        ramp_up=_quiet_weeks(loads, usual),
        drain=_quiet_weeks(loads[::-1], usual),
        partitions=partitions_of(log),
        large_jobs=int(large.sum()),
        large_work=float(work[large].sum()) / total,
        largest=int(need.max()),
        limits=(),
    )
    return replace(found, limits=tuple(_limits(found)))


def recorded_waits(log: Log, known: LogJobs) -> Floats:
    """Return the recorded wait of each job that is replayed; NaN where the log has none."""
    if log.start is None:
        return np.full(known.sample.n_jobs, np.nan)
    waits: Floats = np.maximum(log.start[known.kept] - known.drawn.arrival, 0.0)
    return waits


def weekly_loads(arrival: Floats, work: Floats, servers: int) -> Floats:
    """Work that arrives in each week, per server and time."""
    week = week_numbers(arrival)
    # The last week is as long as the log has it.
    lengths = np.full(int(week[-1]) + 1, WEEK_S)
    lengths[-1] = max(arrival[-1] - arrival[0] - week[-1] * WEEK_S, 1.0)
    return np.asarray(np.bincount(week, work) / (servers * lengths))


def _quiet_weeks(loads: Floats, usual: float) -> int:
    busy = np.flatnonzero(loads >= HALF_EMPTY * usual)
    return int(busy[0]) if busy.size else 0


def partitions_of(log: Log) -> tuple[tuple[str, float], ...]:
    """Queues or partitions that the log knows, if there are several, the largest first."""
    for column in ("partition", "Partition", "queue"):
        if column in log.columns.columns:
            counts = log.columns[column].drop_nulls().value_counts(sort=True)
            if counts.height > 1:
                return tuple(
                    (f"{column} {value}", count / log.columns.height)
                    for value, count in counts.head(5).iter_rows()
                )
    return ()


def _limits(audit: Audit) -> Iterator[str]:
    """Yield what keeps the log from saying more."""
    if audit.weeks < FEWEST_WEEKS:
        yield (
            f"the log covers {_count(audit.weeks, 'whole week')}: it takes {FEWEST_WEEKS} to "
            "choose on one half and check on the other, with intervals"
        )
    if audit.load > CROWDED:
        yield (
            f"the offered load is {audit.load:.2f}: more work came than the servers can do, so "
            "that waits depend on how long the log is"
        )
    if audit.waits_known == 0:
        yield "the log does not say when jobs started: today's policy cannot be checked against it"
    elif audit.waits_known < 1 - MANY:
        yield f"{1 - audit.waits_known:.0%} of the jobs have no recorded start"
    if audit.estimated == 0:
        yield "there are no estimates of users: service times stand in, which flatters every policy"
    if audit.overrun_work > MANY:
        yield (
            f"{audit.overruns:,} jobs ran longer than estimated and did {audit.overrun_work:.0%} "
            "of the work; what is assumed of them matters"
        )
    if audit.too_large:
        yield f"{audit.too_large:,} jobs need more than {audit.servers} servers and are left out"
    if len(audit.partitions) > 1 and audit.partitions[0][1] < 1 - MANY:
        names = ", ".join(f"{name} ({share:.0%})" for name, share in audit.partitions)
        yield f"the log has several queues or partitions, replayed here as one pool: {names}"
    if 0 < audit.large_jobs < RARE * audit.jobs:
        yield (
            f"{audit.large_jobs:,} jobs need more than half of the servers, up to {audit.largest}: "
            "so few say little about how such jobs fare"
        )
    if audit.ramp_up or audit.drain:
        yield (
            f"{_count(audit.ramp_up, 'week')} at the beginning and {audit.drain} at the end had "
            "less than half of the usual load"
        )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


USUAL = "easy"  # what most sites run, Slurm's sites too
TRIED = (USUAL, "conservative", "first-fit", "fcfs")
CLEARLY = 0.75  # of the usual policy's error: another must be below it to be taken instead


@dataclass(frozen=True)
class Explained(Match):
    """A policy, and how far its waits are from the recorded ones."""

    policy: str
    mean_wait: float


@dataclass(frozen=True)
class Baseline:
    """The policy that is assumed today, and the others that were tried."""

    chosen: Explained
    others: tuple[Explained, ...]
    given: bool  # by the user
    recorded_wait: float | None  # mean, of jobs with a recorded start
    sentence: str

    @property
    def policy(self) -> str:
        return self.chosen.policy


def find_baseline(
    sample: Sample, recorded: Floats, servers: int, given: str | Policy | None = None
) -> Baseline:
    """The policy given, or the usual one unless another explains the recorded waits much better.

    Too many or too few servers can be made up for by a policy that makes jobs wait longer or
    shorter, but not the weeks in which they wait: another policy must explain at least those, and
    no worse than the usual one.
    """
    names = TRIED if given is None else (parse_policy(given).spec,)
    found = [explain(sample, recorded, servers, name) for name in names]
    known = np.isfinite(recorded)
    mean = float(recorded[known].mean()) if known.any() else None
    chosen = found[0]
    if given is None and mean:
        best = min(found, key=lambda one: one.error)
        if best.error < CLEARLY * chosen.error and _explains_weeks(best, chosen):
            chosen = best
    others = tuple(one for one in found if one is not chosen)
    sentence = _sentence(chosen, others, given is not None)
    return Baseline(chosen, others, given is not None, mean, sentence)


def _explains_weeks(one: Explained, usual: Explained) -> bool:
    return one.grade != "poorly" and not one.correlation < usual.correlation


def explain(sample: Sample, recorded: Floats, servers: int, policy: str) -> Explained:
    """Replay a policy, and compare its waits with those recorded."""
    wait = run_jobs(sample, Candidate(parse_policy(policy)), servers).wait
    found = match(sample.drawn().arrival, wait, recorded)
    return Explained(found.error, found.correlation, policy, float(wait.mean()))


def _sentence(chosen: Explained, others: tuple[Explained, ...], given: bool) -> str:
    who = f"{chosen.policy} is taken for today's policy" + (" as you said" if given else "")
    if chosen.grade == "not known":
        return f"{who}; the log has no waits to check it against."
    if chosen.grade == "poorly" and not given:
        return _nothing_explains(chosen, others)
    text = f"{who}; it explains the recorded waits {chosen.grade} ({_off(chosen)})"
    if chosen.grade == "poorly":
        text += ". Something else than the queue decides much of the waiting there"
    return f"{text}."


def _nothing_explains(usual: Explained, others: tuple[Explained, ...]) -> str:
    tried = ", ".join(f"{one.policy} is {_off(one)}" for one in others)
    return (
        f"{usual.policy} explains the recorded waits poorly ({_off(usual)}), and no other policy "
        f"that was tried is much closer, in the same weeks: {tried}. {usual.policy} is taken for "
        "today's policy all the same, because most sites run it; name yours with --baseline, and "
        "check that the number of servers is right."
    )


def _off(one: Explained) -> str:
    text = f"off by {one.error:.0%} week by week"
    if not np.isnan(one.correlation):
        text += f", rank correlation {one.correlation:.2f}"
    return text
