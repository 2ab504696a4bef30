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
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.tables.columns import (
    COLUMNS,
    NUMBERS,
    REQUIRED,
    find_columns,
    table_log,
)
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
    """Rows are counted from 1, as there are no lines."""
    names = {wanted.columns.get(ours, ours) for ours in COLUMNS}
    header, frame = _open(file, sorted(names))
    places = find_columns(file, header, wanted.columns)
    numbers, texts = {}, {}
    for ours, theirs in places.items():
        if ours in NUMBERS:
            numbers[ours] = _floats(file, theirs, frame[theirs])
        else:
            texts[ours] = frame[theirs].to_list()
    book.rows = frame.height
    lines = np.arange(1, frame.height + 1)
    if book.strict:
        _check(book, places, numbers, lines)
    return table_log(book, "parquet", lines, numbers, texts, places, frame)


def _open(file: LogFile, names: list[str]) -> "tuple[list[str], polars.DataFrame]":
    import polars

    with TemporaryDirectory(prefix="zerowait-") as folder:
        path, out = file.path, Path(folder) / "columns.arrow"
        if not file.head().startswith(MAGIC):
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


def _floats(file: LogFile, name: str, column: "polars.Series") -> NDArray[np.float64]:
    import polars

    if column.dtype == polars.Duration:
        column = column.dt.total_microseconds() / 1e6
    elif column.dtype in (polars.Date, polars.Datetime):
        column = column.cast(polars.Datetime("us")).dt.epoch("us") / 1e6
    if not (column.dtype.is_numeric() or column.dtype == polars.Null):
        raise InputError(f"{file}: column {name!r} holds {column.dtype}; give it numbers")
    return column.cast(polars.Float64).fill_null(float("nan")).to_numpy().copy()


def _check(
    book: CleaningBook,
    places: dict[str, str],
    numbers: dict[str, NDArray[np.float64]],
    lines: NDArray[np.int64],
) -> None:
    """A strict reading ends at the first row that cannot be a job."""
    for name in REQUIRED:
        values = numbers[name]
        good = values >= (1 if name == "need" else 0)
        if name == "need":
            good &= values % 1 == 0
        bad = np.flatnonzero(~(good & np.isfinite(values)))
        if bad.size:
            wanted = "a whole number, 1 or more" if name == "need" else "a number, zero or more"
            value = float(values[bad[0]])
            detail = f"{places[name]} = {value!r}: must be {wanted}"
            book.malformed(int(lines[bad[0]]), "", detail)


register(Reader("parquet", (".parquet",), lambda head: head.startswith(MAGIC), read_parquet, True))
