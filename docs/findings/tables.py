"""Write the tables of the findings page from the rows beside this file.

A table stands between `<!-- table: name -->` and `<!-- end of table -->`. Run as a program, this
file puts the present ones there; a test says when they are not.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl

HERE = Path(__file__).parent
PAGE = HERE.parent / "findings.md"
NAMES = {
    "balanced-splitting:fcfs": "bs:fcfs",
    "balanced-splitting:first-fit": "bs:first-fit",
    "modified-balanced-splitting:fcfs": "mbs:fcfs",
    "most-servers-first": "msf",
    "least-servers-first": "lsf",
    "server-filling": "sf",
    "server-filling-srpt": "sf-srpt",
    "first-fit-srpt": "ff-srpt",
}
BS = "bs:fcfs"
WORDS = {"higher": "better", "lower": "worse", "no clear difference": "="}  # of bs:fcfs
SHORT = "runs are short"


def rows(name: str) -> pl.DataFrame:
    return pl.read_csv(HERE / f"{name}.csv").with_columns(pl.col("policy").replace(NAMES))


def shown(mean: float | None, half_width: float | None) -> str:
    """A mean with its interval, to the digit that the interval leaves."""
    if mean is None:
        return "diverging"
    if half_width is None or half_width == 0:
        return f"{mean:.3g}"
    digits = max(0, 1 - math.floor(math.log10(half_width)))
    if digits == 0:
        step = 10 ** (math.floor(math.log10(half_width)) - 1)
        return f"{round(mean / step) * step:,.0f} ± {round(half_width / step) * step:,.0f}"
    return f"{mean:,.{digits}f} ± {half_width:.{digits}f}"


def markdown(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def by_policy(frame: pl.DataFrame, index: str, measure: str, policies: list[str]) -> str:
    """One row per value of `index`, one column per policy."""
    body = []
    for value, group in frame.sort(index).group_by(index, maintain_order=True):
        cells = {row["policy"]: row for row in group.to_dicts()}
        line = [f"{value[0]:,}" if isinstance(value[0], int) else f"{value[0]}"]
        for policy in policies:
            row = cells.get(policy)
            line.append("" if row is None else cell(row, measure))
        body.append(line)
    return markdown([index, *policies], body)


def cell(row: dict[str, object], measure: str) -> str:
    if row.get("diverging"):
        return "diverging"
    if SHORT in str(row.get("notes") or ""):
        return f"{shown(row[measure], None)} (short)"  # type: ignore[arg-type]
    return shown(row[measure], row[f"{measure}_half_width"])  # type: ignore[arg-type]


def clear_of(frame: pl.DataFrame, index: str, policy: str) -> list[tuple[object, str]]:
    """At each value of `index`: is bs:fcfs better, worse, or inside the noise? The test of the
    paired difference decides, adjusted by Holm over the figure: the column `verdict` of the other
    policy. Rows without one say nothing."""
    found = []
    for value, group in frame.sort(index).group_by(index, maintain_order=True):
        cells = {row["policy"]: row for row in group.to_dicts()}
        own, other = cells[BS], cells[policy]
        if own["diverging"] or other["diverging"]:
            worse, better = bool(own["diverging"]), bool(other["diverging"])
            word = "=" if worse == better else ("worse" if worse else "better")
        else:
            word = WORDS.get(other.get("verdict"), "")
        found.append((value[0], word))
    return found


def crossings(frame: pl.DataFrame, index: str) -> str:
    """For each policy the values of `index` at which bs:fcfs is better, and worse."""
    body = []
    for policy in sorted(set(frame["policy"]) - {BS}):
        found = clear_of(frame, index, policy)
        body.append([policy, *(spans([(v, w == word) for v, w in found]) for word in
                               ("better", "=", "worse"))])  # fmt: skip
    return markdown(["policy", "bs:fcfs is better", "no clear difference", "worse"], body)


def spans(found: list[tuple[object, bool]]) -> str:
    """The stretches of values at which something holds."""
    runs: list[list[object]] = []
    open_run = False
    for value, holds in found:
        if holds and open_run:
            runs[-1][1] = value
        elif holds:
            runs.append([value, value])
        open_run = holds
    texts = [number(a) if a == b else f"{number(a)} to {number(b)}" for a, b in runs]
    return ", ".join(texts) or "–"


def number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def figure1() -> str:
    policies = ["fcfs", "msf", "sf", "bs:fcfs", "sf-srpt", "ff-srpt"]
    return by_policy(rows("fig1"), "servers", "response", policies)


def figure1_more() -> str:
    policies = ["bs:fcfs", "bs:first-fit", "first-fit", "easy", "lsf", "maxweight", "mbs:fcfs"]
    return by_policy(rows("fig1"), "servers", "response", policies)


def waiting() -> str:
    """Of bs:fcfs: who waits, how long, who is served by helpers."""
    frame = rows("fig1").filter(policy=BS).sort("servers")
    measures = ("p_wait", "wait", "wait_p99", "served_by_helpers")
    body = [[f"{row['servers']:,}", *(cell(row, one) for one in measures)]
            for row in frame.to_dicts()]  # fmt: skip
    return markdown(["servers", "P(wait)", "mean wait", "99% of waits", "served by helpers"], body)


def classes() -> str:
    frame = rows("classes")
    policies = ["fcfs", "first-fit", "easy", "sf", "bs:fcfs", "bs:first-fit"]
    body = []
    for (servers, name), group in frame.group_by("servers", "job_class", maintain_order=True):
        cells = {row["policy"]: row for row in group.to_dicts()}
        body.append([f"{servers:,}", str(name), *(cell(cells[one], "wait") for one in policies)])
    return markdown(["servers", "class", *policies], body)


def figure2a() -> str:
    policies = ["fcfs", "msf", "sf", "first-fit", "easy", "bs:fcfs", "sf-srpt", "ff-srpt"]
    return by_policy(rows("fig2a"), "load", "response", policies)


def figure2b() -> str:
    policies = ["fcfs", "msf", "sf", "first-fit", "easy", "bs:fcfs", "sf-srpt", "ff-srpt"]
    return by_policy(rows("fig2b"), "servers", "response", policies)


def figure3() -> str:
    """Where bs:fcfs stands in each panel."""
    frame = rows("fig3")
    body = [
        [str(panel), policy, *standing(group, policy)]
        for (panel,), group in frame.group_by("panel", maintain_order=True)
        for policy in ("fcfs", "sf", "first-fit", "easy", "bs:first-fit")
    ]
    return markdown(["panel", "against", *STANDING], body)


def figure3_laws() -> str:
    frame = rows("fig3-laws")
    body = [
        [str(law), str(panel), policy, *standing(group, policy)]
        for (law, panel), group in frame.group_by("law", "panel", maintain_order=True)
        for policy in ("fcfs", "sf")
    ]
    return markdown(["law", "panel", "against", *STANDING], body)


STANDING = ["bs:fcfs is better at load", "no clear difference", "worse"]


def standing(frame: pl.DataFrame, policy: str) -> list[str]:
    found = clear_of(frame, "load", policy)
    return [spans([(v, w == word) for v, w in found]) for word in ("better", "=", "worse")]


def figure3_means() -> str:
    """Mean responses at one load."""
    frame = rows("fig3").filter(pl.col("load") == 0.8)
    policies = ["fcfs", "sf", "first-fit", "easy", "bs:fcfs", "bs:first-fit", "sf-srpt", "ff-srpt"]
    return by_policy(frame, "panel", "response", policies)


def figure3_replays() -> str:
    """Mean responses over that of FCFS, of the logs' own jobs at their own submit times."""
    frame = rows("fig3-replays")
    policies = ["sf", "bs:fcfs", "bs:first-fit", "first-fit", "easy"]
    body = []
    for (panel, load), group in frame.group_by("panel", "load", maintain_order=True):
        mean = {row["policy"]: row["response"] for row in group.to_dicts()}
        ratios = [f"{mean[one] / mean['fcfs']:.2f}" if one in mean else "" for one in policies]
        body.append([str(panel), f"{load:g}", f"{mean['fcfs']:,.0f}", *ratios])
    return markdown(["panel", "load", "fcfs (s)", *(f"{one} / fcfs" for one in policies)], body)


