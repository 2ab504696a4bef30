"""Arguments about logs that several commands share, and reading what they name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.arguments import part_of
from zerowait.cli.output import note, progress
from zerowait.experiment.options import FilterOptions, LogOptions

if TYPE_CHECKING:
    from zerowait.traces.log import Log

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
    """Read a log with a progress bar, and return those of its jobs that are asked for.

    `options` holds the options of logs, among others.
    """
    from zerowait.traces.unpack import LogFile as File

    with progress(f"reading {path.name}", File(path).size) as tick:
        log = zw.read_log(path, progress=tick, **part_of(options, LogOptions))
    found = zw.filter_log(log, **part_of(options, FilterOptions))
    if len(found.jobs) < len(log.jobs):
        note(f"{path}: {len(found.jobs)} of {len(log.jobs)} jobs are those asked for")
    return found


def read_noting(path: Path, options: dict[str, Any]) -> "Log":
    """Read a log, and print what keeps rows from being jobs."""
    log = read(path, options)
    note_cleaning(log)
    return log


def note_cleaning(log: "Log") -> None:
    """Print one line for each thing that keeps rows from being jobs, or changed them."""
    for one in log.cleaning.findings:
        if one.action != "noted":
            note(f"{log.path}: {one} (first {one.examples[0]})")


def parse_window(text: str | None) -> tuple[float | None, float | None]:
    """Return the two ends of a window such as `10d:17d` in seconds; either may be left open."""
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
    """Refuse a window that no job of the log can be in, before the replay."""
    from zerowait.model import InputError
    from zerowait.model.quantities import DAY_S

    begin, end = window
    arrival = log.jobs.arrival
    first, last = float(arrival[0]), float(arrival[-1])
    own = log.jobs.offered_load(servers or log.servers or 1)
    if load is not None and own:
        last = first + (last - first) * own / load
    day = DAY_S
    valid = f"jobs arrive from {first / day:.4g}d to {last / day:.4g}d"
    if begin is not None and end is not None and begin >= end:
        raise InputError(f"window = {begin / day:.4g}d:{end / day:.4g}d: must end after it begins")
    if (begin or first) > last or (end is not None and end <= first):
        shown = ":".join("" if one is None else f"{one / day:.4g}d" for one in window)
        raise InputError(f"window = {shown}: is outside of the log; {valid}")


def _time(part: str, window: str) -> float | None:
    import re

    from zerowait.model.quantities import TIME_UNITS_S

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|w)?\s*", part)
    if match is None:
        if part.strip():
            raise _bad_window(window)
        return None
    return float(match[1]) * TIME_UNITS_S[match[2] or "s"]


def _bad_window(text: str) -> Exception:
    from zerowait.model import InputError

    return InputError(f"window = {text!r}: must be begin:end, as in 10d:17d (s, min, h, d or w)")
