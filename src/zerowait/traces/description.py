"""A log in numbers: what `zerowait trace info` tells."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zerowait.model.display import json_ready
from zerowait.model.quantities import whole
from zerowait.traces.classes import group
from zerowait.traces.log import Cleaning, Log
from zerowait.traces.reading import Trace, log_of
from zerowait.traces.variability import (
    ArrivalRhythm,
    ClassVariability,
    NeedMix,
    arrival_rhythm,
    need_mix,
    variability,
)

N_BIGGEST = 10


@dataclass(frozen=True)
class UserShare:
    """What one user's jobs add up to."""

    user: str
    jobs: int
    share: float  # of the jobs
    work: float  # share of the work
    mean_service: float


@dataclass(frozen=True)
class Users:
    """How many users there are, and who does most of the work."""

    count: int
    half_of_work: int  # the fewest users who do half of the work
    biggest: tuple[UserShare, ...]  # by work


def describe_users(log: Log) -> Users | None:
    """Count the users and rank them by work; return None where the log does not name them."""
    if log.user is None:
        return None
    service = np.asarray(log.jobs.service)
    names, which, counts = np.unique(log.user, return_inverse=True, return_counts=True)
    work, time = np.zeros(len(names)), np.zeros(len(names))
    np.add.at(work, which, np.asarray(log.jobs.need) * service)
    np.add.at(time, which, service)
    total = float(work.sum())
    order = np.argsort(-work, kind="stable")
    half = int(np.searchsorted(np.cumsum(work[order]), total / 2)) + 1
    return Users(
        count=len(names),
        half_of_work=min(half, len(names)),
        biggest=tuple(
            UserShare(
                user=_name(names[i]),
                jobs=int(counts[i]),
                share=float(counts[i] / len(service)),
                work=float(work[i] / total) if total > 0 else 0.0,
                mean_service=float(time[i] / counts[i]),
            )
            for i in order[:N_BIGGEST]
        ),
    )


def _name(label: object) -> str:
    text = str(label)
    return "(not known)" if text in ("", "-1", "None") else text


EXACT = 0.01  # within 1% counts as foreseen
N_COMMONEST = 20  # Tsafrir et al. 2005: a few round values make up most estimates
N_BINS = 20


@dataclass(frozen=True)
class EstimateAccuracy:
    """How good the users' estimates are: accuracy is service / estimate, above 1 for an overrun."""

    jobs: int  # with an estimate
    share: float  # of all jobs
    mean_accuracy: float
    median_accuracy: float
    exact: float  # share within 1% of the estimate
    too_short: float  # share that ran longer than estimated
    below_tenth: float  # share that used less than a tenth of its estimate
    mean_overestimate: float  # total estimated time over total service time
    distinct: int
    commonest: float  # share of the jobs that have one of the 20 commonest estimates
    histogram: tuple[int, ...]  # jobs per twentieth of accuracy from 0 to 1, then those above


def describe_estimates(log: Log) -> EstimateAccuracy | None:
    """Compare estimates with service times; return None where the log has no estimates."""
    if log.has_estimate is None or not log.has_estimate.any():
        return None
    has = log.has_estimate
    estimate, service = np.asarray(log.jobs.estimate)[has], np.asarray(log.jobs.service)[has]
    accuracy = service / estimate
    values, counts = np.unique(estimate, return_counts=True)
    inside, _ = np.histogram(accuracy, bins=N_BINS, range=(0.0, 1.0))
    total = float(service.sum())
    return EstimateAccuracy(
        jobs=len(service),
        share=float(has.mean()),
        mean_accuracy=float(accuracy.mean()),
        median_accuracy=float(np.median(accuracy)),
        exact=float((np.abs(accuracy - 1) <= EXACT).mean()),
        too_short=float((accuracy > 1).mean()),
        below_tenth=float((accuracy < 0.1).mean()),
        mean_overestimate=float(estimate.sum() / total) if total > 0 else float("nan"),
        distinct=len(values),
        commonest=float(np.sort(counts)[::-1][:N_COMMONEST].sum() / len(service)),
        histogram=(*map(int, inside), int((accuracy > 1).sum())),
    )


N_NAMED = 3


@dataclass(frozen=True)
class Overrun:
    """A job that ran longer than estimated, by its number in the log, else by its place there."""

    job: str
    service: float
    estimate: float

    @property
    def ratio(self) -> float:
        """Return the service as a multiple of the estimate."""
        return self.service / self.estimate


@dataclass(frozen=True)
class Overruns:
    """The jobs that ran longer than estimated."""

    jobs: int
    share: float  # of the jobs with an estimate
    longest_service: float  # among them
    worst_ratio: float  # of a service to its estimate
    excess: float  # time beyond the estimates, as a share of all service time
    named: tuple[Overrun, ...]  # those that ran the longest beyond


def describe_overruns(log: Log) -> Overruns | None:
    """Sum up the jobs that ran longer than estimated; return None where there are none."""
    service, estimate = np.asarray(log.jobs.service), np.asarray(log.jobs.estimate)
    over = np.flatnonzero(service > estimate)
    if over.size == 0:
        return None
    beyond = service[over] - estimate[over]
    n_estimated = len(service) if log.has_estimate is None else int(log.has_estimate.sum())
    order = over[np.argsort(-beyond, kind="stable")]
    return Overruns(
        jobs=len(over),
        share=len(over) / n_estimated,
        longest_service=float(service[over].max()),
        worst_ratio=float((service[over] / estimate[over]).max()),
        excess=float(beyond.sum() / service.sum()),
        named=tuple(
            Overrun(
                str(log.job[at]) if log.job is not None else f"number {at + 1}",
                float(service[at]),
                float(estimate[at]),
            )
            for at in order[:N_NAMED]
        ),
    )


