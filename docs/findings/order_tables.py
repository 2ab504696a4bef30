"""Write the tables of "Order matters more than the split" from the rows beside this file.

`order_tables.py FOLDER` first gathers the rows and the figure of `zerowait reproduce orders pauses
--out FOLDER`. As on the findings page, a test says when a table is not that of the rows.
"""

import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl
from tables import markdown, shown, with_tables

from zerowait.report.numbers import duration

HERE = Path(__file__).parent
PAGE = HERE.parent / "order-and-split.md"
FIGURE = HERE.parent / "figures" / "pauses.png"
LEVEL = 0.05  # of Holm's tests
SERVERS = 2048  # whose classes are shown
NAMES = {
    "balanced-splitting:fcfs": "bs:fcfs",
    "backfill,order=need": "need",
    "backfill,order=due,reserve_after=never,allowance=0/10/10/-10": "due 0/10/10/-10",
    "backfill,order=due,reserve_after=never,allowance=0/70.5/76.6/82.8": "due 0/70.5/76.6/82.8",
    "smallest-area-first": "saf",
    "server-filling-srpt": "sf-srpt",
    "first-fit-srpt": "ff-srpt",
}
PAIRED = ["difference", "difference_half_width", "ratio", "ratio_half_width", "p_value"]
KEPT = {
    "orders": [
        "panel", "servers", "policy", "job_class", "against", "diverging", "wait",
        "wait_half_width", *PAIRED, "measure", "jobs", "mean", "longest", "ratio_low",
        "ratio_high", "longest_ratio",
    ],
    "pauses": [
        "servers", "policy", "job_class", "against", "price_share", "preemption_cost", "diverging",
        "wait", "wait_half_width", "preemptions", "lost", *PAIRED,
    ],
}  # fmt: skip


def gather(folder: Path) -> None:
    for target, columns in KEPT.items():
        frame = pl.read_parquet(folder / f"{target}.parquet").select(columns)
        floats = [name for name, kind in frame.schema.items() if kind.is_float()]
        frame.with_columns(pl.col(floats).round_sig_figs(6)).write_csv(HERE / f"{target}.csv")
    shutil.copy(folder / "pauses.png", FIGURE)


def rows(target: str) -> pl.DataFrame:
    names = pl.col("policy", "against").replace(NAMES).str.replace("backfill,order=due", "due")
    return pl.read_csv(HERE / f"{target}.csv", infer_schema_length=None).with_columns(names)


def simulated() -> pl.DataFrame:
    return rows("orders").filter(pl.col("measure").is_null())


def ratio(row: dict[str, object]) -> str:
    """In brackets where Holm's test does not tell the two apart."""
    if row["ratio"] is None:
        return "diverging" if row["diverging"] else "–"
    text = shown(row["ratio"], row["ratio_half_width"])  # type: ignore[arg-type]
    return text if float(str(row["p_value"])) < LEVEL else f"({text})"


def wait(row: dict[str, object]) -> str:
    return shown(row["wait"], row["wait_half_width"])  # type: ignore[arg-type]


def table(
    frame: pl.DataFrame, index: str, column: str, cell: Callable[[dict[str, object]], str]
) -> str:
    """One line per value of `index`, one column per value of `column`, in the rows' own order."""
    heads = list(dict.fromkeys(frame[column].to_list()))
    body = []
    for (value,), part in frame.group_by([index], maintain_order=True):
        cells = {row[column]: cell(row) for row in part.to_dicts()}
        name = f"{value:,}" if isinstance(value, int) else str(value)
        body.append([name, *(cells.get(head, "") for head in heads)])
    return markdown(["", *(f"{head:,}" if isinstance(head, int) else head for head in heads)], body)


def against(baseline: str, cell: Callable[[dict[str, object]], str]) -> str:
    frame = simulated().filter(job_class="all", against=baseline)
    return table(ordered(frame), "policy", "servers", cell)


def by_class(cell: Callable[[dict[str, object]], str]) -> str:
    frame = simulated().filter(pl.col("job_class") != "all", servers=SERVERS, against="first-fit")
    return table(ordered(frame), "policy", "job_class", cell)


