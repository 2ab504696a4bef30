"""A log in numbers: what `zerowait trace info` tells."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zerowait.model.plain import plain
from zerowait.model.quantities import whole
from zerowait.traces.classes import group
from zerowait.traces.cleaning import Cleaning
from zerowait.traces.description.estimates import EstimateAccuracy, estimate_accuracy
from zerowait.traces.description.overruns import Overruns, overruns_of
from zerowait.traces.description.recorded import RecordedSchedule, recorded_schedule
from zerowait.traces.description.rhythm import Rhythm, rhythm
from zerowait.traces.description.users import Users, users_of
from zerowait.traces.description.variability import ClassVariability, NeedMix, need_mix, variability
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace, log_of


@dataclass(frozen=True, repr=False)
class TraceInfo:
    """Times in seconds; shares are of one."""

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
    rhythm: Rhythm
    users: Users | None
    recorded: RecordedSchedule | None
    overruns: Overruns | None
    warnings: tuple[str, ...]  # what makes the log say other things than it seems to

    def __repr__(self) -> str:
        load = "" if self.offered_load is None else f", load {self.offered_load:.3g}"
        return f"TraceInfo({self.path!r}, {self.jobs} jobs, {self.servers} servers{load})"

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON: what is not a number becomes None."""
        everything: dict[str, Any] = plain(asdict(self) | {"cleaning": self.cleaning.as_dict()})
        return everything


def trace_info(log: Trace, *, servers: int | None = None, classes: str = "auto") -> TraceInfo:
    """Everything about a log, its file, or `zerowait.Jobs`; `classes` as in `fit_workload`."""
    log = log_of(log, "trace_info")
    recorded = recorded_schedule(log)
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
        estimates=estimate_accuracy(log),
        rhythm=rhythm(log),
        users=users_of(log),
        recorded=recorded,
        overruns=(overruns := overruns_of(log)),
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
