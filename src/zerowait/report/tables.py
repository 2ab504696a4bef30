"""Results as tables for a terminal."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from zerowait.experiment.compare import Comparison
from zerowait.experiment.measures import Measures, Summary
from zerowait.experiment.result import Interval, Result
from zerowait.model import Split

BAR_WIDTH = 60
MOST_CLASSES = 16  # rows of a table: those with most jobs
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")

P_HELPERS_NOTE = (
    "routed: found its own servers busy; helpers: ran on the helpers; P(wait): did not start at "
    "once.\nThe paper's Erlang bound is on 'helpers' alone."
)


def terminal() -> Console:
    """Standard output; wide enough for every table where it is not a terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=140)


def plain_table(title: str, **options: Any) -> Table:
    """The one look of all tables."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, **options)


def number(value: float | None, digits: int = 4) -> str:
    """Significant digits, without an exponent where people would not use one."""
    if value is None or value != value:
        return "–"
    return f"{value:,.0f}" if 10**digits <= abs(value) < 1e12 else f"{value:.{digits}g}"


def share(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def show_result(console: Console, result: Result) -> None:
    """Measures per class and overall."""
    table = plain_table(_title(result))
    table.add_column("class")
    for name in ("need", "jobs", "response", "p95", "p99", "wait", "p99", "slowdown"):
        table.add_column(name, justify="right")
    bounded = result.overall.bounded_slowdown is not None
    if bounded:
        table.add_column("bounded", justify="right")
    for name in ("P(wait)", "utilisation", "in system"):
        table.add_column(name, justify="right")
    if result.split:
        table.add_column("routed", justify="right")
        table.add_column("helpers", justify="right")
    shown = sorted(result.classes, key=lambda one: -one.count)[:MOST_CLASSES]
    for one in (one for one in result.classes if one in shown):
        table.add_row(one.name, str(one.need), *_cells(one, bounded, result.split is not None))
    table.add_section()
    table.add_row("all", "", *_cells(result.overall, bounded, result.split is not None))
    console.print(table)
    if len(result.classes) > len(shown):
        hidden = len(result.classes) - len(shown)
        console.print(f"{hidden} classes with fewer jobs are not shown; --json has all of them")
    if result.split:
        own = ", ".join(map(str, result.split.own_servers[:MOST_CLASSES]))
        more = ", ..." if len(result.split.own_servers) > MOST_CLASSES else ""
        console.print(f"own servers {own}{more}; helpers {result.split.helpers}")
    if len(result.replicates) > 1:
        console.print(
            f"mean response {result.interval()} "
            f"(95% interval from {len(result.replicates)} replications)"
        )
    if result.split:
        console.print(P_HELPERS_NOTE, style="dim")
    show_notes(console, result)


def show_notes(console: Console, result: Result) -> None:
    if result.diverging:
        console.print(
            f"{result.policy} is diverging: its queue grew throughout the run, and the means "
            "depend on how long it lasted",
            style="bold red",
        )
    for note in result.notes:
        console.print(f"note: {note}", style="yellow")


def _title(result: Result) -> str:
    details = ", ".join(
        f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in result.parameters.items()
        if isinstance(value, (int, float, str))
    )
    return f"{result.policy} on {result.servers} servers ({details})"


def _cells(measures: Measures, bounded: bool, split: bool) -> list[str]:
    response, wait = measures.response, measures.wait
    cells = [
        f"{measures.count}", number(response.mean), number(response.p95), number(response.p99),
        number(wait.mean), number(wait.p99), number(measures.slowdown.mean),
    ]  # fmt: skip
    if bounded:
        limited: Summary | None = measures.bounded_slowdown
        cells.append(number(limited.mean if limited else None))
    cells += [share(measures.p_wait), share(measures.utilisation), number(measures.in_system)]
    if split:
        cells += [share(measures.routed_to_helpers), share(measures.served_by_helpers)]
    return cells


def show_comparison(console: Console, comparison: Comparison) -> None:
    """One row per policy, differences to the first."""
    first = comparison.results[0]
    n = len(first.replicates)
    title = (
        f"{first.servers} servers, load {first.parameters['load']:.4f}, "
        f"{first.parameters['arrivals']} arrivals x {n} replications, common random numbers"
    )
    table = plain_table(title)
    table.add_column("policy")
    for name in (
        "mean response", "/ ideal", f"- {first.policy}", "wait", "wait p99", "P(wait)",
        "utilisation", "routed", "helpers",
    ):  # fmt: skip
        table.add_column(name, justify="right")
    for result in comparison.results:
        difference = comparison.difference(result)
        table.add_row(
            result.policy,
            "diverging" if result.diverging else _plus_minus(result.interval()),
            "" if result.diverging else number(result.response / comparison.mean_service),
            "" if result is first or result.diverging else _plus_minus(difference),
            "" if result.diverging else number(result.wait),
            "" if result.diverging else number(result.overall.wait.p99),
            share(result.p_wait),
            share(result.utilisation),
            share(result.routed_to_helpers) if result.split else "",
            share(result.served_by_helpers) if result.split else "",
        )
    console.print(table)
    console.print(
        f"ideal: mean service time {number(comparison.mean_service)}, nobody waits. "
        + ("± is a 95% interval over replications." if n > 1 else "One replication: no intervals."),
        style="dim",
    )
    if any(result.split for result in comparison.results):
        console.print(P_HELPERS_NOTE, style="dim")
    for result in comparison.results:
        show_notes(console, result)


def _plus_minus(interval: Interval) -> str:
    if interval.half_width != interval.half_width:
        return number(interval.mean)
    return f"{interval.mean:.4g} ± {interval.half_width:.2g}"


def show_split(console: Console, split: Split, names: list[str], offered: list[float]) -> None:
    """Slots per class and helpers; `offered` is the work of each class in slots, if known."""
    table = plain_table(f"balanced split of {split.servers} servers")
    table.add_column("class")
    for name in ("need", "slots", "own servers", *(["offered", "load"] if offered else [])):
        table.add_column(name, justify="right")
    for i, name in enumerate(names):
        cells = [str(split.needs[i]), str(split.slots[i]), str(split.own_servers[i])]
        if offered:
            load = offered[i] / split.slots[i] if split.slots[i] else float("nan")
            cells += [number(offered[i]), number(load)]
        table.add_row(name, *cells)
    table.add_section()
    table.add_row("helpers", "", "", str(split.helpers))
    console.print(table)
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
    parts = [*split.own_servers, split.helpers]
    bar = ""
    for i, servers in enumerate(parts):
        colour = "white" if i == len(parts) - 1 else COLOURS[i % len(COLOURS)]
        bar += f"[{colour}]{'█' * round(BAR_WIDTH * servers / split.servers)}[/]"
    console.print(bar, highlight=False)
