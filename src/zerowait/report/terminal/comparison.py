"""Comparisons as tables for a terminal."""

from dataclasses import replace

from rich.console import Console

from zerowait.experiment.comparisons.compare import Comparison
from zerowait.experiment.comparisons.ranking import Ranking
from zerowait.experiment.results.result import Result
from zerowait.experiment.statistics.intervals import Interval
from zerowait.report.terminal.results import (
    MOST_CLASSES,
    P_HELPERS_NOTE,
    number,
    plain_table,
    plus_minus,
    share,
    show_notes,
)

BEST = " *"


def show_comparison(console: Console, comparison: Comparison) -> None:
    """All jobs, then each class; the ranking; what the marks mean."""
    _show_overall(console, comparison)
    if 1 < len(comparison.results[0].classes) <= MOST_CLASSES:
        _show_classes(console, comparison)
    ranking = comparison.ranking()
    if len(ranking.ranks) > 1:
        console.print(_ranking(ranking), highlight=False)
    _show_legend(console, comparison)
    for result in comparison.results:
        named = tuple(f"{result.policy}: {note}" for note in result.notes)
        show_notes(console, replace(result, notes=named))


def _show_overall(console: Console, comparison: Comparison) -> None:
    first, baseline = comparison.results[0], comparison.results[comparison.baseline]
    n = len(first.replicates)
    title = (
        f"{first.servers} servers, load {first.parameters['load']:.4f}, "
        f"{first.parameters['arrivals']} arrivals x {n} replications, common random numbers"
    )
    table = plain_table(title)
    table.add_column("policy")
    measure = comparison.measure
    heads = [
        f"mean {measure}", "/ ideal", f"- {baseline.policy}", f"/ {baseline.policy}", "wait p99",
        "P(wait)", "utilisation", "routed", "helpers",
    ]  # fmt: skip
    for name in heads:
        table.add_column(name, justify="right")
    ranking = comparison.ranking()
    for result in comparison.results:
        table.add_row(
            _name(result, ranking),
            "diverging" if result.diverging else _plus_minus(comparison.interval(result)),
            "" if result.diverging else _plus_minus(comparison.ratio_to_ideal(result)),
            *_to_baseline(comparison, result),
            "" if result.diverging else number(result.overall.wait.p99),
            share(result.p_wait),
            share(result.utilisation),
            share(result.routed_to_helpers) if result.split else "",
            share(result.served_by_helpers) if result.split else "",
        )
    console.print(table)


def _to_baseline(comparison: Comparison, result: Result) -> tuple[str, str]:
    baseline = comparison.results[comparison.baseline]
    if result is baseline or result.diverging or baseline.diverging:
        return "", ""
    return _plus_minus(comparison.difference(result)), _plus_minus(comparison.ratio(result))


def _show_classes(console: Console, comparison: Comparison) -> None:
    table = plain_table(f"mean {comparison.measure} of each class")
    table.add_column("policy")
    for one in comparison.results[0].classes:
        table.add_column(one.name, justify="right")
    rankings = [comparison.ranking(job_class=one.name) for one in comparison.results[0].classes]
    for result in comparison.results:
        cells = []
        for one, ranking in zip(result.classes, rankings, strict=True):
            shown = _plus_minus(comparison.interval(result, job_class=one.name))
            mark = BEST if ranking.is_best(result.policy) else "  "
            cells.append("diverging" if result.diverging else shown + mark)
        table.add_row(result.policy, *cells)
    console.print(table)


def _name(result: Result, ranking: Ranking) -> str:
    if ranking.is_best(result.policy):
        return f"[bold]{result.policy}[/]{BEST}"
    return result.policy


def _ranking(ranking: Ranking) -> str:
    """Neighbours that differ significantly have a < between them, others a ~."""
    text = ranking.ranks[0].policy
    for one, after in zip(ranking.ranks, ranking.ranks[1:], strict=False):
        text += (" < " if one.policy in after.worse_than else " ~ ") + after.policy
    return f"best first: {text}"


def _show_legend(console: Console, comparison: Comparison) -> None:
    first = comparison.results[0]
    controlled = ", with the offered load and mean service as controls"
    lines = [
        f"ideal: mean service time {number(comparison.mean_service)}, nobody waits. "
        f"± is a {100 * comparison.level:g}% interval"
        + (controlled if comparison.uses_controls() else "")
        + ".",
        "*: not significantly worse than the best; <: significantly better; ~: no significant "
        "difference (Holm over all pairs).",
    ]
    if first.samples is None or first.samples.n_groups < 2:
        lines = ["One group of jobs: no intervals."]
    console.print("\n".join(lines), style="dim", highlight=False)
    if any(result.split for result in comparison.results):
        console.print(P_HELPERS_NOTE, style="dim")


def _plus_minus(interval: Interval) -> str:
    return plus_minus(interval.mean, interval.half_width)
