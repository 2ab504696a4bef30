"""The register of measures: what each is called, means and looks like, and when there is none.

Results, tables, pages and documents go through `MEASURES`. A new measure is one entry here, the sum
that the engine keeps for it, and its name in `Measures` and `Result` (a test says so).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from zerowait.engine.sums import (
    BOUNDED_SLOWDOWN,
    LOST,
    PREEMPTIONS,
    RESPONSE,
    ROUTED_TO_HELPERS,
    SERVED_BY_HELPERS,
    SLOWDOWN,
    WAIT,
    WAITED,
)

Form = Literal["duration", "ratio", "share", "number"]
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}
N_SUMS = 3  # of a measure among the engine's moments: sum, sum of squares, maximum
HALF_WIDTH = "_half_width"  # ends the names of columns


@dataclass(frozen=True)
class Measure:
    """One column of every result; its mean is a sum over jobs, or an integral over time."""

    name: str
    form: Form
    steady: bool  # needs a steady state: a diverging run has none
    better: Literal["low", "high"] | None  # which way policies are ranked
    label: str  # in tables and on axes
    meaning: str
    moment: int | None = None  # where the engine keeps sum, squares and maximum over jobs
    count: int | None = None  # where the engine counts the jobs, or events of jobs
    area: str | None = None  # what the engine integrates over time, per class
    per_server: bool = False  # the integral is divided by the servers
    mean_alone: bool = False  # results have its mean, not its spread
    has_quantiles: bool = False
    only: Literal["splits", "replays"] | None = None  # where it is measured


_ALL = (
    Measure(
        "response", "duration", True, "low", moment=RESPONSE, has_quantiles=True,
        label="response", meaning="From arrival to end.",
    ),
    Measure(
        "wait", "duration", True, "low", moment=WAIT, has_quantiles=True,
        label="wait", meaning="Response less service; all pauses are included.",
    ),
    Measure(
        "slowdown", "ratio", True, "low", moment=SLOWDOWN,
        label="slowdown", meaning="Response divided by service.",
    ),
    Measure(
        "bounded_slowdown", "ratio", True, "low", moment=BOUNDED_SLOWDOWN, only="replays",
        label="bounded slowdown",
        meaning="Response divided by service, where services below 10 s (`--bound`) count as 10 s, "
        "and ratios below 1 as 1.",
    ),
    Measure(
        "p_wait", "share", False, "low", count=WAITED,
        label="P(wait)",
        meaning="The share of jobs that were not in service from the instant of their arrival.",
    ),
    Measure(
        "utilisation", "share", False, "high", area="busy_area", per_server=True,
        label="utilisation",
        meaning="Busy servers divided by all servers, averaged over time.",
    ),
    Measure(
        "in_system", "number", True, "low", area="in_system_area",
        label="in system", meaning="Jobs that wait or are in service, averaged over time.",
    ),
    Measure(
        "preemptions", "number", False, "low", count=PREEMPTIONS,
        label="preemptions", meaning="How often a job is paused.",
    ),
    Measure(
        "lost", "number", False, "low", moment=LOST, mean_alone=True,
        label="lost work",
        meaning="What a job paid for its pauses, in time x need; see the option preemption_cost.",
    ),
    Measure(
        "routed_to_helpers", "share", False, None, count=ROUTED_TO_HELPERS, only="splits",
        label="routed to helpers", meaning="The share of jobs that found their own servers busy.",
    ),
    Measure(
        "served_by_helpers", "share", False, None, count=SERVED_BY_HELPERS, only="splits",
        label="served by helpers",
        meaning="The share of jobs that ran on the helpers. The paper's Erlang bound is on this "
        "alone, and bounds neither routing nor waiting under Balanced Splitting.",
    ),
)  # fmt: skip

# In the order of tables.
MEASURES = {one.name: one for one in _ALL}
PARTS = ("std", "max", *QUANTILES)  # of a measure that is summed over jobs


def split_column(column: str) -> tuple[str, str]:
    """Split a column into its measure and part: ("wait", "p99"); the mean has no part."""
    whole, _, part = column.rpartition("_")
    return (whole, part) if whole in MEASURES and part in PARTS else (column, "")


def estimated(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return what intervals are made for: the means, then the quantiles, as "wait_p99"."""
    measures = tuple(measures)
    quantiles = (f"{one.name}_{key}" for one in measures if one.has_quantiles for key in QUANTILES)
    return (*(one.name for one in measures), *quantiles)


ESTIMATED = estimated(_ALL)
SIMULATED = estimated(one for one in _ALL if one.only != "replays")


def measure_of(column: str) -> Measure | None:
    """The measure that a column of a table is of: "wait", "wait_p99", "wait_half_width"."""
    return MEASURES.get(split_column(column.removesuffix(HALF_WIDTH))[0])


def needs_steady_state(column: str) -> bool:
    """Has a diverging run nothing to show in this column?"""
    measure = measure_of(column)
    return measure is not None and measure.steady