def ordered(frame: pl.DataFrame) -> pl.DataFrame:
    """Those that pause nobody first."""
    last = pl.col("policy").is_in(["maxweight", "sf-srpt", "ff-srpt"])
    return frame.sort(last, maintain_order=True)


def logs(measure: str, cell: Callable[[dict[str, object]], str]) -> str:
    return table(rows("orders").filter(measure=measure), "policy", "panel", cell)


def log_ratio(row: dict[str, object]) -> str:
    if row["policy"] == row["against"]:
        return "1"
    text = f"{row['ratio']:.2f} [{row['ratio_low']:.2f}, {row['ratio_high']:.2f}]"
    return text if float(str(row["p_value"])) < LEVEL else f"({text})"


def log_facts() -> str:
    """Under EASY: what the ratios are ratios to."""
    body = []
    for (log,), part in rows("orders").filter(policy="easy").group_by("panel", maintain_order=True):
        waits, slowdowns = (part.filter(measure=one).to_dicts()[0]
                            for one in ("wait", "bounded_slowdown"))  # fmt: skip
        body.append([str(log), f"{waits['jobs']:,}", f"{waits['servers']:,}",
                     duration(waits["mean"]), duration(waits["longest"]),
                     f"{slowdowns['mean']:.1f}"])  # fmt: skip
    return markdown(["log", "jobs", "servers", "mean wait", "longest wait", "bounded slowdown"],
                    body)  # fmt: skip


def priced() -> pl.DataFrame:
    frame = rows("pauses").filter(job_class="all").sort("price_share", maintain_order=True)
    return frame.with_columns(
        price=pl.col("price_share").map_elements(lambda share: f"{100 * share:g}%", pl.String)
    )


def price_waits() -> str:
    frame = priced().unique(["policy", "price_share"], maintain_order=True)
    level = ["first-fit", "need", "bs:fcfs"]
    paid = frame.filter(~pl.col("policy").is_in(level))
    text = table(paid, "price", "policy", lambda row: wait(row) if row["wait"] else "diverging")
    told = {row["policy"]: wait(row) for row in frame.to_dicts() if row["policy"] in level}
    return text + "\n\n" + "; ".join(f"{name}: {told[name]}" for name in level) + "."


def break_even() -> str:
    """At which prices the preemptive policy waits less, and more; Holm's tests decide."""
    body = []
    frame = priced().filter(pl.col("policy").is_in(["maxweight", "sf-srpt", "ff-srpt"]))
    for (policy, other), part in frame.group_by("policy", "against", maintain_order=True):
        found: dict[str, list[str]] = {"shorter": [], "no": [], "longer": []}
        for row in part.to_dicts():
            found[standing(row)].append(row["price"])
        body.append([str(policy), str(other), *map(span, found.values())])
    head = ["policy", "against", "waits less at", "no difference told", "waits more at"]
    return markdown(head, body)


def standing(row: dict[str, object]) -> str:
    if row["diverging"]:
        return "longer"
    if float(str(row["p_value"])) >= LEVEL:
        return "no"
    return "shorter" if float(str(row["difference"])) < 0 else "longer"


def span(prices: Iterable[str]) -> str:
    found = list(prices)
    if not found:
        return "–"
    return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"


TABLES: dict[str, Callable[[], str]] = {
    "waits": lambda: against("first-fit", wait),
    "to-first-fit": lambda: against("first-fit", ratio),
    "to-bs": lambda: against("bs:fcfs", ratio),
    "classes": lambda: by_class(wait),
    "classes-to-first-fit": lambda: by_class(ratio),
    "logs": log_facts,
    "logs-wait": lambda: logs("wait", log_ratio),
    "logs-slowdown": lambda: logs("bounded_slowdown", log_ratio),
    "logs-longest": lambda: logs("wait", lambda row: f"{row['longest_ratio']:.2f}"),
    "prices": price_waits,
    "break-even": break_even,
}

if __name__ == "__main__":
    for folder in sys.argv[1:]:
        gather(Path(folder))
    PAGE.write_text(with_tables(PAGE.read_text(), TABLES))
