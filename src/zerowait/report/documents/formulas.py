"""The documents of what formulas say: bounds, stability, limits, and the capacity found."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zerowait.analysis.bounds import HelperBounds, HelperTraffic, OwnServersWait
from zerowait.analysis.limits import ConvergenceRow
from zerowait.analysis.stability import StableRates
from zerowait.analysis.theory import Theory
from zerowait.experiment.simulation.capacity import Capacity
from zerowait.report.document import Cell, Document, Table, Text, columns
from zerowait.report.numbers import NONE, Value, number, share

BOUND_NOTE = (
    "'helpers <=' is the paper's P_H (Corollary 1, Erlang B): it bounds the share of jobs that "
    "run on the helpers under\nbs, and is exactly the share sent to them under mbs. It bounds "
    "neither routing nor waiting under bs: 'P(wait) <='\n(Erlang C on the own slots alone) does, "
    "for exponential service; '~': another law, so no bound, only about;\n"
    "'–': offered more than its slots can do (or, of a wait, services of infinite variance)."
)
CONVERGENCE_NOTE = (
    "load on H is Proposition 1's: it must be below 1 for mbs. 'response <=' is the Erlang C bound "
    "for bs."
)
EXPONENT_NOTE = (
    "exponent: log2 of how much the waiting work grows as a run gets twice as long: 0 stable, 1 "
    "growing, 1/2 at the limit."
)
NO_HELPERS = "There are no helpers: jobs wait for their own servers, under mbs as under bs."


@dataclass(frozen=True)
class BoundsDocument(Document):
    """Corollary 1 and the waiting bound of each class, beside the split."""

    subject: HelperBounds
    waits: OwnServersWait

    def brief(self) -> Iterable[Table | Text]:
        return _bounds(self.subject, self.waits)


def _bounds(bounds: HelperBounds, waits: OwnServersWait) -> Iterable[Table | Text]:
    rows: list[list[Cell]] = []
    for i, name in enumerate(bounds.names):
        wait = float(waits.class_wait[i])
        about = "" if waits.is_bound[i] else "~"
        has_room = bounds.offered[i] < bounds.split.slots[i]
        rows.append(
            [
                name, bounds.split.needs[i], bounds.split.slots[i], Value(bounds.offered[i]),
                _finite(bounds.slack[i]), _probability(bounds.blocking[i]),
                about + share(bounds.waiting[i]) if has_room else NONE,
                about + number(wait) if math.isfinite(wait) else NONE, Value(bounds.overflow[i]),
            ]
        )  # fmt: skip
    overflow = Value(math.fsum(bounds.overflow))
    about = "" if all(waits.is_bound) else "~"
    bound, waiting = _probability(bounds.bound), about + share(bounds.waiting_bound)
    rows.append(["all", "", "", "", "", bound, waiting, "", overflow])
    heads = columns(
        ["class"],
        ["need", "slots", "offered", "slack", "helpers <=", "P(wait) <=", "wait <=",
         "overflow servers"],
    )  # fmt: skip
    yield Table(f"theory at load {bounds.load:.6g}", heads, rows, total=True)
    yield Text(BOUND_NOTE if bounds.split.helpers else NO_HELPERS, "dim")


@dataclass(frozen=True)
class TheoryDocument(Document):
    """Everything `zerowait theory` knows, and how bounds converge where that was asked for."""

    subject: Theory
    rows: Sequence[ConvergenceRow] = ()
    subcritical: bool = False

    def brief(self) -> Iterable[Table | Text]:
        theory, bounds = self.subject, self.subject.bounds
        split = bounds.split
        psi = "" if split.psi is None else f", psi = {float(split.psi):.6f}"
        yield Text(
            f"{split.servers} servers, {split.helpers} of them helpers{psi}; "
            f"load {bounds.load:.6g}, arrival rate {theory.arrival_rate:.6g}, "
            f"mean service {number(theory.mean_service)}"
        )
        yield from _bounds(bounds, theory.waits)
        yield Table("results", columns(["", "", ""], []), _results(theory))
        if self.rows:
            yield _convergence_table(self.rows, self.subcritical)
            yield Text(CONVERGENCE_NOTE, "dim")


def _results(theory: Theory) -> list[tuple[str, str, str]]:
    """List what holds: its name, the statement, a remark."""
    bounds, rates, traffic = theory.bounds, theory.rates, theory.traffic
    critical, limit = theory.critical, theory.subcritical
    exponential = all(theory.waits.is_bound)
    return [
        *_results_on_helpers(bounds, rates),
        (
            "own servers",
            f"bs stable below load {rates.load_by_own_servers:.4f}",
            "any auxiliary: every class fits its own slots"
            if rates.by_own_servers > 0
            else "says nothing here: some class has no slot",
        ),
        (
            "Theorem 1",
            f"fixed load: P_H -> 0, response -> {number(limit.response)}",
            f"like exp(-{limit.decay:.3g} k / f_k)",
        ),
        (
            "Theorem 2",
            f"slack {critical.slack:.4g}: sqrt(k / f_k) bound -> {critical.constant:.6g}",
            f"here {theory.root * bounds.bound:.6g} with f = {theory.need_scale}",
        ),
        (
            "",
            f"so the bound is about {_probability(theory.critical_estimate)}",
            f"while P(wait) under bs tends to {critical.p_wait:.4f} at most"
            + ("" if exponential else " (exponential service)"),
        ),
        *_overflow(traffic),
    ]


def _results_on_helpers(bounds: HelperBounds, rates: StableRates) -> list[tuple[str, str, str]]:
    if not bounds.split.helpers:
        return [("helpers", "none: nobody is served there", "mbs is then bs")]
    load = bounds.helper_load
    return [
        (
            "Corollary 1",
            f"served_by_helpers <= {_probability(bounds.bound)}",
            "bs; equality under mbs",
        ),
        (
            "Proposition 1",
            f"load on the helpers {_finite(load)}: {'holds' if load < 1 else 'fails'}",
            "sufficient, for a throughput-optimal auxiliary (fcfs is not)",
        ),
        (
            "",
            f"holds below load {rates.load_by_helpers:.4f}",
            f"arrival rate {rates.by_helpers:.6g}",
        ),
    ]


def _overflow(traffic: HelperTraffic) -> list[tuple[str, str, str]]:
    if not traffic.split.helpers:
        return []
    busy = f"{number(traffic.mean)} servers busy, variance {number(traffic.variance)}"
    return [("overflow (mbs)", busy, f"peakedness {number(traffic.peakedness)}")]


def _convergence_table(rows: Sequence[ConvergenceRow], subcritical: bool) -> Table:
    theorem = "Theorem 1" if subcritical else "Theorem 2"
    scaled = "-log(bound) f / k" if subcritical else "sqrt(k / f) bound"
    heads = columns(
        [],
        ["k", "f", "load", "psi", "slots", "helpers", "bound", scaled, "limit", "load on H",
         "P(wait) <=", "response <="],
    )  # fmt: skip
    cells: list[list[Cell]] = [
        [
            row.servers, row.need_scale, f"{row.load:.5f}", f"{row.psi:.5f}",
            "/".join(map(str, row.slots)) if len(row.slots) <= 4 else f"{len(row.slots)} classes",
            row.helpers, _probability(row.bound), _finite(row.scaled), f"{row.limit:.5g}",
            _finite(row.helper_load), share(row.p_wait_bound), Value(row.response_bound),
        ]
        for row in rows
    ]  # fmt: skip
    return Table(f"convergence ({theorem})", heads, cells)


@dataclass(frozen=True)
class CapacityDocument(Document):
    """How runs at each load grew, the interval they leave, and what is known of FCFS."""

    subject: Capacity
    saturated: Mapping[str, Any] | None = None

    def brief(self) -> Iterable[Table | Text]:
        capacity = self.subject
        title = f"{capacity.policy} on {capacity.servers} servers: growth of the waiting work"
        rows: list[list[Cell]] = [
            [f"{look.load:.5f}", look.arrivals, str(look.exponent), look.verdict]
            for look in capacity.looks
        ]
        yield Table(title, columns([], ["load", "arrivals", "exponent", "verdict"]), rows)
        confidence = 100 * (1 - capacity.error)
        most = "1 (the most any policy can do)"
        top = most if capacity.growing == 1 else f"{capacity.growing:.5f}"
        yield Text(f"stable up to a load between {capacity.stable:.5f} and {top} ({confidence:g}%)")
        yield Text(EXPONENT_NOTE, "dim")
        if self.saturated is not None:
            load = self.saturated["load"]
            text = f"{load:.6f}" if isinstance(load, float) else (
                f"{load['mean']:.6f} ± {load['half_width']:.2g}"
            )  # fmt: skip
            method = self.saturated["method"]
            yield Text(f"saturated system ({method}): stable below load {text}")


def _finite(value: float) -> str:
    return number(value) if math.isfinite(value) else NONE


def _probability(value: float) -> str:
    return share(value) if value >= 1e-3 else f"{value:.3g}"
