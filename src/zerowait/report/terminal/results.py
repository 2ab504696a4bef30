"""Results as tables for a terminal."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from zerowait.experiment.results.result import Result
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
    return console if console.is_terminal else Console(width=160)


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
    for name in ("need", "jobs", "response", "p99", "wait", "p99", "slowdown"):
        table.add_column(name, justify="right")
    if result.overall.bounded_slowdown is not None:
        table.add_column("bounded", justify="right")
    for name in ("P(wait)", "utilisation", "in system"):
        table.add_column(name, justify="right")
    if result.split:
        table.add_column("routed", justify="right")
        table.add_column("helpers", justify="right")
    rows = result.table().to_dicts()
    shown = sorted(rows[:-1], key=lambda row: -row["count"])[:MOST_CLASSES]
    for row in (row for row in rows[:-1] if row in shown):
        table.add_row(row["job_class"], str(row["need"]), *_cells(row, result))
    table.add_section()
    table.add_row("all", "", *_cells(rows[-1], result))
    console.print(table)
    if len(result.classes) > len(shown):
        hidden = len(result.classes) - len(shown)
        console.print(f"{hidden} classes with fewer jobs are not shown; --json has all of them")
    if result.split:
        own = ", ".join(map(str, result.split.own_servers[:MOST_CLASSES]))
        more = ", ..." if len(result.split.own_servers) > MOST_CLASSES else ""
        console.print(f"own servers {own}{more}; helpers {result.split.helpers}")
    if result.samples is not None and not result.diverging:
        console.print(f"± is {_origin(result)}; {_warm_up(result)}", style="dim")
    if result.split:
        console.print(P_HELPERS_NOTE, style="dim")
    show_notes(console, result)


def _origin(result: Result) -> str:
    """Where the intervals come from."""
    n = len(result.replicates)
    runs = "one replication" if n == 1 else f"{n} replications"
    if result.batches is not None:
        runs = f"{result.batches} batches of {runs}" + ("" if n == 1 else " each")
    return f"a {100 * result.level:g}% interval from {runs}"


def _warm_up(result: Result) -> str:
    """How much of the runs was not counted."""
    arrivals = result.parameters["arrivals"]
    low, high = (f"{edge(result.dropped) / arrivals:.1%}" for edge in (min, max))
    share = low if low == high else f"{low} to {high}"
    how = "by MSER-5 " if result.parameters["warmup"] == "mser" else ""
    return f"warm-up {how}{share} of the arrivals"


def show_notes(console: Console, result: Result) -> None:
    if result.diverging:
        console.print(
            f"{result.policy} is diverging: its queue grew throughout the run. There is no steady "
            "state, or the run is too short to reach it, and so no mean",
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


def _cells(row: dict[str, Any], result: Result) -> list[str]:
    """A row of `Result.table`, with half-widths where it has them."""

    def mean(name: str) -> str:
        return plus_minus(row[name], row.get(f"{name}_half_width"))

    cells = [
        f"{row['count']}", mean("response"), number(row["response_p99"]), mean("wait"),
        mean("wait_p99"), mean("slowdown"),
    ]  # fmt: skip
    if result.overall.bounded_slowdown is not None:
        cells.append(mean("bounded_slowdown"))
    waited = row.get("p_wait_half_width")
    cells.append(share(row["p_wait"]) + ("" if waited is None else f" ± {waited:.2g}"))
    cells += [share(row["utilisation"]), number(row["in_system"])]
    if result.split:
        cells += [share(row["routed_to_helpers"]), share(row["served_by_helpers"])]
    return cells


def plus_minus(mean: float | None, half_width: float | None) -> str:
    """A mean and its half-width, where there is one."""
    if half_width is None or half_width != half_width:
        return number(mean)
    return f"{number(mean)} ± {half_width:.2g}"


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
