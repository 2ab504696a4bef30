"""What commands print and write: results, JSON, notes, progress."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.report.text import readable

if TYPE_CHECKING:
    from zerowait.experiment.results.result import Result

INTERRUPTED = 130  # what Ctrl-C makes of a command


class InterruptedRun(SystemExit):
    """Ctrl-C in a command that has kept part of its work; the message says what."""

    def __init__(self, message: str) -> None:
        super().__init__(INTERRUPTED)
        self.message = message


def print_result(
    result: "Result", jobs_out: Path | None, as_json: bool, wide: bool = False
) -> None:
    """Of a simulation or a replay; its jobs go to a file where that is asked for."""
    result = replace(result, command=command())
    if jobs_out is not None and result.jobs is not None:
        from zerowait.report.files import write_table

        with written(jobs_out):
            write_table(result.jobs, jobs_out)
    if as_json:
        print_json(result.as_dict())
        return
    from zerowait.experiment.results.result import Replay
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.replay import show_replay
    from zerowait.report.terminal.results import show_result

    if isinstance(result, Replay):
        show_replay(terminal(), result, wide)
    else:
        show_result(terminal(), result, wide)


def print_page(page: str, path: Path) -> None:
    """A report, written whole."""
    from zerowait.report.files import write_text

    with written(path):
        write_text(page, path)


unwritten: list[str] = []  # what failed to be written, told after the result


@contextmanager
def written(path: Path) -> Iterator[None]:
    """A file that a command writes beside what it prints: a full disk must not cost the result."""
    from zerowait.model.errors import WriteError

    try:
        yield
        note(f"wrote {path}")
    except WriteError as error:
        unwritten.append(str(error))


@contextmanager
def progress(label: str, n_jobs: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, for people only; it leaves nothing behind. None: no end in sight."""
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


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))


def note(message: str, lines: bool = False) -> None:
    """One line, or some; what names and files hold is text."""
    print(f"zerowait: {readable(message, lines)}", file=sys.stderr)
