"""Tables as CSV with named columns: `arrival,need,service[,job_class,estimate,user,start]`."""

import csv
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.tables.columns import NUMBERS, REQUIRED, find_columns, table_log
from zerowait.traces.unpack import LogFile

DELIMITERS = ",;\t|"
LONGEST_FIELD = 1 << 20


def read_csv(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Comma, semicolon, tab or bar between the columns; those we do not know are ignored."""
    lines = (line for _, line in file.lines())
    first = next(lines, "")
    delimiter = _delimiter(first)
    csv.field_size_limit(LONGEST_FIELD)
    try:
        header = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
    except csv.Error as error:
        raise InputError(f"{file}: line 1: the header is not CSV: {error}") from None
    places = find_columns(file, header, wanted.columns)
    at = {ours: header.index(theirs) for ours, theirs in places.items()}
    kept: list[int] = []
    columns: dict[str, list[Any]] = {name: [] for name in at}
    for number, row in _rows(csv.reader(lines, delimiter=delimiter), book):
        values = _values(row, number, len(header), at, places, book)
        if values is not None:
            kept.append(number)
            for name, value in values.items():
                columns[name].append(value)
    import polars

    numbers = {name: np.array(columns[name], np.float64) for name in at if name in NUMBERS}
    texts = {name: columns[name] for name in at if name not in NUMBERS}
    frame = polars.DataFrame(
        {places[name]: polars.Series(values, nan_to_null=True) for name, values in numbers.items()}
        | {places[name]: values for name, values in texts.items()}
    )
    return table_log(book, "csv", np.array(kept, np.int64), numbers, texts, places, frame)


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=header.count)


def _rows(reader: Any, book: CleaningBook) -> Iterator[tuple[int, list[str]]]:
    """Numbered rows; the header, which was taken off, is line 1."""
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            book.rows += 1
            book.malformed(reader.line_num + 1, "not CSV", str(error))
            continue
        if row:
            book.rows += 1
            yield reader.line_num + 1, row


def _values(
    row: list[str],
    line: int,
    width: int,
    at: dict[str, int],
    places: dict[str, str],
    book: CleaningBook,
) -> dict[str, float | str] | None:
    if len(row) != width:
        detail = f"has {len(row)} fields, the header {width}"
        book.malformed(line, "another number of fields than the header", detail)
        return None
    values: dict[str, float | str] = {}
    for name, place in at.items():
        text = row[place].strip()
        if name not in NUMBERS:
            values[name] = text
            continue
        value = _number(text)
        if value is None or not _fits(name, value):
            wanted = "a whole number, 1 or more" if name == "need" else "a number, zero or more"
            shown = text if len(text) <= 40 else text[:37] + "..."
            detail = f"{places[name]} = {shown!r}: must be {wanted}"
            book.malformed(line, f"{places[name]} is not {wanted}", detail)
            return None
        values[name] = value
    return values


def _number(text: str) -> float | None:
    """NaN for an empty field, None for what is no number."""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _fits(name: str, value: float) -> bool:
    if math.isnan(value):
        return name not in REQUIRED
    return value >= 0 and (name != "need" or (value >= 1 and value % 1 == 0))


def recognises(head: bytes) -> bool:
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    first = text.split("\n", 1)[0]
    names = {name.strip().strip('"') for name in first.split(_delimiter(first))}
    return set(REQUIRED) <= names


register(Reader("csv", (".csv", ".tsv", ".txt"), recognises, read_csv, strict=True))
