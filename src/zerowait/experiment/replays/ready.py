"""The jobs of a replay as they will arrive, and which of them count."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.options import ReplayOptions
from zerowait.experiment.statistics.bootstrap import FEWEST_BLOCKS, WEEK_S
from zerowait.model import InputError, Jobs
from zerowait.model.jobs import apply_overruns
from zerowait.model.quantities import Floats, refuse, whole
from zerowait.model.workload import LARGEST_NEED
from zerowait.model.workloads import is_published
from zerowait.policies import Policy
from zerowait.traces import Log
from zerowait.traces.classes import group
from zerowait.traces.reading import Trace, log_of

if TYPE_CHECKING:
    pass

# What the rule of overruns does with them.
SETTLED = {"extend": "estimates raised", "kill": "cut there", "as-recorded": "left as they are"}


def is_log(what: object) -> TypeGuard[Trace]:
    """Jobs, a log, or a file that is no TOML; the names of published workloads are none."""
    if isinstance(what, (Jobs, Log)):
        return True
    if not isinstance(what, (str, Path)) or str(what).endswith(".toml"):
        return False
    return Path(what).is_file() and not is_published(str(what))


@dataclass(frozen=True)
class Source:
    """Jobs, and what is known of them beyond that."""

    jobs: Jobs
    name: str  # what errors begin with
    spelled: str  # as an argument of `replay`
    servers: int | None = None
    user: NDArray[Any] | None = None  # per job
    job: NDArray[Any] | None = None  # per job: as the log numbers or names it
    start: Floats | None = None  # per job: as it was; NaN where not known
    has_estimates: bool = True
    has_dates: bool = False  # its times are seconds of a calendar

    @classmethod
    def of(cls, trace: Trace, function: str = "replay") -> "Source":
        if isinstance(trace, Jobs):
            return cls(trace, "jobs", "jobs")
        log = log_of(trace, function)
        estimates = log.has_estimate is not None and bool(log.has_estimate.any())
        return cls(
            log.jobs, log.path, repr(log.path), log.servers, log.user, log.job, log.start,
            estimates, log.clock.known,
        )  # fmt: skip

    def n_servers(self, given: int | None) -> int:
        """As given, or as the log itself says."""
        if given is not None:
            return whole("servers", given, most=LARGEST_NEED)
        if self.servers is None:
            raise InputError(f"{self.name}: does not say how many servers there were; give servers")
        return self.servers

    def fitting(self, servers: int, exclude: bool) -> NDArray[np.bool_]:
        """Per job: is there room for it? Refused where there is none, unless it may be left out."""
        fits: NDArray[np.bool_] = np.asarray(self.jobs.need) <= servers
        if not (exclude or fits.all()):
            remedy = "give more servers; exclude_too_large (--exclude-too-large) leaves them out"
            raise InputError(f"{self.name}: {self.too_large(servers)}; {remedy}")
        return fits

    def too_large(self, servers: int) -> str:
        need = np.asarray(self.jobs.need)
        n = int((need > servers).sum())
        return f"{n} jobs need more than the {servers} servers (up to {need.max()})"


@dataclass(frozen=True)
class Ready:
    """A source on its servers: everything but the policy."""

    source: Source
    servers: int
    jobs: Jobs  # those that fit, at the load that is asked for
    names: list[str]  # of the classes
    fits: NDArray[np.bool_]  # per job of the source: is it among these?
    counted: tuple[int, int]  # the first job that counts, and the first after it that does not
    own_load: float | None  # before any stretching; None where all jobs arrive at once
    overruns: int  # jobs that ran longer than announced
    week: float  # one of the log, however its gaps are stretched

    @property
    def user(self) -> NDArray[Any] | None:
        """Per job whose it is."""
        return self._of_source(self.source.user)

    @property
    def job(self) -> NDArray[Any] | None:
        """Per job what the log calls it."""
        return self._of_source(self.source.job)

    @property
    def recorded_waits(self) -> Floats | None:
        """Per job as they were; None where the log does not say, or its gaps are stretched."""
        start = self._of_source(self.source.start)
        if start is None or self.week != WEEK_S or not np.isfinite(start).any():
            return None
        waits: Floats = np.maximum(start - np.asarray(self.jobs.arrival), 0.0)
        return waits

    def _of_source(self, values: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if values is None else values[self.fits]

    @property
    def has_weeks(self) -> bool:
        """May there be enough of them for intervals?"""
        arrival = np.asarray(self.jobs.arrival)
        return bool(arrival[-1] - arrival[0] >= (FEWEST_BLOCKS - 1) * self.week)

    @property
    def excluded(self) -> int:
        return len(self.source.jobs) - len(self.jobs)


def make_ready(source: Source, servers: int | None, options: ReplayOptions) -> Ready:
    """Leave out what cannot run; then estimates, classes and gaps as they are asked for."""
    if options.users and source.user is None:
        raise InputError(f"{source.name}: does not say whose jobs they are; leave out users")
    n_servers = source.n_servers(servers)
    fits = source.fitting(n_servers, options.exclude_too_large)
    jobs = source.jobs if fits.all() else source.jobs.select(fits)
    if options.estimates == "exact":
        jobs = replace(jobs, estimate=jobs.service)
    jobs, n_over = apply_overruns(jobs, options.overruns)
    jobs, names = _with_classes(jobs, options.classes)
    own, factor = jobs.offered_load(n_servers), 1.0
    if options.load is not None:
        factor = _stretch(own, options.load)
        arrival = np.asarray(jobs.arrival)
        jobs = replace(jobs, arrival=arrival[0] + (arrival - arrival[0]) * factor)
    return Ready(
        source,
        n_servers,
        jobs,
        names,
        fits,
        _counted(len(jobs), options.warmup, options.cooldown),
        own,
        n_over,
        WEEK_S * factor,
    )


def notes_on(ready: Ready, policy: Policy, options: ReplayOptions) -> tuple[str, ...]:
    """What was done to the log, and what it lacks."""
    notes = []
    if ready.excluded:
        notes.append(f"left out: {ready.source.too_large(ready.servers)}")
    if ready.overruns:
        done = SETTLED[options.overruns]
        notes.append(f"{ready.overruns} jobs ran longer than announced: {done}")
    if options.load is not None and options.load >= 1:
        notes.append(
            f"load {options.load:.4g}: more work comes than the servers can do, whatever the "
            "policy; waits grow as long as jobs come, so that their means say how long the log is"
        )
    aware = policy.size_aware or (policy.auxiliary is not None and policy.auxiliary.size_aware)
    if options.estimates == "user" and aware and not ready.source.has_estimates:
        notes.append("the log has no estimates of users; service times stand in")
    return tuple(notes)


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
    """What the gaps between arrivals are multiplied by to get to a load."""
    if own is None:
        raise refuse("load", load, "all jobs arrive at one instant, whatever their gaps")
    if own == 0:
        raise refuse("load", load, "the jobs bring no work, whatever their gaps")
    return own / load
