"""Targets run into one store, and the tables, figures and captions that they leave."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zerowait as zw
from zerowait._version import __version__
from zerowait.experiment.sweeps.points import SweepPoint
from zerowait.experiment.sweeps.run import Agenda, make_agenda
from zerowait.paper import TARGET_NAMES, figures, orders, pauses, tables, theorems
from zerowait.paper.rows import class_rows
from zerowait.paper.settings import Settings, Target
from zerowait.report.document import Column, Document, Table, Text
from zerowait.report.documents.sweep import TableDocument
from zerowait.report.figures.canvas import save, style
from zerowait.report.files import write_table, write_text
from zerowait.report.palette import short_name

if TYPE_CHECKING:
    import polars

ALL = "all"
POINTS = "points"  # folder of the store, beside tables and figures
_BY_NAME = {
    one.name: one
    for family in (figures, orders, pauses, tables, theorems)
    for one in family.TARGETS
}
TARGETS = {name: _BY_NAME[name] for name in TARGET_NAMES}


def find_targets(names: Iterable[str]) -> list[Target]:
    """Return targets by name, each once; `all` stands for all of them."""
    found: dict[str, Target] = {}
    for name in names:
        if name == ALL:
            found |= TARGETS
        elif name in TARGETS:
            found[name] = TARGETS[name]
        else:
            known = ", ".join([ALL, *TARGETS])
            raise zw.InputError(f"target {name!r}: is not known; give {known}")
    return list(found.values())


@dataclass(frozen=True)
class Finished:
    """A target with its rows; a table has no sweep."""

    target: Target
    rows: "polars.DataFrame"
    outcome: zw.SweepOutcome | None


@dataclass(frozen=True)
class Work:
    """Targets to reproduce in a folder. A point that several of them show is run once."""

    targets: tuple[Target, ...]
    settings: Settings
    folder: Path
    keep_stale: bool = False

    @property
    def agenda(self) -> Agenda:
        """The points of all targets together."""
        sweeps = [one for target in self.targets for one in target.sweeps(self.settings)]
        return self._agenda(sweeps)

    def simulates(self, target: Target) -> bool:
        return bool(target.sweeps(self.settings))

    def agenda_of(self, target: Target) -> Agenda:
        return self._agenda(target.sweeps(self.settings))

    def _agenda(self, sweeps: list[Any]) -> Agenda:
        return make_agenda(sweeps, self.folder / POINTS, self.keep_stale)

    def finish(
        self,
        target: Target,
        executor: Executor,
        on_point: Callable[[SweepPoint], Any] | None = None,
    ) -> Finished:
        """Run what is missing of a target, and gather its rows."""
        agenda = self.agenda_of(target)
        if not agenda.named:
            return Finished(target, target.rows(self.settings, None), None)
        outcome = zw.sweep(agenda, executor=executor, on_point=on_point)
        return Finished(target, target.rows(self.settings, outcome), outcome)


def write_target(
    target: Target, settings: Settings, frame: "polars.DataFrame", folder: Path, command: str
) -> list[Path]:
    """Write tables, figures and the caption, each whole or not at all; return the files."""
    files = [folder / f"{target.name}{suffix}" for suffix in (".csv", ".parquet")]
    for file in files:
        write_table(frame, file)
    pictures = write_figures(target, frame, folder)
    shown = [path.name for path in pictures if path.suffix == ".png"]
    text = folder / f"{target.name}.md"
    write_text(caption(target, settings, frame, shown, command), text)
    return [*files, *pictures, text]


@dataclass(frozen=True)
class TargetDocument(Document):
    """Where the files of a target are; a table is short enough to be shown."""

    subject: Finished
    settings: Settings
    files: Sequence[Path]

    def brief(self) -> Iterable[Table | Text]:
        target, rows = self.subject.target, self.subject.rows
        if self.subject.outcome is None:
            shown = [name for name in rows.columns if name != "source"]
            heads = [
                Column(name.replace("_", " "), text=not rows.schema[name].is_numeric())
                for name in shown
            ]
            cells = [list(map(cell, row)) for row in rows.select(shown).iter_rows()]
            yield Table(target.title, heads, cells)
            yield Text(target.says(self.settings), "dim")
        names = " ".join(file.name for file in self.files)
        yield Text(f"{target.title}: {self.files[0].parent}/ {names}", wrap=False)


def write_figures(target: Target, frame: "polars.DataFrame", folder: Path) -> list[Path]:
    """Draw a target into files, and return them; none for tables."""
    if target.draw is None or not len(frame):
        return []
    with style():
        return [
            path
            for suffix, figure in target.draw(frame).items()
            for path in save(figure, folder / f"{target.name}{suffix}")
        ]


def reproduction_document(done: Sequence[Finished], command: str = "") -> TableDocument:
    """Put together every figure that was simulated, a part for each of its panels."""
    import polars

    frames = []
    for one in done:
        if one.outcome is not None:
            rows = class_rows(one.outcome)
            titles = [panel_title(one.target.title, panel) for panel in rows["workload"]]
            frames.append(rows.with_columns(workload=polars.Series(titles, dtype=polars.String)))
    if not frames:
        raise zw.InputError("report: nothing was simulated; name a figure as well")
    frame = polars.concat(frames, how="diagonal_relaxed")
    return TableDocument(frame, command=command, name="The paper reproduced")


def panel_title(target: str, panel: str) -> str:
    """Name a panel after its target, without saying twice what the target says already."""
    return target if panel.lower() in target.lower() else f"{target} ({panel})"


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
    """Write the caption of a target in Markdown."""
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
    """Say what runs say of themselves, and at which points."""
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
