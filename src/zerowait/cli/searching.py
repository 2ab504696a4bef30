"""What `optimise` and `plan` share: a bar with the best so far."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from zerowait.cli.arguments import NOWHERE, output_folder
from zerowait.cli.output import note

if TYPE_CHECKING:
    from zerowait.experiment.optimisation.search import Best

QUIET_S = 10.0  # between two lines about progress, where no bar can be shown

Store = Annotated[
    str,
    output_folder(
        "Folder in which evaluations are kept: the same command goes on after a kill. "
        "'none': nowhere."
    ),
]
Evaluations = Annotated[int, typer.Option(help="Candidates to try.")]


def store_folder(text: str) -> str | None:
    return None if text == NOWHERE else text


@contextmanager
def search_progress(label: str, evaluations: int) -> Iterator[Callable[["Best"], None]]:
    """A bar for people, a line now and then for logs; both tell the best so far."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=evaluations)
        said = time.monotonic()

        def listen(best: "Best") -> None:
            nonlocal said
            bar.update(task, completed=best.tried, description=f"{label}: {_told(best)}")
            now = time.monotonic()
            if not sys.stderr.isatty() and now - said > QUIET_S:
                said = now
                note(f"{label}: {best.tried} of {best.evaluations} candidates, {_told(best)}")

        yield listen


def _told(best: "Best") -> str:
    trial = best.trial
    if trial is None or trial.long is None or not trial.long.feasible:
        return "none is allowed yet"
    shares = ", ".join(f"{one:.3f}" for one in trial.long.objectives)
    return f"best {shares} of the baseline"
