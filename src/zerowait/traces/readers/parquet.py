"""Tables as Parquet files, with the columns of the CSV tables."""

import io

import numpy as np

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.table_columns import NUMBERS, find_columns, table_log
from zerowait.traces.unpack import LogFile

MAGIC = b"PAR1"


def read_parquet(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Rows are counted from 1, as there are no lines."""
    import polars

    try:
        # Plain files are read by name, column by column; packed ones have to be held whole.
        packed = not _is_plain(file)
        source = io.BytesIO(file.contents()) if packed else file.path
        header = list(polars.read_parquet_schema(source))
        places = find_columns(file, header, wanted.columns)
        frame = polars.read_parquet(source, columns=list(places.values()))
    except InputError:
        raise
    except (OSError, polars.exceptions.PolarsError, polars.exceptions.PanicException) as error:
        reason = (str(error).splitlines() or ["not Parquet"])[0]
        raise InputError(f"{file}: cannot be read: {reason}") from None
    numbers, texts = {}, {}
    for ours, theirs in places.items():
        if ours in NUMBERS:
            numbers[ours] = _floats(file, theirs, frame[theirs])
        else:
            texts[ours] = frame[theirs].to_list()
    book.rows = frame.height
    lines = np.arange(1, frame.height + 1)
    _check(book, places, numbers, lines)
    return table_log(book, "parquet", lines, numbers, texts, places, frame)


def _is_plain(file: LogFile) -> bool:
    with open(file.path, "rb") as raw:
        return raw.read(4) == MAGIC


def _floats(file: LogFile, name: str, column: "object") -> "np.typing.NDArray[np.float64]":
    import polars

    assert isinstance(column, polars.Series)
    if column.dtype.is_temporal() and column.dtype != polars.Duration:
        column = column.cast(polars.Datetime("us"), strict=False).dt.epoch("us") / 1e6
    elif column.dtype == polars.Duration:
        column = column.dt.total_microseconds() / 1e6
    if not (column.dtype.is_numeric() or column.dtype == polars.Null):
        raise InputError(f"{file}: column {name!r} holds {column.dtype}; give it numbers")
    return column.cast(polars.Float64).fill_null(float("nan")).to_numpy().copy()


def _check(
    book: CleaningBook,
    places: dict[str, str],
    numbers: dict[str, "np.typing.NDArray[np.float64]"],
    lines: "np.typing.NDArray[np.int64]",
) -> None:
    """A strict reading ends at the first row that cannot be a job."""
    if not book.strict:
        return
    for name in ("arrival", "need", "service"):
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
