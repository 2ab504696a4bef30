"""The columns of a table of jobs: what they are called, and what may stand in them."""

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.clock import FIRST_UNIX_TIME, Clock
from zerowait.traces.draft import Draft, make_log
from zerowait.traces.log import Log

if TYPE_CHECKING:
    import polars

REQUIRED = ("arrival", "need", "service")
NUMBERS = (*REQUIRED, "estimate", "start")
TEXTS = ("job_class", "user")
COLUMNS = (*NUMBERS, *TEXTS)

PLAIN_INTEGER = re.compile(r"-?[1-9]\d{0,17}|0", re.ASCII)
NO_CLASS = "(none)"


def find_columns(path: object, header: Collection[str], named: Mapping[str, str]) -> dict[str, str]:
    """Ours: the file's, for every column of ours that the file has."""
    for ours, theirs in named.items():
        if ours not in COLUMNS:
            raise InputError(
                f"{path}: column {ours!r}: is not known; give one of {', '.join(COLUMNS)}"
            )
        if theirs not in header:
            raise InputError(
                f"{path}: column {theirs!r} (for {ours}) is missing; the file has {_shown(header)}"
            )
    places = {ours: named.get(ours, ours) for ours in COLUMNS if named.get(ours, ours) in header}
    for ours in REQUIRED:
        if ours not in places:
            raise InputError(
                f"{path}: column {ours!r} is missing; the file has {_shown(header)}; "
                f"name the one that is meant with --columns {ours}=..."
            )
    return places


def _shown(header: Collection[str]) -> str:
    """Names on one line, whatever stands in the file."""
    names = [" ".join(name.split()) for name in list(header)[:20]]
    text = ", ".join(name for name in names if name.isprintable()) or "none"
    return text if len(text) <= 200 else text[:197] + "..."


def table_log(
    book: CleaningBook,
    format: str,
    lines: NDArray[np.int64],
    numbers: Mapping[str, NDArray[np.float64]],
    texts: Mapping[str, list[Any]],
    places: Mapping[str, str],
    columns: "polars.DataFrame",
) -> Log:
    """The log of a table whose columns have been read."""
    if len(lines) == 0:
        raise book.nothing_left()
    arrival = numbers["arrival"]
    first = float(np.nanmin(arrival)) if not np.isnan(arrival).all() else 0.0
    # Arrivals as large as this are Unix times; they stay as they are.
    clock = Clock(origin=0.0) if first >= FIRST_UNIX_TIME else Clock()
    if book.strict:
        _check_order(book, places, lines, arrival)
    return make_log(
        Draft(
            format=format,
            line=lines,
            arrival=arrival,
            service=numbers["service"],
            need=numbers["need"],
            columns=columns,
            estimate=numbers.get("estimate"),
            start=numbers.get("start"),
            user=_texts(texts["user"]) if "user" in texts else None,
            job_class=_class_labels(texts["job_class"]) if "job_class" in texts else None,
            unit="servers",
            clock=clock,
            words=places,
        ),
        book,
    )


def _check_order(
    book: CleaningBook,
    places: Mapping[str, str],
    lines: NDArray[np.int64],
    arrival: NDArray[np.float64],
) -> None:
    back = np.flatnonzero(arrival[1:] < arrival[:-1])
    if back.size:
        at = int(back[0]) + 1
        detail = (
            f"{places['arrival']} = {float(arrival[at])!r}: is before the arrival above it; "
            "sort the file by arrival"
        )
        book.malformed(int(lines[at]), "", detail)


def _texts(values: list[Any]) -> NDArray[np.str_]:
    """Labels are text, empty where there is none."""
    return np.array(["" if value is None else str(value) for value in values])


def _class_labels(values: list[Any]) -> NDArray[Any]:
    """Numbers where all are whole numbers written plainly, so that class 10 comes after class 9.

    `012`, `1_2`, `1.0` and what 64 bits cannot hold are text, and each is a class of its own.
    """
    texts = _texts(values)
    if all(map(PLAIN_INTEGER.fullmatch, texts)):
        return texts.astype(np.int64)
    return np.where(texts == "", NO_CLASS, texts)
