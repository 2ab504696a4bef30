"""Results and splits on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.results.result import Result
from zerowait.model import Split
from zerowait.report.numbers import number
from zerowait.report.tables.results import MOST_CLASSES, result_table, split_table
from zerowait.report.terminal.table import show_table

BAR_WIDTH = 60
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
OFTEN_CONFUSED = ("routed_to_helpers", "served_by_helpers", "p_wait")


def show_result(console: Console, result: Result, wide: bool = False) -> None:
    """Measures per class and overall."""
    show_table(console, result_table(result), wide)
    hidden = len(result.classes) - MOST_CLASSES
    if hidden > 0:
        console.print(f"{hidden} classes with fewer jobs are not shown; --json has all of them")
    if result.split:
        own = zip(result.classes[:MOST_CLASSES], result.split.own_servers, strict=False)
        more = ", ..." if hidden > 0 else ""
        console.print(
            f"own servers: {', '.join(f'{one.name} ({servers})' for one, servers in own)}{more}; "
            f"helpers {result.split.helpers}"
        )
    if result.samples is not None and not result.diverging:
        console.print(f"± is {_origin(result)}{_warm_up(result)}", style="dim")
    if result.split:
        show_meanings(console)
    show_notes(console, result)


def show_meanings(console: Console) -> None:
    """Of the three shares that splits have, and that must not be mixed up."""
    for name in OFTEN_CONFUSED:
        console.print(f"{MEASURES[name].label}: {MEASURES[name].meaning}", style="dim")


def _origin(result: Result) -> str:
    """Say where the intervals come from."""
    if not result.dropped:
        weeks = f"{result.n_groups} weeks of the log (one log is one sample)"
        return f"a {100 * result.level:g}% interval from {weeks}"
    n = len(result.replicates)
    runs = "one replication" if n == 1 else f"{n} replications"
    if result.batches is not None:
        runs = f"{result.batches} batches of {runs}" + ("" if n == 1 else " each")
    return f"a {100 * result.level:g}% interval from {runs}"


def _warm_up(result: Result) -> str:
    """Say how much of the runs was not counted."""
    if not result.dropped:
        return ""
    arrivals = result.parameters["arrivals"]
    low, high = (f"{edge(result.dropped) / arrivals:.1%}" for edge in (min, max))
    share = low if low == high else f"{low} to {high}"
    how = "by MSER-5 " if result.parameters["warmup"] == "mser" else ""
    return f"; warm-up {how}{share} of the arrivals"


def show_notes(console: Console, result: Result, before: str = "") -> None:
    if result.diverging:
        console.print(
            f"{result.policy} is diverging: its queue grew throughout the run. There is no steady "
            "state, or the run is too short to reach it, and so no mean",
            style="bold red",
        )
    for note in result.notes:
        console.print(f"note: {before}{note}", style="yellow")


def show_split(
    console: Console, split: Split, names: Sequence[str], offered: Sequence[float]
) -> None:
    """Slots per class and helpers; `offered` is the work of each class in slots, if known."""
    show_table(console, split_table(split, names, offered))
    _show_bar(console, split)
    if split.psi is not None:
        console.print(f"psi = {float(split.psi):.6f}")
    for i in split.without_slots:
        console.print(f"{names[i]}: no slots, served by the helpers alone")
    for i in split.overloaded(offered) if offered else ():
        console.print(
            f"{names[i]}: offered {number(offered[i])} slots of work, has {split.slots[i]}; "
            "the rest falls to the helpers",
            style="yellow",
        )


def _show_bar(console: Console, split: Split) -> None:
    bar = Text()
    parts = [*split.own_servers, split.helpers]
    for i, servers in enumerate(parts):
        colour = "white" if i == len(parts) - 1 else COLOURS[i % len(COLOURS)]
        bar.append("█" * round(BAR_WIDTH * servers / split.servers), colour)
    console.print(bar)
