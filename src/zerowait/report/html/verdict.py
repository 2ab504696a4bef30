"""A comparison in plain sentences: who is best, by how much, and whether the runs can tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zerowait.experiment.compare import Comparison
from zerowait.experiment.result import mean_of, student_interval
from zerowait.report.palette import short_name
from zerowait.report.tables import number

LEVEL = 0.95
MOST_NAMES = 4


@dataclass(frozen=True)
class Contender:
    """A policy's mean response, its half-width (NaN: none), and the means of its replications."""

    name: str
    mean: float
    half_width: float
    replicates: tuple[float, ...]
    diverging: bool = False

    def __str__(self) -> str:
        if math.isnan(self.half_width):
            return number(self.mean)
        return f"{number(self.mean)} ± {number(self.half_width, 2)}"


def verdict(comparison: Comparison) -> list[str]:
    """The first sentence names the best; the others say what must not be read into it."""
    contenders = [
        Contender(
            short_name(result.policy),
            result.response,
            result.interval().half_width,
            tuple(mean_of(one, "response") for one in result.replicates),
            result.diverging,
        )
        for result in comparison.results
    ]
    return verdict_on(contenders, comparison.mean_service)


def verdict_on(contenders: Sequence[Contender], ideal: float) -> list[str]:
    """The same of plain numbers; the first is the baseline, `ideal` the mean if nobody waits."""
    settled = [one for one in contenders if not one.diverging]
    lost = [one for one in contenders if one.diverging]
    sentences = []
    if settled:
        sentences.append(_best(settled, contenders[0], ideal))
    if lost:
        names = joined([f"**{one.name}**" for one in lost])
        kept = " does not keep up: its queue" if len(lost) == 1 else " do not keep up: their queues"
        sentences.append(
            f"{names}{kept} grew throughout the run, so that there is no mean to compare."
        )
    if len(settled) > 1 and len(settled[0].replicates) < 2:
        sentences.append(
            "One replication cannot tell policies apart: small differences may be chance. "
            "Run again with --replications 8."
        )
    return sentences


def _best(settled: Sequence[Contender], baseline: Contender, ideal: float) -> str:
    best, *others = sorted(settled, key=lambda one: one.mean)
    floor = f"{_excess(best.mean / ideal - 1)} the {number(ideal)} of a system where nobody waits"
    if not others:
        return f"**{best.name}** has a mean response of {best}. That is {floor}."
    gain = ""
    if best is not baseline and not baseline.diverging:
        less = percent(1 - best.mean / baseline.mean)
        gain = f", and {less} less than {baseline.name} ({baseline})"
    text = f"**{best.name} has the shortest mean response**, {best}. That is {floor}{gain}."
    if len(best.replicates) < 2:
        return text
    level = 1 - (1 - LEVEL) / len(others)  # Bonferroni: one level for all comparisons together
    close = [one for one in others if not told_apart(best, one, level)]
    if close:
        names = joined([f"{one.name} ({one})" for one in close[:MOST_NAMES]])
        if len(close) > MOST_NAMES:
            names += f", and {len(close) - MOST_NAMES} others"
        return f"{text} **No significant difference** from {names}."
    return (
        f"{text} The next best, {others[0].name} ({others[0]}), "
        f"is told apart from it with {LEVEL:.0%} confidence."
    )


def told_apart(one: Contender, other: Contender, level: float = LEVEL) -> bool:
    """Is the paired difference of the mean responses clear of zero? The stream is common."""
    pairs = zip(one.replicates, other.replicates, strict=True)
    found = student_interval([a - b for a, b in pairs], level)
    return not math.isnan(found.half_width) and abs(found.mean) > found.half_width


def _excess(share: float) -> str:
    """Chance can put a mean below that of a system where nobody waits."""
    return "as good as" if share < 0.005 else f"{percent(share)} above"


def percent(share: float) -> str:
    return f"{100 * share:.2g}%" if abs(share) < 0.995 else f"{100 * share:,.0f}%"


def joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
