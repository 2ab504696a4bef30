"""The columns of a table of jobs: what they are called, and what may stand in them."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.model.jobs import LABELS
from zerowait.model.quantities import Floats, Ints
from zerowait.traces.clock import FIRST_UNIX_TIME, Clock, find_zone, read_moment
from zerowait.traces.log import CleaningBook, Draft, Log, make_log
from zerowait.traces.reading import Reading

if TYPE_CHECKING:
    import polars

REQUIRED = ("arrival", "need", "service")
TIMES = ("arrival", "start")  # may be dates
NUMBERS = (*REQUIRED, "estimate", "start")
THEIRS = {"id": "job", "qos": "queue"}  # where a table calls a column of `Jobs` otherwise
TEXTS = ("job_class", *(THEIRS.get(name, name) for name in LABELS))
COLUMNS = (*NUMBERS, *TEXTS)
OURS = {theirs: ours for ours, theirs in THEIRS.items()}
# What the column of needs is called, unless told: a table may count several things.
NEED_NAMES = {"processors": "need", "nodes": "nodes", "gpus": "gpus"}

PLAIN_INTEGER = re.compile(r"-?[1-9]\d{0,17}|0", re.ASCII)
NO_CLASS = "(none)"


@dataclass(frozen=True, eq=False)
class FoundColumns:
    """The columns found in a table, by our names; dates are in seconds since 1970."""

    format: str
    lines: Ints
    numbers: Mapping[str, Floats]
    texts: Mapping[str, list[Any]]
    places: Mapping[str, str]  # ours: the file's
    columns: "polars.DataFrame"
    dated: Mapping[str, Clock]  # of the times that are dates: what these mean


class DateParser:
    """The parser of a column of dates, with a zone in all of them or in none, as in the first."""

    def __init__(self, first: str, wanted: Reading) -> None:
        self._zone = find_zone(wanted.zone)
        self._offset = read_moment(first, self._zone).offset
        self.clock = Clock(None, wanted.zone, self._offset, printed=self._offset is None)

    def __call__(self, text: str) -> float:
        """Return a date in seconds since 1970; raise ValueError where it does not fit."""
        moment = read_moment(text, self._zone)
        if (moment.offset is None) != (self._offset is None):
            raise ValueError("must have a time zone if others have; --zone names one for all")
        return moment.seconds


def wanted_names(wanted: Reading) -> dict[str, str]:
    """Return for each of our columns what the file is to call it."""
    return {n: n for n in COLUMNS} | {"need": NEED_NAMES[wanted.need]} | dict(wanted.columns)


def find_columns(path: object, header: Collection[str], wanted: Reading) -> dict[str, str]:
    """Return the file's name for each column of ours that it has; refuse if one is missing."""
    for ours, theirs in wanted.columns.items():
        if ours not in COLUMNS:
            raise InputError(
                f"{path}: column {ours!r}: is not known; give one of {', '.join(COLUMNS)}"
            )
        if theirs not in header:
            raise InputError(
                f"{path}: column {theirs!r} (for {ours}) is missing; the file has {_shown(header)}"
            )
    names = wanted_names(wanted)
    for ours in REQUIRED:
        if names[ours] not in header:
            raise InputError(
                f"{path}: column {names[ours]!r} is missing; the file has {_shown(header)}; "
                f"name the one that is meant with --columns {ours}=..."
            )
    return {ours: theirs for ours, theirs in names.items() if theirs in header}


def _shown(header: Collection[str]) -> str:
    """Put names on one line, whatever stands in the file."""
    names = [" ".join(name.split()) for name in list(header)[:20]]
    text = ", ".join(name for name in names if name.isprintable()) or "none"
    return text if len(text) <= 200 else text[:197] + "..."


def is_valid(name: str, values: Any, wanted: Reading) -> Any:
    """Tell whether a number, or each of an array, can stand in a column; NaN cannot."""
    if name == "need":
        return (values >= least_need(wanted)) & (values % 1 == 0)
    return (values >= 0) & (values < math.inf)


def must_be(name: str, wanted: Reading) -> str:
    """Say what a number in this column must be."""
    if name == "need":
        return f"must be a whole number, {least_need(wanted)} or more"
    return "must be a number, zero or more"


def least_need(wanted: Reading) -> int:
    """Return the smallest need that a row may have."""
    return 0 if wanted.need == "gpus" else 1  # a job may need none of them


def make_table_log(table: FoundColumns, wanted: Reading, book: CleaningBook) -> Log:
    """Make the log of a table whose columns have been read."""
    if len(table.lines) == 0:
        raise book.nothing_left()
    if book.strict:
        _check_order(table, book)
    need = table.numbers["need"]
    if wanted.need == "gpus":
        need = np.where(need > 0, need, np.nan)
    clock, origin = _clock(table, wanted, book)
    values: dict[str, NDArray[Any] | None] = dict(table.numbers)
    values |= {"arrival": table.numbers["arrival"] - origin, "need": need}
    if "start" in values:
        values["start"] = table.numbers["start"] - origin
    for name, texts in table.texts.items():
        values[OURS.get(name, name)] = _texts(texts)
    if "job_class" in table.texts:
        values["job_class"] = _class_labels(_texts(table.texts["job_class"]))
    return make_log(
        Draft(
            format=table.format,
            line=table.lines,
            values=values,
            columns=table.columns,
            unit="servers" if wanted.need == "processors" else wanted.need,
            clock=clock,
            words=table.places,
        ),
        book,
    )


def _clock(table: FoundColumns, wanted: Reading, book: CleaningBook) -> tuple[Clock, float]:
    """Return what arrivals mean, and what is taken off them: dates count from the first arrival."""
    dated = table.dated.get("arrival")
    if "start" in table.numbers and ("start" in table.dated) != (dated is not None):
        raise InputError(
            f"{book.path}: columns {table.places['arrival']!r} and {table.places['start']!r}: one "
            "has dates, the other numbers; give both of one kind"
        )
    arrival = table.numbers["arrival"]
    first = float(np.nanmin(arrival)) if not np.isnan(arrival).all() else 0.0
    if dated is not None:
        return replace(dated, origin=first), first
    # Arrivals as large as this are Unix times; they stay as they are.
    return (Clock(0.0, wanted.zone) if first >= FIRST_UNIX_TIME else Clock()), 0.0


def _check_order(table: FoundColumns, book: CleaningBook) -> None:
    arrival = table.numbers["arrival"]
    back = np.flatnonzero(arrival[1:] < arrival[:-1])
    if back.size:
        at = int(back[0]) + 1
        shown = repr(float(arrival[at]))
        if "arrival" in table.dated:
            shown = datetime.fromtimestamp(float(arrival[at]), UTC).isoformat(" ")
        detail = (
            f"{table.places['arrival']} = {shown}: is before the arrival above it; sort the file "
            "by arrival"
        )
        book.malformed(int(table.lines[at]), "", detail)


def _texts(values: list[Any]) -> NDArray[np.str_]:
    """Return labels as text, empty where there is none."""
    return np.array(["" if value is None else str(value) for value in values])


def _class_labels(texts: NDArray[np.str_]) -> NDArray[Any]:
    """Return numbers where all labels are whole numbers, so that class 10 comes after class 9.

    `012`, `1_2`, `1.0` and what 64 bits cannot hold are text, and each is a class of its own.
    """
    if all(map(PLAIN_INTEGER.fullmatch, texts)):
        return texts.astype(np.int64)
    return np.where(texts == "", NO_CLASS, texts)
