"""What commands print and write: results, JSON, notes, progress."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.report import page, show
from zerowait.report.numbers import readable

if TYPE_CHECKING:
    import polars

    from zerowait.experiment.results.result import Result
    from zerowait.experiment.sweeps.run import Agenda

INTERRUPTED = 130  # what Ctrl-C makes of a command


class InterruptedRun(SystemExit):
    """Ctrl-C in a command that has kept part of its work; the message says what."""

    def __init__(self, message: str) -> None:
        super().__init__(INTERRUPTED)
        self.message = message


def print_result(
    result: "Result", jobs_out: Path | None, as_json: bool, wide: bool = False
) -> None:
    """Print a result, and write its jobs to a file where that is asked for."""
    result = replace(result, command=command())
    if jobs_out is not None and result.jobs is not None:
        write_rows(result.jobs, jobs_out)
    print_found(result, as_json, wide)


def print_found(found: Any, as_json: bool, wide: bool = False) -> None:
    """Print what was found: as JSON, or as its document."""
    if as_json:
        print_json(found.as_dict())
        return
    show(found, wide)


def write_rows(rows: "polars.DataFrame", path: Path) -> None:
    """Write a table to a file beside what is printed."""
    from zerowait.report.files import write_table

    with writing(path):
        write_table(rows, path)


def print_page(thing: object, path: Path, name: str = "") -> None:
    """Write a result or its document as a page; `name` is what its workload or log is called."""
    from zerowait.report.files import write_text

    text = page(thing, command(), name)
    with writing(path):
        write_text(text, path)


unwritten: list[str] = []  # what failed to be written, told after the result


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Write a file beside what is printed: a full disk must not cost the result."""
    from zerowait.model.errors import WriteError

    try:
        yield
        note(f"wrote {path}")
    except WriteError as error:
        unwritten.append(str(error))


@contextmanager
def progress(label: str, n_jobs: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, to people only; None: no end is in sight."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), *Progress.get_default_columns()[:-1], TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(escape(readable(label)), total=n_jobs)
        yield lambda n: bar.advance(task, n)


def command() -> str:
    return shlex.join(["zerowait", *sys.argv[1:]])


def table_json(frame: "polars.DataFrame") -> list[dict[str, Any]]:
    """Return rows ready for JSON."""
    import polars

    from zerowait.model.display import json_ready

    return [
        json_ready(row)
        for row in frame.with_columns(polars.col(polars.Datetime).cast(str)).to_dicts()
    ]


def agenda_json(agenda: "Agenda") -> list[dict[str, Any]]:
    """Return the points of an agenda ready for JSON."""
    kept, stale = ({point.key for point in some} for some in (agenda.kept, agenda.stale))
    return [
        {
            "sweep": name,
            "point": point.key,
            "finished": point.key in kept,
            "stale": point.key in stale,
            "workload": point.label,
            **point.asked,
        }
        for name, point in agenda.named
    ]


def print_json(value: Any) -> None:
    """Print a value as JSON, in which numbers are finite."""
    print(json.dumps(value, indent=2, allow_nan=False))


def note(message: str, lines: bool = False) -> None:
    """Print one line or some on standard error; what names and files hold is text."""
    print(f"zerowait: {readable(message, lines)}", file=sys.stderr)
