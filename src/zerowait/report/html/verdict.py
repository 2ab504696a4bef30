"""A comparison in plain sentences: who is best, by how much, and whether the runs can tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.report.numbers import Value, number, written
from zerowait.report.palette import short_name

MOST_NAMES = 4


@dataclass(frozen=True)
class Contender:
    """A policy's mean response, its half-width (NaN: none), and whether it may be the best."""

    name: str
    mean: float
    half_width: float
    best: bool = False  # not significantly worse than the one with the shortest mean
    diverging: bool = False

    def __str__(self) -> str:
        return written(Value(self.mean, half_width=self.half_width))


def verdict(comparison: Comparison) -> list[str]:
    """The first sentence names the best; the others say what must not be read into it."""
    ranking = comparison.ranking("response")
    found = [comparison.interval(result, "response") for result in comparison.results]
    contenders = [
        Contender(
            short_name(result.policy),
            interval.mean,
            interval.half_width,
            ranking.is_best(result.policy),
            result.diverging,
        )
        for result, interval in zip(comparison.results, found, strict=True)
    ]
    ideal = comparison.mean_service
    return verdict_on(contenders, contenders[comparison.baseline], ideal, comparison.level)


def verdict_on(
    contenders: Sequence[Contender], baseline: Contender, ideal: float, level: float
) -> list[str]:
    """The same of plain numbers; `ideal` is the mean if nobody waits."""
    settled = [one for one in contenders if not one.diverging]
    lost = [one for one in contenders if one.diverging]
    sentences = []
    if settled:
        sentences.append(_best(settled, baseline, ideal, level))
    if lost:
        names = joined([f"**{one.name}**" for one in lost])
        kept = " does not keep up: its queue" if len(lost) == 1 else " do not keep up: their queues"
        sentences.append(
            f"{names}{kept} grew throughout the run, so that there is no mean to compare."
        )
    if len(settled) > 1 and math.isnan(settled[0].half_width):
        sentences.append(
            "Without intervals nobody can tell policies apart: small differences may be chance. "
            "Run again with --replications 8."
        )
    return sentences


def _best(settled: Sequence[Contender], baseline: Contender, ideal: float, level: float) -> str:
    best, *others = sorted(settled, key=lambda one: one.mean)
    floor = f"{_excess(best.mean / ideal - 1)} the {number(ideal)} of a system where nobody waits"
    if not others:
        return f"**{best.name}** has a mean response of {best}. That is {floor}."
    gain = ""
    if best is not baseline and not baseline.diverging:
        less = percent(1 - best.mean / baseline.mean)
        gain = f", and {less} less than {baseline.name} ({baseline})"
    text = f"**{best.name} has the shortest mean response**, {best}. That is {floor}{gain}."
    if math.isnan(best.half_width):
        return text
    close = [one for one in others if one.best]
    if close:
        names = joined([f"{one.name} ({one})" for one in close[:MOST_NAMES]])
        if len(close) > MOST_NAMES:
            names += f", and {len(close) - MOST_NAMES} others"
        return f"{text} **No significant difference** from {names}."
    return (
        f"{text} The next best, {others[0].name} ({others[0]}), "
        f"is told apart from it with {level:.0%} confidence."
    )


def _excess(share: float) -> str:
    """Chance can put a mean below that of a system where nobody waits."""
    return "as good as" if share < 0.005 else f"{percent(share)} above"


def percent(share: float) -> str:
    return f"{100 * share:.2g}%" if abs(share) < 0.995 else f"{100 * share:,.0f}%"


def joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
