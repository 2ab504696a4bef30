"""Arguments about logs that several commands share, and reading what they name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.options import part_of
from zerowait.cli.output import note, progress
from zerowait.experiment.options import FilterOptions, LogOptions

if TYPE_CHECKING:
    from zerowait.traces import Log

LogFile = Annotated[
    Path,
    typer.Argument(
        metavar="LOG",
        help="SWF, sacct dump, CSV or Parquet; may be packed (gzip, zstd, xz, bzip2).",
    ),
]
Classes = Annotated[
    str,
    typer.Option(help="Classes of needs: auto[=waste], exact, down, up or bins=1/4/16."),
]


def read(path: Path, options: dict[str, Any]) -> "Log":
    """The jobs of the log that are asked for, with a bar while it is read; `options` are those of
    logs, among others."""
    from zerowait.traces.unpack import LogFile as File

    with progress(f"reading {path.name}", File(path).size) as tick:
        log = zw.read_log(path, progress=tick, **part_of(options, LogOptions))
    found = zw.filter_log(log, **part_of(options, FilterOptions))
    if len(found.jobs) < len(log.jobs):
        note(f"{path}: {len(found.jobs)} of {len(log.jobs)} jobs are those asked for")
    return found


def note_cleaning(log: "Log") -> None:
    """One line for each thing that keeps rows from being jobs, or changed them."""
    for one in log.cleaning.findings:
        if one.action != "noted":
            note(f"{log.path}: {one} (first {one.examples[0]})")


WINDOW_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def parse_window(text: str | None) -> tuple[float | None, float | None]:
    """`10d:17d` in seconds; either side may be left open."""
    if text is None:
        return None, None
    begin, colon, end = text.partition(":")
    if not colon:
        raise _bad_window(text)
    return _time(begin, text), _time(end, text)


def check_window(
    window: tuple[float | None, float | None],
    log: "Log",
    load: float | None,
    servers: int | None,
) -> None:
    """Refused before the replay where nothing can be in it: no job arrives after its begin."""
    from zerowait.model import InputError

    begin, end = window
    arrival = log.jobs.arrival
    first, last = float(arrival[0]), float(arrival[-1])
    own = log.jobs.offered_load(servers or log.servers or 1)
    if load is not None and own:
        last = first + (last - first) * own / load
    day = WINDOW_UNITS["d"]
    valid = f"jobs arrive from {first / day:.4g}d to {last / day:.4g}d"
    if begin is not None and end is not None and begin >= end:
        raise InputError(f"window = {begin / day:.4g}d:{end / day:.4g}d: must end after it begins")
    if (begin or first) > last or (end is not None and end <= first):
        shown = ":".join("" if one is None else f"{one / day:.4g}d" for one in window)
        raise InputError(f"window = {shown}: is outside of the log; {valid}")


def _time(part: str, window: str) -> float | None:
    import re

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|w)?\s*", part)
    if match is None:
        if part.strip():
            raise _bad_window(window)
        return None
    return float(match[1]) * WINDOW_UNITS[match[2] or "s"]


def _bad_window(text: str) -> Exception:
    from zerowait.model import InputError

    return InputError(f"window = {text!r}: must be begin:end, as in 10d:17d (s, min, h, d or w)")
