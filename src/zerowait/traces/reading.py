"""Reading a log of any known format, found by its contents, else by its name."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.model import InputError, Jobs
from zerowait.model.quantities import refuse
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log
from zerowait.traces.unpack import LogFile, Progress

if TYPE_CHECKING:  # nothing reads a log in a simulation
    from zerowait.traces.readers import Reader

Trace = Jobs | Log | str | Path  # what functions on logs take
PACKED = (".gz", ".zst", ".zstd", ".xz", ".bz2")


def read_trace(path: str | Path) -> Jobs:
    """Read the jobs of a log: SWF, Slurm's sacct or jobcomp, CSV or Parquet, packed or not."""
    return read_log(path).jobs


def log_of(trace: Trace, function: str) -> Log:
    """Return a log as it is, the log of a file, or one made of `zerowait.Jobs`.

    `function` is whom the user called: what it does not take is refused in its name.
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
    not for logs.
    A packed file may unpack to `max_unpacked` bytes (200 times its size, or 256 MiB), and a line
    have `max_line` (4 MiB). `progress` hears of bytes read.
    """
    from zerowait.traces.readers import Reading

    file = LogFile(path, progress, max_unpacked, max_line)
    reader = _find(file, format)
    strict = reader.strict if strict is None else strict
    wanted = Reading(need, arrival, strict, parse_columns(columns or {}), zone)
    return reader.read(file, wanted, CleaningBook(path, wanted.strict))


def parse_columns(columns: Mapping[str, str] | str) -> dict[str, str]:
    """Read a spelling such as `need=cores,service=runtime`; return a mapping as it is."""
    if not isinstance(columns, str):
        return dict(columns)
    names = {}
    for part in filter(None, (part.strip() for part in columns.split(","))):
        ours, equals, theirs = part.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise refuse("columns", columns, "must be of the form need=cores,service=runtime")
        names[ours.strip()] = theirs.strip()
    return names


def _find(file: LogFile, format: str | None) -> "Reader":
    from zerowait.traces.readers import READERS

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
    name = file.path.name.lower()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    for reader in readers:
        if name.endswith(reader.suffixes):
            return reader
    if not head.strip():
        raise InputError(f"{file}: is empty; holds no jobs")
    raise InputError(
        f"{file}: unknown kind of log, by its contents and by its name; say which with "
        f"format ({known})"
    )
