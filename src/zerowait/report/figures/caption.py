"""Captions: what a figure or table shows, with everything it takes to make it again."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from zerowait._version import __version__
from zerowait.experiment.reproduce import Settings, Target
from zerowait.report.palette import short_name

if TYPE_CHECKING:
    import polars

INTERVALS = (
    "Lines are means over the replications, bands their 95% intervals (Student's t). All policies "
    "at one place see the same random jobs. In the table, `verdict` tells whether a mean response "
    "is lower or higher than that of bs:fcfs there: paired differences over the replications, "
    "adjusted by Holm over the whole table."
)
DIVERGING = (
    "**Diverging** (the number in the system grows for as long as the run lasts, so that there is "
    "no mean; open markers above the plot)"
)


def caption(
    target: Target,
    settings: Settings,
    frame: "polars.DataFrame",
    files: Sequence[str],
    command: str,
) -> str:
    """In Markdown."""
    parts = [f"# {target.title}", *(f"![{target.title}]({file})" for file in files)]
    parts.append(target.says(settings))
    if "point" in frame.columns:
        # A point may have rows for classes, and for whom it is compared with.
        simulated = frame.filter(frame["point"].is_not_null()).unique(
            ["panel", "policy", "servers", "load"], maintain_order=True
        )
        rows = simulated.to_dicts()
        parts += [INTERVALS, *_diverging(rows), *_notes(rows), _parameters(rows, settings)]
    else:
        parts.append(markdown_table(frame))
    parts.append(f"zerowait {__version__}, `{command}`")
    return "\n\n".join(parts) + "\n"


def _diverging(rows: list[dict[str, Any]]) -> list[str]:
    found: dict[str, list[str]] = {}
    for row in rows:
        if row["diverging"]:
            where = f"k = {row['servers']}, load {row['load']:.4g}"
            if row["workload"] != "figure1" or row.get("price_share"):
                where = f"{row['panel']}, load {row['load']:.4g}"
            found.setdefault(row["policy"], []).append(where)
    if not found:
        return ["No run diverged."]
    return [
        f"{DIVERGING}:\n\n"
        + "\n".join(f"- {short_name(policy)}: {'; '.join(at)}" for policy, at in found.items())
    ]


def _notes(rows: list[dict[str, Any]]) -> list[str]:
    """What runs say of themselves, and at which points."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for note in (row["notes"] or "").splitlines():
            where = f"{short_name(row['policy'])} at k = {row['servers']}, load {row['load']:.4g}"
            found.setdefault(note, []).append(where)
    if not found:
        return []
    lines = (f"- {note}: {'; '.join(where)}" for note, where in found.items())
    return ["**Notes** (of short runs there is no interval):\n\n" + "\n".join(lines)]


def _parameters(rows: list[dict[str, Any]], settings: Settings) -> str:
    facts = {
        "policies": ", ".join(dict.fromkeys(row["policy"] for row in rows)),
        "workloads": _values(row["workload"] for row in rows),
        "servers": _values(row["servers"] for row in rows),
        "loads": _values(round(row["load"], 4) for row in rows),
        "arrivals per replication": _values(row["arrivals"] for row in rows),
        "replications": _values(row["replications"] for row in rows),
        "warm-up": _values(row["warmup"] for row in rows),
        "seed": f"{settings.seed}; from it another for each place, the same for all policies there",
        "points": str(len(rows)),
        "made by": _values(f"zerowait {row['version']}" for row in rows),
    }
    lines = ["| parameter | value |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in facts.items())])


def _values(values: Iterable[Any]) -> str:
    return ", ".join(map(str, dict.fromkeys(values)))


def markdown_table(frame: "polars.DataFrame") -> str:
    lines = [
        "| " + " | ".join(frame.columns) + " |",
        "|" + "---|" * len(frame.columns),
    ]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in frame.iter_rows()]
    return "\n".join(lines)


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.7g}" if isinstance(value, float) else str(value).replace("|", "\\|")
