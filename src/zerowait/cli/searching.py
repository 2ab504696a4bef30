"""What `optimise` and `plan` share: their options, and a bar with the best so far."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import NOWHERE, output_folder
from zerowait.cli.interrupts import keeping
from zerowait.cli.teller import NowAndThen

if TYPE_CHECKING:
    from zerowait.experiment.optimisation.search import Best

Store = Annotated[
    str,
    output_folder(
        "Folder in which evaluations are kept: the same command goes on after a kill. "
        "'none': nowhere."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of streams and of the search.")]
Evaluations = Annotated[int, typer.Option(help="Candidates to try.")]


def store_folder(text: str) -> str | None:
    return None if text == NOWHERE else text


@contextmanager
def searching(store: str, threads: int | None, dask: str | None) -> "Iterator[dict[str, Any]]":
    """How a search is carried out; Ctrl-C says what is kept of it."""
    from zerowait.experiment.sweeps.executors import opened_executor

    folder = store_folder(store)
    kept = f"evaluations are in {folder}, the same command goes on" if folder else "nothing kept"
    with (
        keeping(kept),
        opened_executor(threads, dask) as executor,
        search_progress() as listen,
    ):
        yield {"executor": executor, "store": folder, "listener": listen}


@contextmanager
def search_progress() -> Iterator[Callable[[str, "Best | None"], None]]:
    """A bar for people, a line now and then for logs; both tell what is done, and the best so far.

    What is told has a label; `best` is None where nothing is searched.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        lines = NowAndThen()

        def listen(label: str, best: "Best | None") -> None:
            tried, total = (None, None) if best is None else (best.tried, best.evaluations)
            text = label if best is None else f"{label}: {_told(best)}"
            bar.update(task, total=total, completed=tried or 0, description=text)
            count = "" if best is None else f", {tried} of {total} candidates"
            lines.tell(lambda: text + count)

        yield listen


def _told(best: "Best") -> str:
    trial = best.trial
    if trial is None or trial.long is None or not trial.long.feasible:
        return "none is allowed yet"
    shares = ", ".join(f"{one:.3f}" for one in trial.long.objectives)
    return f"best {shares} of the baseline"