@dataclass(frozen=True)
class RecordedSchedule:
    """The waits of the log itself, and the most servers that were in use at once."""

    jobs: int  # with a known start
    mean_wait: float
    median_wait: float
    waited: float  # share of the jobs that did not start in the second they arrived
    peak: int  # servers in use at once

    @property
    def nobody_waited(self) -> bool:
        """Return whether no job waited: submit times of such a log may be the starts."""
        return self.waited == 0 and self.jobs > 1


def describe_schedule(log: Log) -> RecordedSchedule | None:
    """Measure the recorded waits; return None where the log does not say when jobs started."""
    if log.start is None:
        return None
    known = np.isfinite(log.start)
    if not known.any():
        return None
    start, need = log.start[known], np.asarray(log.jobs.need)[known]
    end = start + np.asarray(log.jobs.service)[known]
    wait = np.maximum(start - np.asarray(log.jobs.arrival)[known], 0.0)
    moments = np.concatenate([start, end])
    change = np.concatenate([need, -need])
    # At one instant servers are released before they are taken.
    order = np.lexsort((change, moments))
    return RecordedSchedule(
        jobs=len(start),
        mean_wait=float(wait.mean()),
        median_wait=float(np.median(wait)),
        waited=float((wait > 0).mean()),
        peak=int(np.cumsum(change[order]).max()),
    )


@dataclass(frozen=True, repr=False)
class TraceInfo:
    """A log in numbers; times are in seconds, shares are of one."""

    path: str
    format: str
    unit: str
    cleaning: Cleaning
    jobs: int
    servers: int | None
    servers_from: str  # the log, the user, or the peak of the recorded schedule
    span: float  # from the first to the last arrival
    first: str | None  # date of the first arrival, if the log tells it
    last: str | None
    work: float  # servers x seconds
    offered_load: float | None
    mean_service: float
    grouping: str
    needs: NeedMix
    classes: tuple[ClassVariability, ...]  # then one row for all
    waste: float  # of the grouping
    estimates: EstimateAccuracy | None
    rhythm: ArrivalRhythm
    users: Users | None
    recorded: RecordedSchedule | None
    overruns: Overruns | None
    warnings: tuple[str, ...]  # what makes the log say other things than it seems to

    def __repr__(self) -> str:
        load = "" if self.offered_load is None else f", load {self.offered_load:.3g}"
        return f"TraceInfo({self.path!r}, {self.jobs} jobs, {self.servers} servers{load})"

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON: what is not a number becomes None."""
        everything: dict[str, Any] = json_ready(
            asdict(self) | {"cleaning": self.cleaning.as_dict()}
        )
        return everything


def trace_info(log: Trace, *, servers: int | None = None, classes: str = "auto") -> TraceInfo:
    """Describe a log: its cleaning, load, needs, classes, estimates, rhythm, users and waits.

    `log` is a log, its file, or `zerowait.Jobs`. `servers` is the size of the machine where the log
    does not say it, and `classes` how needs are grouped, as in `fit_workload`.
    """
    log = log_of(log, "trace_info")
    recorded = describe_schedule(log)
    grouped = group(log.jobs, classes)
    known, source = _servers(log, servers, recorded)
    arrival = np.asarray(log.jobs.arrival)
    return TraceInfo(
        path=log.path,
        format=log.format,
        unit=log.unit,
        cleaning=log.cleaning,
        jobs=len(log.jobs),
        servers=known,
        servers_from=source,
        span=float(arrival[-1] - arrival[0]),
        first=log.clock.date(float(arrival[0])),
        last=log.clock.date(float(arrival[-1])),
        work=log.jobs.work,
        offered_load=None if known is None else log.jobs.offered_load(known),
        mean_service=float(np.mean(np.asarray(log.jobs.service))),
        grouping=classes,
        needs=need_mix(log.jobs),
        classes=variability(log.jobs, grouped),
        waste=grouped.waste,
        estimates=describe_estimates(log),
        rhythm=arrival_rhythm(log),
        users=describe_users(log),
        recorded=recorded,
        overruns=(overruns := describe_overruns(log)),
        warnings=tuple(_warnings(recorded, overruns)),
    )


def _warnings(recorded: RecordedSchedule | None, overruns: Overruns | None) -> Iterator[str]:
    if recorded is not None and recorded.nobody_waited:
        yield (
            "no job waited: the submit times may be the starts, so that arrivals already have the "
            "rhythm of the site's scheduler"
        )
    if overruns is not None:
        named = ", ".join(f"{one.job} ({one.ratio:.3g} times)" for one in overruns.named)
        yield (
            f"{overruns.jobs} jobs ran longer than their estimates, up to "
            f"{overruns.worst_ratio:.4g} times; the longest of them {overruns.longest_service:.6g} "
            f"s; furthest beyond: {named}"
        )


def _servers(
    log: Log, servers: int | None, recorded: RecordedSchedule | None
) -> tuple[int | None, str]:
    if servers is not None:
        return whole("servers", servers), "as given"
    if log.servers is not None:
        return log.servers, "as the log says"
    if recorded is not None and recorded.peak > 0:
        return recorded.peak, "most in use at once; the log does not say how many there were"
    return None, "not known; give servers"
