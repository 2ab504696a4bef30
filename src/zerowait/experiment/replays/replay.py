"""Replay a log, or a list of jobs, under a policy."""

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.run import Outcome, RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import BOUND_S, Progress, ReplayOptions
from zerowait.experiment.replays.ready import Ready, Source, make_ready, notes_on
from zerowait.experiment.results.job_table import job_rows
from zerowait.experiment.results.result import Result, Setting, assembled
from zerowait.experiment.statistics.bootstrap import (
    FEWEST_BLOCKS,
    Intervals,
    block_intervals,
    job_measures,
    week_numbers,
)
from zerowait.model.display import json_ready
from zerowait.model.quantities import Floats
from zerowait.policies import Policy, parse_policy
from zerowait.traces.reading import Trace

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class UserMeasures:
    """Means over the counted jobs of one user."""

    user: str
    jobs: int
    work: float  # share of the work
    response: float
    wait: float
    slowdown: float
    bounded_slowdown: float | None  # where it is measured
    p_wait: float


def user_measures(
    jobs: "polars.DataFrame", user: NDArray[Any], bound: float
) -> tuple[UserMeasures, ...]:
    """One row per user, the biggest by work first; `user` has one entry per row of `jobs`."""
    names, which, counts = np.unique(user, return_inverse=True, return_counts=True)
    work = np.bincount(which, (jobs["need"] * jobs["service"]).to_numpy())
    total = float(work.sum()) or 1.0
    means = {
        name: np.bincount(which, values) / counts
        for name, values in job_measures(jobs, bound).items()
    }
    unknown: dict[str, Any] = {"bounded_slowdown": None}
    return tuple(
        UserMeasures(
            user=str(names[i]),
            jobs=int(counts[i]),
            work=float(work[i] / total),
            **unknown | {name: float(values[i]) for name, values in means.items()},
        )
        for i in np.argsort(-work, kind="stable")
    )


@dataclass(frozen=True)
class LongestWait:
    """A wait, and whose it was; times in the log's own."""

    wait: float
    job: str  # as the log calls it, or its place in order of arrival
    need: int
    arrival: float
    user: str | None  # where the log says

    def __str__(self) -> str:
        whose = "" if self.user is None else f", user {self.user}"
        return f"job {self.job} (need {self.need}{whose})"


def longest_wait(rows: "polars.DataFrame", counted: tuple[int, int]) -> LongestWait:
    """Among the counted rows of a replay; the first of those that waited equally long."""
    first, end = counted
    waits = (rows["end"] - rows["arrival"] - rows["service"]).to_numpy()[first:end]
    at = first + int(np.argmax(waits))
    row = rows.row(at, named=True)
    user = row.get("user")
    return LongestWait(
        max(float(waits[at - first]), 0.0),
        str(row.get("job", at + 1)),
        int(row["need"]),
        float(row["arrival"]),
        None if user is None else str(user),
    )


WELL, FAIRLY = 0.3, 0.6  # errors; a correlation falls as short of 1 by as much

Grade = Literal["well", "fairly", "poorly", "not known"]


@dataclass(frozen=True)
class Match:
    """How far the waits of a replay are from the recorded ones, week by week; NaN: not known."""

    error: float  # sum over weeks of |replayed - recorded| waiting time, by the recorded
    correlation: float  # of the ranks of weekly mean waits; NaN below three weeks, or if all alike

    @property
    def grade(self) -> Grade:
        """By the worse of both: waits as long as the recorded ones, but in other weeks, are long
        for another reason."""
        if math.isnan(self.error):
            return "not known"
        short = 0.0 if math.isnan(self.correlation) else 1 - self.correlation
        worse = max(self.error, short)
        return "well" if worse <= WELL else "fairly" if worse <= FAIRLY else "poorly"


def match(arrival: Floats, wait: Floats, recorded: Floats) -> Match:
    """Single jobs depend on what nobody recorded (nodes that were down, holds, dependencies);
    weeks tell whether queues were as long, and at the same times."""
    known = np.isfinite(recorded)
    if not known.any() or not recorded[known].any():
        return Match(math.nan, math.nan)
    week = week_numbers(arrival)[known]
    replayed, was = (np.bincount(week, one[known]) for one in (wait, recorded))
    error = float(np.abs(replayed - was).sum() / was.sum())
    counts = np.bincount(week)
    some = counts > 0
    means = np.asarray([one[some] / counts[some] for one in (replayed, was)])
    varies = some.sum() > 2 and (np.ptp(means, axis=1) > 0).all()
    return Match(error, _rank_correlation(*means) if varies else math.nan)


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's: the waits of one bad week must not decide it."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values share the middle of their places."""
    ordered = np.sort(values)
    places = [np.searchsorted(ordered, values, side=side) for side in ("left", "right")]
    return np.asarray(np.add(*places) / 2)


# Options that change what is told of a replay, not the replay.
OF_THE_TELLING = ("users", "resamples", "seed")


