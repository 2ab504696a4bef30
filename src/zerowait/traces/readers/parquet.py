"""Tables as Parquet files, with the columns of the CSV tables.

A damaged Parquet file can make polars end the whole process (a length that is garbage asks for
more memory than there is), so that the file is opened in a process of its own.
"""

import io
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from zerowait.model import InputError
from zerowait.model.quantities import Floats
from zerowait.traces.clock import Clock
from zerowait.traces.log import CleaningBook, Log
from zerowait.traces.readers.columns import (
    NUMBERS,
    REQUIRED,
    TIMES,
    DateParser,
    FoundColumns,
    find_columns,
    is_valid,
    make_table_log,
    must_be,
    wanted_names,
)
from zerowait.traces.reading import READERS, Reader, Reading
from zerowait.traces.unpack import LogFile

if TYPE_CHECKING:
    import polars

MAGIC = b"PAR1"

# Prints the names of all columns, and leaves those that are wanted in a plain file. Runs of equal
# values take no room in Parquet, so that what they unpack to is asked for first.
SCRIPT = """
import json, sys, polars
path, out, wanted, most = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
header = list(polars.read_parquet_schema(path))
names = [name for name in wanted if name in header]
rows = polars.scan_parquet(path).select(polars.len()).collect().item()
if 8 * rows * len(names) > most:
    sys.exit(3)
polars.read_parquet(path, columns=names).write_ipc(out)
print(json.dumps(header))
"""
TOO_LARGE = 3


def read_parquet(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Read a table whose rows are counted from 1, as there are no lines."""
    header, frame = _open(file, sorted(set(wanted_names(wanted).values())))
    places = find_columns(file, header, wanted)
    numbers, texts, dated = {}, {}, {}
    for ours, theirs in places.items():
        if ours not in NUMBERS:
            texts[ours] = frame[theirs].to_list()
            continue
        column, clock = frame[theirs], None
        if ours in TIMES:
            column, clock = _moments(theirs, column, wanted, book)
        if clock is not None:
            dated[ours] = clock
        numbers[ours] = _floats(file, theirs, column)
    book.rows = frame.height
    lines = np.arange(1, frame.height + 1)
    table = FoundColumns("parquet", lines, numbers, texts, places, frame, dated)
    if book.strict:
        _check(table, wanted, book)
    return make_table_log(table, wanted, book)


def _open(file: LogFile, names: list[str]) -> "tuple[list[str], polars.DataFrame]":
    import polars

    with TemporaryDirectory(prefix="zerowait-") as folder:
        path, out = file.path, Path(folder) / "columns.arrow"
        if not is_parquet(file.head()):
            raise InputError(f"{file}: is not Parquet")
        if not _is_plain(file):
            path = Path(folder) / "unpacked.parquet"
            path.write_bytes(b"".join(file.pieces()))
        command = [sys.executable, "-c", SCRIPT, str(path), str(out), json.dumps(names)]
        command.append(str(file.max_unpacked))
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode == TOO_LARGE:
            raise file.too_large()
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["damaged"])[-1]
            raise InputError(f"{file}: cannot be read: {' '.join(last.split())[:200]}")
        # Held whole, as the folder goes away.
        return json.loads(done.stdout), polars.read_ipc(io.BytesIO(out.read_bytes()))


def _is_plain(file: LogFile) -> bool:
    with open(file.path, "rb") as raw:
        return raw.read(4) == MAGIC


def _moments(
    name: str, column: "polars.Series", wanted: Reading, book: CleaningBook
) -> "tuple[polars.Series, Clock | None]":
    """Return dates in seconds since 1970 and their calendar; return other columns as they are."""
    import polars

    if column.dtype == polars.String:
        return _written_dates(name, column, wanted, book)
    if column.dtype not in (polars.Date, polars.Datetime):
        return column, None
    stamps = column.cast(polars.Datetime("us")) if column.dtype == polars.Date else column
    told = getattr(stamps.dtype, "time_zone", None)
    if told is None and wanted.zone is not None:
        stamps = stamps.dt.replace_time_zone(wanted.zone, ambiguous="earliest", non_existent="null")
    known = told or wanted.zone
    return stamps.dt.epoch("us") / 1e6, Clock(None, known, printed=known is None)


def _written_dates(
    name: str, column: "polars.Series", wanted: Reading, book: CleaningBook
) -> "tuple[polars.Series, Clock | None]":
    import polars

    date: DateParser | None = None
    seconds: list[float | None] = []
    for row, text in enumerate(column.to_list(), 1):
        seconds.append(None)
        try:
            if text is not None:
                date = date or DateParser(text, wanted)
                seconds[-1] = date(text)
        except ValueError as error:
            if book.strict:
                raise InputError(f"{book.path}: line {row}: {name} = {text!r}: {error}") from None
    return polars.Series(seconds, dtype=polars.Float64), None if date is None else date.clock


def _floats(file: LogFile, name: str, column: "polars.Series") -> Floats:
    import polars

    if column.dtype == polars.Duration:
        column = column.dt.total_microseconds() / 1e6
    if not (column.dtype.is_numeric() or column.dtype == polars.Null):
        raise InputError(f"{file}: column {name!r} holds {column.dtype}; give it numbers")
    return column.cast(polars.Float64).fill_null(float("nan")).to_numpy().copy()


def _check(table: FoundColumns, wanted: Reading, book: CleaningBook) -> None:
    """End a strict reading at the first row that cannot be a job."""
    for name in REQUIRED:
        values = table.numbers[name]
        with np.errstate(invalid="ignore"):
            bad = np.flatnonzero(~is_valid(name, values, wanted))
        if bad.size:
            detail = f"{table.places[name]} = {float(values[bad[0]])!r}: {must_be(name, wanted)}"
            book.malformed(int(table.lines[bad[0]]), "", detail)


def is_parquet(head: bytes) -> bool:
    """Tell Parquet by its first bytes."""
    return head.startswith(MAGIC)


READERS.register(Reader("parquet", (".parquet",), is_parquet, read_parquet, strict=True))
