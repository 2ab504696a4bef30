"""Arguments about logs that several commands share, and reading what they name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerowait.cli.output import note, progress

if TYPE_CHECKING:
    from zerowait.traces import Log

LogFile = Annotated[
    Path,
    typer.Argument(
        metavar="LOG",
        help="SWF, sacct dump, CSV or Parquet; may be packed (gzip, zstd, xz, bzip2).",
    ),
]
Need = Annotated[str, typer.Option(help="What a need counts: processors, nodes or gpus.")]
Arrival = Annotated[str, typer.Option(help="When a job of a sacct dump arrives: submit, eligible.")]
Strict = Annotated[
    bool | None,
    typer.Option(
        help="Stop at the first malformed row, or leave such rows out and report them "
        "[default: strict for CSV and Parquet only].",
        show_default=False,
    ),
]
Columns = Annotated[
    str,
    typer.Option(help="Columns of a table: 'arrival=submit,need=cores,service=runtime'."),
]
Format = Annotated[
    str | None, typer.Option("--format", help="swf, sacct, csv or parquet [default: looks at it].")
]
Classes = Annotated[
    str,
    typer.Option(help="Classes of needs: auto[=waste], exact, down, up or bins=1/4/16."),
]


def read(
    path: Path,
    need: str,
    arrival: str,
    strict: bool | None,
    columns: str,
    format: str | None,
) -> "Log":
    """The log, with a bar while it is read."""
    from zerowait.traces import read_log
    from zerowait.traces.unpack import LogFile as File

    with progress(f"reading {path.name}", File(path).size) as tick:
        return read_log(
            path, need=need, arrival=arrival, strict=strict, columns=parse_columns(columns),
            format=format, progress=tick,
        )  # fmt: skip


def parse_columns(text: str) -> dict[str, str]:
    from zerowait.model import InputError

    columns = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        ours, equals, theirs = part.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise InputError(f"columns = {text!r}: must be of the form need=cores,service=runtime")
        columns[ours.strip()] = theirs.strip()
    return columns


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
