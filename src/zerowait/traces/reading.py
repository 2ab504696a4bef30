"""Reading a log of any known format, found by its contents, else by its name."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.model.quantities import DAY_S, TIME_UNITS_S, refuse, whole
from zerowait.model.registers import Register
from zerowait.traces.clock import find_zone
from zerowait.traces.log import CleaningBook, Log
from zerowait.traces.unpack import LogFile, Progress, bare_name

UNITS = ("processors", "nodes", "gpus")
ARRIVALS = ("eligible", "submit")


@dataclass(frozen=True)
class Reading:
    """What is wanted from a log."""

    need: str = "processors"
    arrival: str = "eligible"  # where a log has it, else the submit time
    strict: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)  # ours: the file's
    zone: str | None = None  # of local times that do not say

    def __post_init__(self) -> None:
        if self.need not in UNITS:
            raise refuse("need", self.need, f"must be one of {', '.join(UNITS)}")
        if self.arrival not in ARRIVALS:
            raise refuse("arrival", self.arrival, f"must be one of {', '.join(ARRIVALS)}")
        find_zone(self.zone)


@dataclass(frozen=True)
class Reader:
    """A format: how to tell it from its first bytes or its name, and how to read it."""

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[LogFile, Reading, CleaningBook], Log]
    # Tables are made for zerowait, so that a bad row is a mistake; logs are found as they are.
    strict: bool = False


READERS: Register[Reader] = Register("reader")


Trace = Jobs | Log | str | Path  # what functions on logs take


def read_trace(path: str | Path) -> Jobs:
    """Read the jobs of a log: SWF, Slurm's sacct or jobcomp, CSV or Parquet, packed or not.

    `path` is its file. `read_log` has options, and keeps what else the file says.
    """
    return read_log(path).jobs


def log_of(trace: Trace, function: str) -> Log:
    """Return a log: one as it is, that of a file, or what `zerowait.Jobs` say by themselves.

    `function` is the name of what the user called: anything else is refused in its name.
    """
    if isinstance(trace, Log):
        return trace
    if isinstance(trace, Jobs):
        return Log.of_jobs(trace)
    if not isinstance(trace, (str, Path)):
        remedy = "must be a log, its file, or zerowait.Jobs(arrival, need, service)"
        raise refuse("trace", trace, f"{remedy}; {function} takes nothing else")
    return read_log(trace)


def read_log(
    path: str | Path,
    *,
    need: str = "processors",
    arrival: str = "eligible",
    strict: bool | None = None,
    columns: Mapping[str, str] | str | None = None,
    zone: str | None = None,
    format: str | None = None,
    max_unpacked: int | None = None,
    max_line: int | None = None,
    progress: Progress | None = None,
) -> Log:
    """Read a log of any known format, found by its contents, else by its name.

    `need` counts processors, nodes or gpus (of a table: its column `need`, `nodes` or `gpus`).
    `arrival` is the time from which a job could have run (eligible), or the submit time, where
    a log has both. `columns` says what the columns of a table are called (`{"need": "cores"}` or
    `"need=cores"`), `zone` where local times without a zone are local (`"Europe/Berlin"`). A
    `strict` reading ends at the first malformed row; otherwise such rows are left out and
    reported. Left open, it is strict for tables (CSV, Parquet), which are made for zerowait, and
    not for logs. `format` names the format where it is not to be found out.
    A packed file may unpack to `max_unpacked` bytes (200 times its size, or 256 MiB), and a line
    have `max_line` (4 MiB). `progress` is called with the number of bytes read.
    """
    file = LogFile(path, progress, max_unpacked, max_line)
    reader = _find(file, format)
    strict = reader.strict if strict is None else strict
    wanted = Reading(need, arrival, strict, parse_columns(columns or {}), zone)
    return reader.read(file, wanted, CleaningBook(path, wanted.strict))


def parse_columns(columns: Mapping[str, str] | str) -> dict[str, str]:
    """Parse a spelling such as `need=cores,service=runtime`; copy a mapping."""
    if not isinstance(columns, str):
        return dict(columns)
    names = {}
    for part in filter(None, (part.strip() for part in columns.split(","))):
        ours, equals, theirs = part.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise refuse("columns", columns, "must be of the form need=cores,service=runtime")
        names[ours.strip()] = theirs.strip()
    return names


def _find(file: LogFile, format: str | None) -> Reader:
    """Find the reader of a file, by its contents, else by its name."""
    import zerowait.traces.readers  # noqa: F401 -- each makes itself known

    # A table names our own columns, which no log does; a log's names may stand in a table too.
    readers = sorted(READERS.values(), key=lambda reader: (not reader.strict, reader.name))
    known = ", ".join(sorted(READERS))
    if format is not None:
        if format not in READERS:
            raise refuse("format", format, f"must be one of {known}")
        return READERS[format]
    if file.path.is_dir():
        raise InputError(f"{file}: is a folder; name a file in it")
    head = file.head()
    for reader in readers:
        if reader.recognises(head):
            return reader
    name = bare_name(file.path)
    for reader in readers:
        if name.endswith(reader.suffixes):
            return reader
    if not head.strip():
        raise InputError(f"{file}: is empty; holds no jobs")
    raise InputError(
        f"{file}: unknown kind of log, by its contents and by its name; say which with "
        f"format ({known})"
    )


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
    """Return a log with those of its jobs that meet all conditions.

    `log` may be a log, its file, or `zerowait.Jobs`; its clock stays. Names (`partition`, `queue`,
    `user`) are a text, a list, or a text with commas, spelled as in the log. Jobs are kept that
    arrive from `begin` on and before `end`: dates (`2024-05-31`, as an end the whole day;
    `2024-05-31T12:00`), or times since the log's first arrival (`10d`, `36h`, or a number of
    seconds). `max_need` leaves out jobs that need more: a few that need the whole machine keep it
    from being split.
    """
    log = log_of(log, "filter_log")
    keep = np.ones(len(log.jobs), bool)
    for column, names in (("partition", partition), ("queue", queue), ("user", user)):
        if names is not None:
            keep &= _named(log, column, names)
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
    """Tell for each job whether its label is among the names; refuse a name the log has not."""
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
    """Convert a date or a span to the scale of the log's arrivals."""
    first = float(log.jobs.arrival[0])
    if not isinstance(value, str):
        return first + float(value)
    match = SPAN.fullmatch(value)
    if match:
        return first + float(match[1]) * TIME_UNITS_S[match[2]]
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
    """Say which times can be asked for."""
    first, last = float(log.jobs.arrival[0]), float(log.jobs.arrival[-1])
    if log.clock.known:
        return f"the log has arrivals from {log.clock.date(first)} to {log.clock.date(last)}"
    return f"the log has arrivals from 0d to {(last - first) / DAY_S:.6g}d"
