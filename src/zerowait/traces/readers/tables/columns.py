"""The columns of a table of jobs: what they are called, and what may stand in them."""

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
    labels = texts.get("job_class")
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
            user=np.array(texts["user"]) if "user" in texts else None,
            job_class=None if labels is None else np.array(_labels(labels)),
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


def _labels(labels: list[Any]) -> list[Any]:
    """Numbers where all labels are whole numbers, so that class 10 comes after class 9."""
    try:
        return [int(label) for label in labels]
    except (ValueError, OverflowError):
        return [str(label) for label in labels]