@dataclass(frozen=True, repr=False)
class Replay(Result):
    """The result of a log, what it says beyond single numbers, and what was done to the log."""

    own_load: float | None = None  # of the jobs on these servers, before any stretching
    excluded: int = 0  # jobs that need more than there is
    intervals: Intervals | None = None  # over its weeks
    users: tuple[UserMeasures, ...] = ()
    longest: LongestWait | None = None  # where single jobs were recorded

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {
            "own_load": self.own_load,
            "excluded": self.excluded,
            "intervals": self.intervals and self.intervals.as_dict(),
            "users": json_ready([asdict(one) for one in self.users]) or None,
            "longest": self.longest and json_ready(asdict(self.longest)),
        }


def replay(
    trace: Trace,
    servers: int | None = None,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    exclude_too_large: bool = False,
    estimates: str = "user",
    overruns: str = "extend",
    preemption_cost: str | float = "0",
    classes: str | None = None,
    warmup: float = 0.0,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    users: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    jobs: bool = False,
    jit: bool = True,
    progress: Progress | None = None,
) -> Replay:
    """Run the jobs of a log, of its file, or of `zerowait.Jobs`, on `servers` servers.

    On the log's own servers and at its own load, unless others are given: its gaps between arrivals
    are then stretched to `load`. Every job is counted unless a `warmup` share of the first or a
    `cooldown` share of the last is left out; time averages run from the first arrival (or, with a
    warm-up, the last that is left out) to the last completion (or, with a cool-down, the last
    counted arrival).

    Classes are the jobs' own, or their distinct needs, or made by `classes` as in `fit_workload`;
    the slots of a split come from the jobs' own demand unless they are given. `estimates` are the
    users' or exact; jobs that outran them are told of, and settled by the rule of `overruns`
    (`extend`, `kill`, `as-recorded`). Intervals come from resampled weeks, where there are four or
    more.
    """
    options = ReplayOptions.among(locals())
    ready = make_ready(Source.of(trace), servers, options)
    return replay_ready(ready, parse_policy(policy), options, jobs, jit, progress)


def replay_ready(
    ready: Ready,
    chosen: Policy,
    options: ReplayOptions,
    jobs: bool = False,
    jit: bool = True,
    progress: Progress | None = None,
) -> Replay:
    """The same of a log whose jobs are ready to arrive."""
    users = options.users
    stream = JobStream(ready.jobs)
    weeks = options.resamples > 0 and ready.has_weeks
    first, end = ready.counted
    engine_options = RunSettings(
        warmup=first, cooldown=len(ready.jobs) - end, records=jobs or users or weeks,
        bound=options.bound, through_drain=True, jit=jit,
        price=price_of(str(options.preemption_cost)),
    )  # fmt: skip
    outcome = run(stream, chosen, ready.servers, engine_options, progress)
    rows = _rows(ready, outcome)
    intervals = _intervals(ready, rows, options) if weeks and rows is not None else None
    notes = notes_on(ready, chosen, options)
    if options.resamples and intervals is None and ready.source.has_dates:
        notes += (f"the log covers fewer than {FEWEST_BLOCKS} weeks; no intervals",)
    return assembled(
        Replay,
        _setting(ready, chosen, stream, options),
        [outcome.tally],
        bounded=options.bound > 0,
        notes=notes,
        own_load=ready.own_load,
        excluded=ready.excluded,
        intervals=intervals,
        users=_users(ready, rows, options),
        longest=None if rows is None else longest_wait(rows, ready.counted),
        jobs=rows if jobs else None,
    )


def _rows(ready: Ready, outcome: Outcome) -> "polars.DataFrame | None":
    if outcome.records is None:
        return None
    jobs = ready.jobs
    labels = jobs.class_index if jobs.job_class is None else np.asarray(jobs.job_class)
    known = {"job": ready.job, "user": ready.user}
    columns: dict[str, Any] = {name: values for name, values in known.items() if values is not None}
    columns |= {
        "arrival": jobs.arrival, "need": jobs.need, "service": jobs.service,
        "estimate": jobs.estimate, "job_class": labels,
    }  # fmt: skip
    return job_rows(columns, outcome.records)


def _intervals(ready: Ready, rows: "polars.DataFrame", options: ReplayOptions) -> Intervals | None:
    return block_intervals(
        rows, bound=options.bound, counted=ready.counted, block_length=ready.week,
        resamples=options.resamples, seed=options.seed,
    )  # fmt: skip


def _users(
    ready: Ready, rows: "polars.DataFrame | None", options: ReplayOptions
) -> tuple[UserMeasures, ...]:
    if not options.users or rows is None or ready.user is None:
        return ()
    first, end = ready.counted
    return user_measures(rows[first:end], ready.user[first:end], options.bound)


def _setting(ready: Ready, policy: Policy, stream: JobStream, options: ReplayOptions) -> Setting:
    chosen = options.chosen()
    spelled = "".join(f", {name}={value!r}" for name, value in chosen.items())
    parameters = {
        "jobs": len(ready.jobs),
        "warmup": options.warmup,
        "cooldown": options.cooldown,
        "bound": options.bound,
        "load": ready.own_load if options.load is None else options.load,
        "estimates": options.estimates,
    }
    parameters |= {key: value for key, value in chosen.items() if key not in OF_THE_TELLING}
    return Setting(
        policy, ready.servers, stream.kinds, ready.names, parameters,
        command=f"zw.replay({ready.source.spelled}, {ready.servers}, {policy.spec!r}{spelled})",
    )  # fmt: skip
