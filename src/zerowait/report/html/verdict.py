"""A comparison in plain sentences: who is best, by how much, and whether the runs can tell."""

import math
from collections.abc import Sequence

from zerowait.experiment.compare import Comparison
from zerowait.experiment.result import Interval, Result, mean_of, student_interval
from zerowait.report.palette import short_name
from zerowait.report.tables import number

LEVEL = 0.95


def verdict(comparison: Comparison) -> list[str]:
    """The first sentence names the best; the others say what must not be read into it."""
    settled = [result for result in comparison.results if not result.diverging]
    lost = [result for result in comparison.results if result.diverging]
    sentences = []
    if settled:
        sentences.append(_best(comparison, settled))
    if lost:
        names = joined([f"**{short_name(result.policy)}**" for result in lost])
        kept = " does not keep up: its queue" if len(lost) == 1 else " do not keep up: their queues"
        sentences.append(
            f"{names}{kept} grew throughout the run, so that there is no mean to compare."
        )
    if len(comparison.results[0].replicates) < 2:
        sentences.append(
            "One replication gives no intervals: small differences may be chance. "
            "Run again with --replications 8."
        )
    return sentences


def _best(comparison: Comparison, settled: Sequence[Result]) -> str:
    ranked = sorted(settled, key=lambda result: result.response)
    best, others = ranked[0], ranked[1:]
    excess = best.response / comparison.mean_service - 1
    ideal = number(comparison.mean_service)
    floor = f"{percent(excess)} above the {ideal} of a system where nobody waits"
    if not others:
        return (
            f"**{short_name(best.policy)}** has a mean response of {_mean(best)}, which is {floor}."
        )
    level = 1 - (1 - LEVEL) / len(others)  # Bonferroni: one level for all comparisons together
    close = [one for one in others if not told_apart(best, one, level)]
    text = (
        f"**{short_name(best.policy)} has the shortest mean response**, {_mean(best)}. "
        f"That is {floor}{_against_baseline(comparison, best)}."
    )
    single = len(best.replicates) < 2
    if close and not single:
        names = joined([f"{short_name(one.policy)} ({_mean(one)})" for one in close])
        text += f" **No significant difference** from {names}."
    elif not single:
        text += (
            f" The next best, {short_name(others[0].policy)} ({_mean(others[0])}), "
            "is told apart from it with 95% confidence."
        )
    return text


def _against_baseline(comparison: Comparison, best: Result) -> str:
    baseline = comparison.results[0]
    if best is baseline or baseline.diverging:
        return ""
    less = 1 - best.response / baseline.response
    return f", and {percent(less)} less than {short_name(baseline.policy)} ({_mean(baseline)})"


def told_apart(one: Result, other: Result, level: float = LEVEL) -> bool:
    """Is the paired difference of the mean responses clear of zero? The stream is common."""
    found = paired_difference(one, other, level)
    return not math.isnan(found.half_width) and abs(found.mean) > found.half_width


def paired_difference(one: Result, other: Result, level: float = LEVEL) -> Interval:
    pairs = zip(one.replicates, other.replicates, strict=True)
    differences = [mean_of(a, "response") - mean_of(b, "response") for a, b in pairs]
    return student_interval(differences, level)


def _mean(result: Result) -> str:
    mean, half = number(result.response), result.interval().half_width
    return mean if math.isnan(half) else f"{mean} ± {half:.2g}"


def percent(share: float) -> str:
    return f"{100 * share:.2g}%" if abs(share) < 1 else f"{100 * share:,.0f}%"


def joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
