"""Tables as CSV with named columns: `arrival,need,service[,estimate,start,user,job_class,...]`."""

import csv
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zerowait.model import InputError
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
)
from zerowait.traces.reading import READERS, Reader, Reading
from zerowait.traces.unpack import LogFile

DELIMITERS = ",;\t|"
LONGEST_FIELD = 1 << 20

Parser = Callable[[str], float]  # ValueError, with what it must be, where it is not


def read_csv(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Read a table with a comma, semicolon, tab or bar between its columns.

    Columns that are not known are ignored.
    """
    lines = (line for _, line in file.lines())
    first = next(lines, "")
    delimiter = _delimiter(first)
    csv.field_size_limit(LONGEST_FIELD)
    try:
        header = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
    except csv.Error as error:
        raise InputError(f"{file}: line 1: the header is not CSV: {error}") from None
    places = find_columns(file, header, wanted)
    cells = _Cells({ours: header.index(theirs) for ours, theirs in places.items()}, wanted)
    kept: list[int] = []
    columns: dict[str, list[Any]] = {name: [] for name in places}
    for number, row in _rows(csv.reader(lines, delimiter=delimiter), book):
        if len(row) != len(header):
            detail = f"has {len(row)} fields, the header {len(header)}"
            book.malformed(number, "another number of fields than the header", detail)
            continue
        values = cells.read(row, number, places, book)
        if values is not None:
            kept.append(number)
            for name, value in values.items():
                columns[name].append(value)
    return make_table_log(_table(kept, columns, places, cells), wanted, book)


class _Cells:
    """The parser of a table's fields; whether times are dates is seen in the first row."""

    def __init__(self, at: dict[str, int], wanted: Reading) -> None:
        self.at, self.wanted = at, wanted
        self.dated: dict[str, Clock] = {}
        self._parsers: dict[str, Parser] = {}

    def read(
        self, row: list[str], line: int, places: dict[str, str], book: CleaningBook
    ) -> dict[str, float | str] | None:
        """Return the values of a row, or None with the reason in the book."""
        values: dict[str, float | str] = {}
        for name, place in self.at.items():
            text = row[place].strip()
            if name not in NUMBERS:
                values[name] = text
                continue
            try:
                parse = self._parsers.get(name) or self._parser(name, text)
                values[name] = parse(text)
            except ValueError as error:
                shown = text if len(text) <= 40 else text[:37] + "..."
                reason = f"{places[name]} {str(error).replace('must be', 'is not', 1)}"
                book.malformed(line, reason, f"{places[name]} = {shown!r}: {error}")
                return None
        return values

    def _parser(self, name: str, text: str) -> Parser:
        if name not in self._parsers:  # the first row
            if name not in TIMES or not text or not math.isnan(_number_or_nan(text)):
                self._parsers[name] = self._number(name)
            else:
                self._parsers[name] = self._moment(name, text)
        return self._parsers[name]

    def _number(self, name: str) -> Parser:
        def parse(text: str) -> float:
            if not text and name not in REQUIRED:
                return math.nan
            value = _number_or_nan(text)
            if not is_valid(name, value, self.wanted):
                raise ValueError(must_be(name, self.wanted))
            return value

        return parse

    def _moment(self, name: str, first: str) -> Parser:
        date = DateParser(first, self.wanted)  # ValueError: neither a number nor a date
        self.dated[name] = date.clock
        return lambda text: math.nan if not text and name not in REQUIRED else date(text)


def _number_or_nan(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _table(
    kept: list[int], columns: dict[str, list[Any]], places: dict[str, str], cells: _Cells
) -> FoundColumns:
    import polars

    numbers = {name: np.array(columns[name], np.float64) for name in columns if name in NUMBERS}
    texts = {name: columns[name] for name in columns if name not in NUMBERS}
    frame = polars.DataFrame(
        {places[name]: polars.Series(values, nan_to_null=True) for name, values in numbers.items()}
        | {places[name]: values for name, values in texts.items()}
    )
    return FoundColumns("csv", np.array(kept, np.int64), numbers, texts, places, frame, cells.dated)


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=header.count)


def _rows(reader: Any, book: CleaningBook) -> Iterator[tuple[int, list[str]]]:
    """Yield numbered rows; the header, which was taken off, is line 1."""
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


def is_csv(head: bytes) -> bool:
    """Tell a table by the columns that its first line names."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    first = text.split("\n", 1)[0]
    names = {name.strip().strip('"') for name in first.split(_delimiter(first))}
    return set(REQUIRED) <= names


READERS.register(Reader("csv", (".csv", ".tsv", ".txt"), is_csv, read_csv, strict=True))
