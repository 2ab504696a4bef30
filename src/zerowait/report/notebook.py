"""How results look in a notebook: as tables, and as a figure, both by their type."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.optimisation.optimise import Optimisation
from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.results.result import Result
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.model import InputError, Split
from zerowait.report.figures.canvas import canvas, style
from zerowait.report.figures.log import log_drawings
from zerowait.report.figures.results import (
    comparison_figure,
    log_comparison_figure,
    result_figure,
    split_figure,
    sweep_figure,
)
from zerowait.report.html.table import cell_text
from zerowait.report.numbers import Value
from zerowait.report.tables.comparison import classes_table, overall_table
from zerowait.report.tables.log import facts_of, log_classes_table
from zerowait.report.tables.log_comparison import groups_table, legend, policies_table
from zerowait.report.tables.optimise import front_table, scores_table
from zerowait.report.tables.plan import evidence, gains
from zerowait.report.tables.results import MOST_CLASSES, result_table, split_table
from zerowait.report.tables.sweep import stored_table
from zerowait.report.tables.table import Cell, PolicyName, Table, columns
from zerowait.report.text import escaped
from zerowait.traces import Log, trace_info

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shown = TypeVar("Shown")
FACTS = ("format", "jobs", "span", "servers", "offered load", "waits as recorded", "estimates")
PICTURES = ("needs", "service", "weeks", "hours")
MOST_ROWS = 40
# Lines are of the text's own colour, which is that of the notebook, light or dark.
STYLE = """<style>
.zerowait { overflow-x: auto; } .zerowait p { margin: .4em 0; opacity: .75; }
.zerowait table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.zerowait th, .zerowait td { padding: .2em .8em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.zerowait .text { text-align: left; white-space: normal; }
</style>"""


def html_of(obj: object) -> str:
    """Compact tables without scripts, in the colours of the notebook."""
    tables, notes = _of_type(TABLES, obj)
    below = "".join(f"<p>{escaped(text)}</p>" for text in dict.fromkeys(notes))
    return f'<div class="zerowait">{STYLE}{"".join(map(_html, tables))}{below}</div>'


def figure_of(obj: object) -> "Figure":
    """A Matplotlib figure that belongs to no window."""
    with style():
        return _of_type(FIGURES, obj)


def _of_type(register: dict[type, Callable[[Any], Shown]], obj: object) -> Shown:
    """By the nearest of its types that the register has."""
    for kind in type(obj).__mro__:
        if kind in register:
            return register[kind](obj)
    raise InputError(f"{type(obj).__name__}: reports do not know how to show it")


def _comparison_tables(comparison: Comparison) -> tuple[list[Table], Sequence[str]]:
    if comparison.in_seconds:
        return _log_comparison_tables(comparison)
    tables = [overall_table(comparison).fewer]
    if 1 < len(comparison.results[0].classes) <= MOST_CLASSES:
        tables.append(classes_table(comparison))
    return tables, [f"{one.policy}: {note}" for one in comparison.results for note in one.notes]


def _log_comparison_tables(comparison: Comparison) -> tuple[list[Table], Sequence[str]]:
    groups = [groups_table(comparison, kind).fewer for kind in ("need", "estimate")]
    return [policies_table(comparison).fewer, *groups], legend(comparison)


def _log_tables(log: Log) -> tuple[list[Table], Sequence[str]]:
    info = trace_info(log)
    facts = [fact for fact in facts_of(info) if fact[0] in FACTS]
    return [Table(info.path, columns(["", ""], []), facts), log_classes_table(info)], []


def _optimisation_tables(found: Optimisation) -> tuple[list[Table], Sequence[str]]:
    scored = scores_table(found)
    tables = [replace(scored, title=f"{found.choice.candidate.spelling}, {scored.title}").fewer]
    if found.front:
        tables.append(front_table(found).fewer)
    return tables, [f"{len(found.trials):,} candidates tried", *found.notes]


def _advice_tables(advice: Advice) -> tuple[list[Table], Sequence[str]]:
    verdict, audit = advice.verdict, advice.audit
    first, *rest = verdict.sentences
    facts: list[list[Cell]] = [
        ["confidence", verdict.confidence], ["taken for today's policy", advice.baseline.policy],
        ["servers", f"{audit.servers:,}"], ["jobs", f"{audit.jobs:,}"], ["weeks", audit.weeks],
    ]  # fmt: skip
    tables = [Table(first, columns(["", ""], []), facts), *(one.fewer for one in evidence(advice))]
    return tables, [*rest, *gains(advice), *audit.limits]


def _sweep_tables(outcome: SweepOutcome) -> tuple[list[Table], Sequence[str]]:
    title = f"{len(outcome.agenda.points)} points in {outcome.agenda.store.folder}"
    rows = stored_table(outcome.table().filter(job_class="all"), title=title)
    return [rows.fewer], list(outcome.failed.values())


def _log_figure(log: Log) -> "Figure":
    drawings = log_drawings(log, trace_info(log))
    figure = canvas(2, 6.4)
    for place, name in enumerate(PICTURES, start=1):
        drawings[name](figure.add_subplot(2, 2, place))
    return figure


TABLES: dict[type, Callable[[Any], tuple[list[Table], Sequence[str]]]] = {
    Result: lambda result: ([result_table(result).fewer], result.notes),
    Comparison: _comparison_tables,
    Split: lambda split: ([split_table(split, [f"need {need}" for need in split.needs])], []),
    Log: _log_tables,
    SweepOutcome: _sweep_tables,
    Optimisation: _optimisation_tables,
    Advice: _advice_tables,
}
FIGURES: dict[type, Callable[[Any], "Figure"]] = {
    Result: result_figure,
    Comparison: lambda found: (
        log_comparison_figure(found) if found.in_seconds else comparison_figure(found)
    ),
    Split: split_figure,
    Log: _log_figure,
    SweepOutcome: lambda outcome: sweep_figure(outcome.table().filter(job_class="all")),
}


def _html(table: Table) -> str:
    kinds = [' class="text"' if column.text else "" for column in table.columns]
    heads = map("<th{}>{}</th>".format, kinds, (escaped(one.head) for one in table.columns))
    top = f"<thead><tr>{''.join(heads)}</tr></thead>" if table.has_heads else ""
    rows = ["".join(map("<td{}>{}</td>".format, kinds, map(_cell, row))) for row in table.rows][
        :MOST_ROWS
    ]
    left = len(table.rows) - len(rows)
    more = f"<p>and {left} rows more</p>" if left > 0 else ""
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<p>{escaped(table.title)}</p><table>{top}<tbody>{body}</tbody></table>{more}"


def _cell(cell: Cell) -> str:
    text = escaped(cell_text(cell))
    return f"<b>{text}</b>" if isinstance(cell, (PolicyName, Value)) and cell.best else text
