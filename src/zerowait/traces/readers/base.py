"""What a reader of logs is, and the register of all readers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zerowait.model import InputError
from zerowait.model.quantities import refuse
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log
from zerowait.traces.unpack import LogFile, Progress

UNITS = ("processors", "nodes", "gpus")
ARRIVALS = ("submit", "eligible")


@dataclass(frozen=True)
class Reading:
    """What is wanted from a log."""

    need: str = "processors"
    arrival: str = "submit"
    strict: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)  # ours: the file's

    def __post_init__(self) -> None:
        if self.need not in UNITS:
            raise refuse("need", self.need, f"must be one of {', '.join(UNITS)}")
        if self.arrival not in ARRIVALS:
            raise refuse("arrival", self.arrival, f"must be one of {', '.join(ARRIVALS)}")


@dataclass(frozen=True)
class Reader:
    """A format: how to tell it from its first bytes or its name, and how to read it."""

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[LogFile, Reading, CleaningBook], Log]
    # Tables are made for zerowait, so that a bad row is a mistake; logs are found as they are.
    strict: bool = False


READERS: dict[str, Reader] = {}

PACKED = (".gz", ".zst", ".zstd", ".xz", ".bz2")


def register(reader: Reader) -> Reader:
    """Make a format known."""
    if reader.name in READERS:
        raise InputError(f"name = {reader.name!r}: is a reader already; choose another name")
    READERS[reader.name] = reader
    return reader


def read(
    path: str | Path,
    *,
    need: str,
    arrival: str,
    strict: bool | None,
    columns: Mapping[str, str],
    format: str | None,
    progress: Progress | None,
) -> Log:
    """See `zerowait.traces.read_log`."""
    file = LogFile(path, progress)
    reader = _find(file, format)
    wanted = Reading(need, arrival, reader.strict if strict is None else strict, dict(columns))
    return reader.read(file, wanted, CleaningBook(path, wanted.strict))


def _find(file: LogFile, format: str | None) -> Reader:
    known = ", ".join(READERS)
    if format is not None:
        if format not in READERS:
            raise refuse("format", format, f"must be one of {known}")
        return READERS[format]
    if file.path.is_dir():
        raise InputError(f"{file}: is a folder; name a file in it")
    head = file.head()
    for reader in READERS.values():
        if reader.recognises(head):
            return reader
    name = file.path.name.lower()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    for reader in READERS.values():
        if name.endswith(reader.suffixes):
            return reader
    if not head.strip():
        raise InputError(f"{file}: is empty; holds no jobs")
    raise InputError(
        f"{file}: unknown kind of log, by its contents and by its name; say which with "
        f"--format ({known})"
    )
