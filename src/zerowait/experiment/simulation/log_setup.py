"""The jobs of a log made ready to arrive on its servers, and what a run of them comes to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.run import Outcome, Records, RunSettings
from zerowait.engine.stream import JobStream, Kinds, Stream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import ReplayOptions
from zerowait.experiment.results.result import Result, Setting, assembled
from zerowait.experiment.results.single_jobs import (
    JobGroup,
    RecordedWaits,
    UserMeasures,
    groups_of,
    job_rows,
    longest_wait,
    recorded_waits_of,
    user_measures,
)
from zerowait.experiment.simulation.setup import Execution, Replication, Setup
from zerowait.experiment.statistics.paired import Paired
from zerowait.experiment.statistics.samples import (
    FEWEST_WEEKS,
    OF_JOBS,
    Samples,
    Stretch,
    job_measures,
    present_weeks,
    samples_of_weeks,
)
from zerowait.model import InputError, Jobs
from zerowait.model.jobs import apply_overruns
from zerowait.model.quantities import WEEK_S, Floats, refuse, whole
from zerowait.model.workload import LARGEST_NEED
from zerowait.policies import Policy
from zerowait.traces.classes import group
from zerowait.traces.log import Log

if TYPE_CHECKING:
    import polars

# What the rule of overruns does with them.
SETTLED = {"extend": "estimates raised", "kill": "cut there", "as-recorded": "left as they are"}
# Options that change what is told of a replay, not the replay.
COMPARED = ("wait", "response", "slowdown", "bounded_slowdown", "p_wait")
OF_THE_TELLING = ("users", "resamples", "seed")


def servers_of(log: Log, given: int | None) -> int:
    """Return the servers that are given, or those that the log itself names."""
    if given is not None:
        return whole("servers", given, most=LARGEST_NEED)
    if log.servers is None:
        raise InputError(f"{log.path}: does not say how many servers there were; give servers")
    return log.servers


def fitting(log: Log, servers: int, exclude: bool) -> Jobs:
    """Return the jobs that there is room for; refuse others unless they may be left out."""
    fits = np.asarray(log.jobs.need) <= servers
    if fits.all():
        return log.jobs
    if not exclude:
        remedy = "give more servers; exclude_too_large (--exclude-too-large) leaves them out"
        raise InputError(f"{log.path}: {_too_large(log, servers)}; {remedy}")
    return log.jobs.select(fits)


def _too_large(log: Log, servers: int) -> str:
    need = np.asarray(log.jobs.need)
    n = int((need > servers).sum())
    return f"{n} jobs need more than the {servers} servers (up to {need.max()})"


def _has_estimates(log: Log) -> bool:
    """Say whether users announced service times; jobs that come from no file speak for
    themselves."""
    known = log.jobs.has_estimate
    return log.format == "jobs" or (known is not None and bool(known.any()))


@dataclass(frozen=True)
class LogSetup(Setup):
    """A log on its servers."""

    log: Log
    servers: int
    options: ReplayOptions
    jobs: Jobs  # those that fit, at the load that is asked for
    names: Sequence[str]
    counted: slice  # the jobs that count
    own_load: float | None  # before any stretching; None where all jobs arrive at once
    overruns: int  # jobs that ran longer than announced
    week: float  # one of the log, however its gaps are stretched
    measure: str = "wait"
    level: float = 0.95
    replications = 1
    in_seconds = True
    keeps_jobs = True

    @property
    def recorded_waits(self) -> Floats | None:
        """Return waits as recorded; None where the log has none, or its gaps are stretched."""
        start = self.jobs.start
        if start is None or self.week != WEEK_S or not np.isfinite(start).any():
            return None
        return np.asarray(np.maximum(start - np.asarray(self.jobs.arrival), 0.0))

    @property
    def excluded(self) -> int:
        return len(self.log.jobs) - len(self.jobs)

    @property
    def n_jobs(self) -> int:
        return len(self.jobs)

    @property
    def offered_load(self) -> float | None:
        return self.own_load if self.options.load is None else self.options.load

    @cached_property
    def kinds(self) -> Kinds:
        return JobStream(self.jobs).kinds

    @property
    def mean_services(self) -> tuple[float, ...]:
        service = np.asarray(self.jobs.service)[self.counted]
        own = [float(service[row].mean()) if row.any() else np.nan for row in self._class_rows()]
        return (*own, float(service.mean()))

    @cached_property
    def _weeks(self) -> tuple[NDArray[np.int64], int]:
        """Return the week of each counted job, and how many weeks have a job."""
        arrival = np.asarray(self.jobs.arrival, dtype=np.float64)[self.counted]
        return present_weeks(arrival, self.week)

    @property
    def has_weeks(self) -> bool:
        """Are there enough of them for intervals, and are these asked for?"""
        return self.options.resamples > 0 and self._weeks[1] >= FEWEST_WEEKS

    def _class_rows(self) -> Iterator[NDArray[np.bool_]]:
        """Yield for each class which of the counted jobs are its own."""
        index = np.asarray(self.jobs.class_index)[self.counted]
        return (index == number for number in range(len(self.names)))

    def engine_options(self, how: Execution) -> RunSettings:
        first, end, _ = self.counted.indices(len(self.jobs))
        return RunSettings(
            warmup=first, cooldown=len(self.jobs) - end, bound=self.options.bound,
            records=how.jobs or self.options.users or self.has_weeks, through_drain=True,
            price=price_of(str(self.options.preemption_cost)), jit=how.jit,
            chunk_size=how.chunk_size,
        )  # fmt: skip

    def stream(self, number: int, how: Execution) -> Stream:
        return JobStream(self.jobs)

    def replication(self, outcome: Outcome, stream: Stream) -> Replication:
        batches = outcome.batches
        first, *_ = self.counted.indices(len(self.jobs))
        return Replication(
            Stretch(batches, 0, len(batches)), outcome.tally, {}, outcome.segments, first, False,
            outcome.records, stream,
        )  # fmt: skip

    def result(self, policy: Policy, runs: Sequence[Replication]) -> Result:
        (one,) = runs
        rows = None if one.records is None else self._rows(one.records)
        samples = None
        if rows is not None and self.has_weeks:
            samples = self._samples(rows, self._class_rows())
        return assembled(
            self._setting(policy, one.stream.kinds),
            [one.tally],
            bounded=self.options.bound > 0,
            notes=self._notes(policy, samples is not None),
            level=self.level,
            samples=samples,
            own_load=self.own_load,
            excluded=self.excluded,
            users=() if rows is None else self._users(rows),
            longest=None if rows is None else longest_wait(rows, self.counted),
            jobs=rows,
        )

    def _rows(self, records: Records) -> "polars.DataFrame":
        jobs = self.jobs
        labels = jobs.class_index if jobs.job_class is None else np.asarray(jobs.job_class)
        known = {"job": jobs.id, "user": jobs.user}
        columns: dict[str, Any] = {k: values for k, values in known.items() if values is not None}
        columns |= {
            "arrival": jobs.arrival, "need": jobs.need, "service": jobs.service,
            "estimate": jobs.estimate, "job_class": labels,
        }  # fmt: skip
        return job_rows(columns, records)

    def _samples(self, rows: "polars.DataFrame", parts: Iterable[NDArray[np.bool_]]) -> Samples:
        """Weeks of the counted jobs, in rows for some of them and for all."""
        values = job_measures(rows[self.counted], self.options.bound)
        found = samples_of_weeks(values, self._weeks[0], parts)
        return found if self.has_weeks else replace(found, fewest=len(rows) + 1)

    def _users(self, rows: "polars.DataFrame") -> tuple[UserMeasures, ...]:
        user = self.jobs.user
        if not self.options.users or user is None:
            return ()
        return user_measures(rows[self.counted], user[self.counted], self.options.bound)

    def _setting(self, policy: Policy, kinds: Kinds) -> Setting:
        options, chosen = self.options, self.options.chosen()
        log = "jobs" if self.log.format == "jobs" else repr(self.log.path)
        spelled = "".join(f", {name}={value!r}" for name, value in chosen.items())
        parameters = {
            "jobs": len(self.jobs),
            "warmup": options.warmup,
            "cooldown": options.cooldown,
            "bound": options.bound,
            "load": self.offered_load,
            "estimates": options.estimates,
        }
        parameters |= {key: value for key, value in chosen.items() if key not in OF_THE_TELLING}
        return Setting(
            policy, self.servers, kinds, self.names, parameters,
            command=f"zw.replay({log}, {self.servers}, {policy.spec!r}{spelled})",
        )  # fmt: skip

    def _notes(self, policy: Policy, has_intervals: bool) -> tuple[str, ...]:
        """Return what was done to the log, and what it lacks."""
        options, notes = self.options, []
        if self.excluded:
            notes.append(f"left out: {_too_large(self.log, self.servers)}")
        if self.overruns:
            done = SETTLED[options.overruns]
            notes.append(f"{self.overruns} jobs ran longer than announced: {done}")
        if options.load is not None and options.load >= 1:
            notes.append(
                f"load {options.load:.4g}: more work comes than the servers can do, whatever the "
                "policy; waits grow as long as jobs come, so that their means say how long the "
                "log is"
            )
        aware = policy.size_aware or (policy.auxiliary is not None and policy.auxiliary.size_aware)
        if options.estimates == "user" and aware and not _has_estimates(self.log):
            notes.append("the log has no estimates of users; service times stand in")
        if options.resamples and not has_intervals and self.log.clock.known:
            notes.append(f"the log covers fewer than {FEWEST_WEEKS} weeks; no intervals")
        return tuple(notes)

    def paired(self, runs: Sequence[Sequence[Replication]], results: Sequence[Result]) -> Paired:
        """The weeks are the same for all policies."""
        groups = tuple(
            one.samples or self._samples(one.jobs, self._class_rows())
            for one in results
            if one.jobs is not None
        )
        return Paired(groups, (None,) * len(groups), None, whole=True)

    def grouped(self, results: Sequence[Result]) -> tuple[tuple[JobGroup, ...], Paired | None]:
        groups = groups_of(self.jobs.select(self.counted))
        masks = [one.mask for one in groups]
        samples = tuple(self._samples(one.jobs, masks) for one in results if one.jobs is not None)
        return groups, Paired(samples, (None,) * len(samples), None, whole=True)

    def recorded(self, results: Sequence[Result]) -> RecordedWaits | None:
        recorded, rows = self.recorded_waits, self.counted
        if recorded is None:
            return None
        waits = [
            (one.jobs["end"] - one.jobs["arrival"] - one.jobs["service"]).to_numpy()[rows]
            for one in results
            if one.jobs is not None
        ]
        return recorded_waits_of(
            self.jobs.select(rows), recorded[rows], waits,
            self.options.bound,
        )  # fmt: skip


def set_up_log(
    log: Log,
    servers: int | None,
    options: ReplayOptions,
    measure: str = "wait",
    level: float = 0.95,
) -> LogSetup:
    """Leave out what cannot run; then set estimates, classes and gaps as they are asked for."""
    if options.users and log.jobs.user is None:
        raise InputError(f"{log.path}: does not say whose jobs they are; leave out users")
    if measure not in OF_JOBS:
        known = ", ".join(one for one in COMPARED)
        raise refuse("measure", measure, f"must be one of {known} where a log is run")
    if measure == "bounded_slowdown" and not options.bound:
        raise refuse("bound", options.bound, "leaves no bounded slowdown to compare by")
    n_servers = servers_of(log, servers)
    jobs = fitting(log, n_servers, options.exclude_too_large)
    if options.estimates == "exact":
        jobs = replace(jobs, estimate=jobs.service)
    jobs, n_over = apply_overruns(jobs, options.overruns)
    jobs, names = _with_classes(jobs, options.classes)
    own, factor = jobs.offered_load(n_servers), 1.0
    if options.load is not None:
        factor = _stretch(own, options.load)
        arrival = np.asarray(jobs.arrival)
        jobs = replace(jobs, arrival=arrival[0] + (arrival - arrival[0]) * factor)
    return LogSetup(
        log, n_servers, options, jobs, names,
        slice(*_counted(len(jobs), options.warmup, options.cooldown)), own, n_over,
        WEEK_S * factor, measure, level,
    )  # fmt: skip


def counted_jobs(n_jobs: int, warmup: float, cooldown: float) -> tuple[int, int]:
    """The first job that is counted, and the first after it that is not."""
    return int(warmup * n_jobs), n_jobs - int(cooldown * n_jobs)


def _counted(n_jobs: int, warmup: float, cooldown: float) -> tuple[int, int]:
    first, end = counted_jobs(n_jobs, warmup, cooldown)
    if first >= end:
        raise refuse("warmup + cooldown", warmup + cooldown, "leaves no job to count")
    return first, end


def _with_classes(jobs: Jobs, spelling: str | None) -> tuple[Jobs, list[str]]:
    """The jobs' own classes, or those that a grouping of their needs makes."""
    if spelling is not None:
        made = group(jobs, spelling)
        return replace(jobs, job_class=made.highest[made.index]), made.names
    own = "need {}" if jobs.job_class is None else "{}"
    return jobs, [own.format(label) for label in jobs.class_labels]


def _stretch(own: float | None, load: float) -> float:
    """Return the factor for the gaps between arrivals that leads to a load."""
    if own is None:
        raise refuse("load", load, "all jobs arrive at one instant, whatever their gaps")
    if own == 0:
        raise refuse("load", load, "the jobs bring no work, whatever their gaps")
    return own / load
