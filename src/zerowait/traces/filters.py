"""Some of a log's jobs: by partition, queue, user, time of arrival, and need."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.model.quantities import refuse, whole
from zerowait.traces.clock import DAY_S
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace, log_of

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": DAY_S, "w": 7 * DAY_S}
SPAN = re.compile(r"\s*(\d{1,12}(?:\.\d{1,9})?)\s*(s|min|h|d|w)\s*", re.ASCII)
DATE = re.compile(r"\s*\d{4}-\d\d-\d\d\s*", re.ASCII)
N_SHOWN = 10

Names = str | Sequence[str] | None


def filter_log(
    log: Trace,
    *,
    partition: Names = None,
    queue: Names = None,
    user: Names = None,
    begin: str | float | None = None,
    end: str | float | None = None,
    max_need: int | None = None,
) -> Log:
    """The log (or that of a file, or `zerowait.Jobs`) with those of its jobs that meet all
    conditions; its clock stays.

    Names are a text, a list, or a text with commas, spelled as in the log. Jobs that arrive from
    `begin` on and before `end`: dates (`2024-05-31`, as an end the whole day; `2024-05-31T12:00`),
    or times since the log's first arrival (`10d`, `36h`, or a number of seconds). `max_need` sets
    jobs aside that need more: a few that need the whole machine keep it from being split.
    """
    log = log_of(log, "filter_log")
    keep = np.ones(len(log.jobs), bool)
    for field, names in (("partition", partition), ("queue", queue), ("user", user)):
        if names is not None:
            keep &= _named(log, field, names)
    arrival = np.asarray(log.jobs.arrival)
    if begin is not None:
        keep &= arrival >= _time(log, "from", begin)
    if end is not None:
        keep &= arrival < _time(log, "to", end)
    if max_need is not None:
        keep &= np.asarray(log.jobs.need) <= whole("max_need", max_need)
    if not keep.any():
        raise InputError(f"{log.path}: no job is left of {len(keep)}; {_span(log)}")
    return log if keep.all() else log.select(keep)


def _named(log: Log, field: str, names: str | Sequence[str]) -> NDArray[np.bool_]:
    labels: NDArray[Any] | None = getattr(log, field)
    if labels is None:
        raise InputError(f"{log.path}: does not say the {field} of its jobs; leave out {field}")
    texts = labels.astype(str)
    wanted = [names] if isinstance(names, str) else list(names)
    # A name with a comma in it is a name, where the log has it.
    parts = [
        part.strip()
        for name in wanted
        for part in ([name] if name in texts else name.split(","))
        if part.strip()
    ]
    keep = np.isin(texts, parts)
    for part in parts:
        if part not in texts:
            known, counts = np.unique(texts, return_counts=True)
            common = known[np.argsort(-counts, kind="stable")][:N_SHOWN].tolist()
            more = f" and {len(known) - N_SHOWN} more" if len(known) > N_SHOWN else ""
            raise refuse(field, part, f"the log has {', '.join(map(repr, common))}{more}")
    return keep


def _time(log: Log, field: str, value: str | float) -> float:
    """On the scale of the log's arrivals."""
    first = float(log.jobs.arrival[0])
    if not isinstance(value, str):
        return first + float(value)
    match = SPAN.fullmatch(value)
    if match:
        return first + float(match[1]) * UNITS[match[2]]
    if not log.clock.known:
        raise refuse(
            field, value, "the dates of this log are not known; give days from its start, as in 10d"
        )
    try:
        moment = log.clock.arrival_of(value.strip())
    except ValueError as error:
        raise refuse(field, value, f"{error}, nor days such as 10d; {_span(log)}") from None
    return moment + DAY_S if field == "to" and DATE.fullmatch(value) else moment


def _span(log: Log) -> str:
    """What can be asked for."""
    first, last = float(log.jobs.arrival[0]), float(log.jobs.arrival[-1])
    if log.clock.known:
        return f"the log has arrivals from {log.clock.date(first)} to {log.clock.date(last)}"
    return f"the log has arrivals from 0d to {(last - first) / DAY_S:.6g}d"