def variability() -> str:
    frame = rows("variability").with_columns(
        variation=pl.col("workload").str.replace("cv-", "").cast(pl.Int64)
    )
    policies = ["fcfs", "first-fit", "easy", "sf", "bs:fcfs", "bs:first-fit"]
    parts = []
    for (load,), group in frame.group_by("load", maintain_order=True):
        table = by_policy(group, "variation", "response", policies)
        parts.append(f"Load {load:g}:\n\n{table}")
    return "\n\n".join(parts)


def helpers(name: str) -> str:
    frame = pl.read_csv(HERE / f"{name}.csv").sort("servers")
    kinds = list(dict.fromkeys(frame["kind"]))
    body = []
    for (servers,), group in frame.group_by("servers", maintain_order=True):
        cells = {row["kind"]: row for row in group.to_dicts()}
        body.append([f"{servers:,}", *(shown(cells[one]["share"], cells[one]["share_half_width"])
                                       if one in cells else "" for one in kinds)])  # fmt: skip
    return markdown(["servers", *kinds], body)


def share(row: dict[str, float], name: str = "ratio") -> str:
    """A ratio with its interval."""
    low, high = ("low", "high") if name == "ratio" else (f"{name}_low", f"{name}_high")
    return f"{row[name]:.2f} [{row[low]:.2f}, {row[high]:.2f}]"


