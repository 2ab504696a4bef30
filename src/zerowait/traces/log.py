"""A log that was read: its jobs, its servers where it names them, and what was left out."""

import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from zerowait.model import InputError, Jobs


@dataclass(frozen=True)
class Log:
    jobs: Jobs
    servers: int | None = None  # as the log itself says
    dropped: dict[str, int] = field(default_factory=dict)  # reason: number of rows


def read_trace(path: str | Path) -> Jobs:
    """The jobs of a log: `.swf` or `.csv`, gzipped or not."""
    return read_log(path).jobs


def read_log(path: str | Path) -> Log:
    from zerowait.traces.swf import read_swf
    from zerowait.traces.table import read_table

    name = Path(path).name.removesuffix(".gz")
    if name.endswith(".swf"):
        return read_swf(path)
    if name.endswith((".csv", ".parquet")):
        return read_table(path)
    raise InputError(
        f"{path}: unknown kind of log; name it .swf, .csv or .parquet (.gz may follow)"
    )


def open_text(path: str | Path) -> TextIO:
    """The file as text, unpacked if its first bytes say gzip."""
    try:
        raw = open(path, "rb")  # noqa: SIM115 -- closed with the text stream on top
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    stream = gzip.GzipFile(fileobj=raw) if packed else raw
    return io.TextIOWrapper(stream, encoding="utf-8", errors="replace")


def lines_of(path: str | Path) -> Iterator[tuple[int, str]]:
    """Numbered lines; a broken archive is an InputError."""
    with open_text(path) as text:
        try:
            yield from enumerate(text, 1)
        except (OSError, EOFError) as error:
            raise InputError(f"{path}: the gzip archive is damaged: {error}") from None
