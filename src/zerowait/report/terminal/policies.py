"""The register of policies on a terminal: Table 1 of the paper, rules, options and sources."""

from dataclasses import fields, is_dataclass
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from zerowait.policies import POLICIES, Policy
from zerowait.report.tables.table import Table, columns
from zerowait.report.terminal.table import show_table

WIDTH = 100  # wider lines are hard to read
LEGEND = (
    "throughput-optimal: stable whenever any policy is. Asymptotically: not in general, but in the "
    "limit of many servers, under mild conditions. Unknown: no proof either way is known to us."
)


def policy_rows() -> list[dict[str, Any]]:
    """One row per policy, by name."""
    kinds = sorted(set(POLICIES.values()), key=lambda kind: kind.name)
    return [
        {
            "name": kind.name,
            "alias": kind.alias,
            "preemptive": kind.preemptive,
            "size_aware": kind.size_aware,
            "throughput_optimal": kind.throughput_optimal,
            "takes_auxiliary": kind.auxiliary is not None,
            "options": _options(kind),
            "rule": kind.summary(),
            "source": kind.source,
        }
        for kind in kinds
    ]


def _options(kind: type[Policy]) -> dict[str, str | None]:
    """What may follow the name as `key=value`, and what is taken otherwise."""
    if not is_dataclass(kind):
        return {}
    return {
        field.name: None if field.default is None else field.metadata["spell"](field.default)
        for field in fields(kind)
        if field.name != "auxiliary"
    }


def show_policies(console: Console) -> None:
    """What each needs and what is known of it; below, its rule and where it comes from."""
    rows = policy_rows()
    console.width = width = min(console.width, WIDTH)
    cells = [
        [
            row["name"], row["alias"], "yes" if row["preemptive"] else "no",
            "yes" if row["size_aware"] else "no", row["throughput_optimal"],
        ]
        for row in rows
    ]  # fmt: skip
    heads = columns(["name", "alias", "preemptive", "size-aware", "throughput-optimal"], [])
    show_table(console, Table("policies", heads, cells), width=width)
    console.print(LEGEND, style="dim", width=width, highlight=False)
    for row in rows:
        console.print()
        console.print(Text(row["name"] + spelling(row), "bold"), width=width)
        for text, style in ((row["rule"], ""), (row["source"] or "no source is given", "dim")):
            console.print(Padding(Text(text, style), (0, 0, 0, 4)), width=width)


def spelling(row: dict[str, Any]) -> str:
    """What may follow a policy's name, as in `:auxiliary,slots=...`."""
    options = "".join(f",{key}={value or '...'}" for key, value in row["options"].items())
    return (":auxiliary" if row["takes_auxiliary"] else "") + options
