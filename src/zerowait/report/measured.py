"""What results say of a measure, as values to show.

The register of measures decides what each is called, how it is written, and what a run that
diverges does not have; nothing else in reports does.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerowait.experiment.measures import MEASURES, Measure, split_column
from zerowait.report.numbers import Form, Value

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.comparison import Comparison
    from zerowait.experiment.results.result import ClassKey, Result

WORDS = {"p50": "median", "p95": "p95", "p99": "p99", "p999": "p99.9", "max": "longest"}
BEFORE = ("median", "longest")  # the measure's name


def labelled(name: str) -> Measure:
    """Find a measure, or a quantile or the maximum of one, as `wait_p99`."""
    whole, part = split_column(name)
    if not part:
        return MEASURES[whole]
    words = (MEASURES[whole].label, WORDS[part])
    label = " ".join(reversed(words) if WORDS[part] in BEFORE else words)
    return replace(MEASURES[whole], name=name, label=label)


def is_measure(name: str) -> bool:
    """Tell whether a column is a measure that is shown; spreads are not."""
    whole, part = split_column(name)
    return whole in MEASURES and part in ("", *WORDS)


def heading(name: str) -> str:
    """Write `mean response`, but `P(wait)`: with the word where it is the mean over jobs."""
    label = labelled(name).label
    return f"mean {label}" if name in MEASURES and MEASURES[name].moment is not None else label


def form_of(name: str, seconds: bool = False) -> Form:
    """Choose how a measure is written; times are durations where their unit is the second."""
    form = labelled(name).form
    if form == "share":
        return "share"
    return "duration" if form == "duration" and seconds else "number"


def in_seconds(result: "Result") -> bool:
    """Tell whether times are seconds: those of logs are, a workload's unit is its author's."""
    return result.overall.bounded_slowdown is not None


def measures_in(results: Iterable["Result"]) -> list[str]:
    """List the measures that some of the results have, in the order of tables."""
    absent = {"splits", "replays", "preemptions", "lost"}
    for one in results:
        whole = one.overall
        present = {"splits": one.split is not None, "replays": in_seconds(one),
                   "preemptions": whole.preemptions != 0, "lost": whole.lost != 0}  # fmt: skip
        absent -= {name for name, is_present in present.items() if is_present}
    return [name for name, one in MEASURES.items() if (one.only or name) not in absent]


def value_of(
    name: str,
    value: float | None,
    half_width: float | None = None,
    *,
    seconds: bool = False,
    diverging: bool = False,
) -> Value:
    """Make a value to show; a run that diverges has nothing that needs a steady state."""
    form = form_of(name, seconds)
    if diverging and labelled(name).steady:
        return Value(None, form, diverging=True)
    if seconds and value == math.inf:  # of jobs without service; bounded slowdown tells more
        value = None
    return Value(value, form, half_width)


def row_value(row: Mapping[str, Any], name: str, seconds: bool = False) -> Value:
    """Make a value of a row of results, whose half-widths stand beside the means."""
    return value_of(
        name, row.get(name), row.get(f"{name}_half_width"), seconds=seconds,
        diverging=bool(row.get("diverging")),
    )  # fmt: skip


def table_rows(result: "Result") -> list[dict[str, Any]]:
    """Return one row per class, then one for all jobs, and whether the run diverged."""
    return [row | {"diverging": result.diverging} for row in result.rows()]


def compared(
    comparison: "Comparison", result: "Result", name: str, job_class: "ClassKey" = None
) -> Value:
    """Return the comparison's own estimate, without an interval for a run that diverges.

    Of a log the intervals are those of each replay, over the weeks that it has.
    """
    if comparison.in_seconds:
        return replayed(result, name, job_class)
    if result.diverging:
        return value_of(name, result.mean(name, job_class), diverging=True)
    found = comparison.interval(result, name, job_class)
    return value_of(name, found.mean, found.half_width)


def replayed(outcome: "Result", name: str, job_class: "ClassKey" = None) -> Value:
    """Return a mean of all jobs or of a class, with the interval over weeks where there is one."""
    value = value_of(name, outcome.mean(name, job_class), seconds=True, diverging=outcome.diverging)
    found = outcome.interval(name, job_class=job_class)
    if not found.known or not value.known:
        return value
    return replace(value, bounds=(found.low, found.high))