def front() -> str:
    body = [
        [
            share(row, "wait"),
            share(row, "worst"),
            "knee" if row["knee"] else "",
            f"`{row['policy']}`",
        ]
        for row in pl.read_csv(HERE / "front.csv").to_dicts()
    ]
    return markdown(["mean wait", "mean wait of the worst class", "", "policy"], body)


def sizes() -> str:
    body = []
    for (jobs,), group in pl.read_csv(HERE / "sizes.csv").group_by("jobs", maintain_order=True):
        cells = {row["rule"]: share(row) for row in group.to_dicts()}
        body.append([f"{jobs} ({group['measure'][0]})", *cells.values()])
        head = ["", *cells]
    return markdown(head, body)


def plans() -> str:
    body = [
        [row["log"], row["scored_on"], share(row), f"{row['longest']:.2f}",
         f"{row['worst_class']:.2f}", f"`{row['policy']}`"]
        for row in pl.read_csv(HERE / "plans.csv").to_dicts()
    ]  # fmt: skip
    head = ["log", "scored on half", "bounded slowdown", "longest wait", "worst class's mean wait",
            "policy, chosen on the other half"]  # fmt: skip
    return markdown(head, body)


TABLES: dict[str, Callable[[], str]] = {
    "figure1": figure1,
    "figure1-more": figure1_more,
    "figure1-crossings": lambda: crossings(rows("fig1"), "servers"),
    "waiting": waiting,
    "classes": classes,
    "figure2a": figure2a,
    "figure2b": figure2b,
    "figure3": figure3,
    "figure3-means": figure3_means,
    "figure3-laws": figure3_laws,
    "figure3-replays": figure3_replays,
    "variability": variability,
    "front": front,
    "sizes": sizes,
    "plans": plans,
    "theorem1": lambda: helpers("theorem1"),
    "theorem2": lambda: helpers("theorem2"),
}


def with_tables(text: str, tables: dict[str, Callable[[], str]] = TABLES) -> str:
    return re.sub(
        r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)",
        lambda found: f"{found[1]}\n{tables[found[2]]()}\n\n{found[3]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
