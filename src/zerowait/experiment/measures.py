"""The register of measures: what each is called, means and looks like, and when there is none.

Results, tables, pages and documents go through `MEASURES`; a new measure is one entry here.
"""

from dataclasses import dataclass
from typing import Literal

from zerowait.engine.statistics.sums import (
    BOUNDED_SLOWDOWN,
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


@dataclass(frozen=True)
class Measure:
    """One column of every result; its mean is a sum over jobs, or an integral over time."""

    name: str
    label: str  # in tables and on axes
    meaning: str
    form: Form
    steady: bool  # needs a steady state: a diverging run has none
    better: Literal["low", "high"] | None  # which way policies are ranked
    moment: int | None = None  # where the engine keeps sum, squares and maximum over jobs
    count: int | None = None  # where the engine counts the jobs, or events of jobs
    has_quantiles: bool = False
    only: Literal["splits", "replays"] | None = None  # where it is measured


_ALL = (
    Measure(
        "response", "response", "From arrival to end.",
        "duration", True, "low", moment=RESPONSE, has_quantiles=True,
    ),
    Measure(
        "wait", "wait", "Response less service; all pauses are included.",
        "duration", True, "low", moment=WAIT, has_quantiles=True,
    ),
    Measure(
        "slowdown", "slowdown", "Response divided by service.",
        "ratio", True, "low", moment=SLOWDOWN,
    ),
    Measure(
        "bounded_slowdown", "bounded slowdown",
        "Response divided by service, where a service counts as 10 s at least, and the ratio as 1.",
        "ratio", True, "low", moment=BOUNDED_SLOWDOWN, only="replays",
    ),
    Measure(
        "p_wait", "P(wait)",
        "The share of jobs that were not in service from the instant of their arrival.",
        "share", False, "low", count=WAITED,
    ),
    Measure(
        "utilisation", "utilisation", "Busy servers divided by all servers, averaged over time.",
        "share", False, "high",
    ),
    Measure(
        "in_system", "in system", "Jobs that wait or are in service, averaged over time.",
        "number", True, "low",
    ),
    Measure(
        "preemptions", "preemptions", "How often a job is paused.",
        "number", False, "low", count=PREEMPTIONS,
    ),
    Measure(
        "routed_to_helpers", "routed to helpers",
        "The share of jobs that found their own servers busy.",
        "share", False, None, count=ROUTED_TO_HELPERS, only="splits",
    ),
    Measure(
        "served_by_helpers", "served by helpers",
        "The share of jobs that ran on the helpers. The paper's Erlang bound is on this alone, and "
        "bounds neither routing nor waiting under Balanced Splitting.",
        "share", False, None, count=SERVED_BY_HELPERS, only="splits",
    ),
)  # fmt: skip

# In the order of tables.
MEASURES = {one.name: one for one in _ALL}
