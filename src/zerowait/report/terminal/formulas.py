"""What the formulas say, as tables for a terminal."""

import math
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from zerowait.analysis.bounds import HelperBounds
from zerowait.analysis.convergence import ConvergenceRow
from zerowait.analysis.theory import Theory
from zerowait.analysis.waiting import OwnServersWait
from zerowait.experiment.simulation.capacity import Capacity
from zerowait.report.terminal.results import number, plain_table, share

BOUND_NOTE = (
    "'helpers <=' is the paper's P_H (Corollary 1, Erlang B): it bounds the share of jobs that "
    "run on the helpers under\nbs, and is exactly the share sent to them under mbs. It bounds "
    "neither routing nor waiting under bs: 'P(wait) <='\n(Erlang C on the own slots alone) does, "
    "for exponential service; '~': another law, so no bound, only about;\n"
    "'–': offered more than its slots can do, so no bound."
)


def show_bounds(console: Console, bounds: HelperBounds, waits: OwnServersWait) -> None:
    """Per class: Corollary 1 and the waiting bound beside the split."""
    table = plain_table(f"theory at load {bounds.load:.6g}")
    table.add_column("class")
    for name in ("need", "slots", "offered", "slack", "helpers <=", "P(wait) <=", "wait <=",
                 "overflow servers"):  # fmt: skip
        table.add_column(name, justify="right")
    for i, name in enumerate(bounds.names):
        wait = float(waits.class_wait[i])
        about = "" if waits.is_bound[i] else "~"
        table.add_row(
            name, str(bounds.split.needs[i]), str(bounds.split.slots[i]),
            number(bounds.offered[i]), _finite(bounds.slack[i]), _probability(bounds.blocking[i]),
            about + share(bounds.waiting[i]) if math.isfinite(wait) else "–",
            about + number(wait) if math.isfinite(wait) else "–",
            number(bounds.overflow[i]),
        )  # fmt: skip
    table.add_section()
    table.add_row(
        "all", "", "", "", "", _probability(bounds.bound), share(bounds.waiting_bound), "",
        number(math.fsum(bounds.overflow)),
    )  # fmt: skip
    console.print(table)
    console.print(BOUND_NOTE, style="dim")


def show_theory(console: Console, theory: Theory) -> None:
    """Everything `zerowait theory` knows."""
    split, bounds = theory.bounds.split, theory.bounds
    psi = "" if split.psi is None else f", psi = {float(split.psi):.6f}"
    console.print(
        f"{split.servers} servers, {split.helpers} of them helpers{psi}; load {bounds.load:.6g}, "
        f"arrival rate {theory.arrival_rate:.6g}, mean service {number(theory.mean_service)}"
    )
    show_bounds(console, bounds, theory.waits)

    table = plain_table("results", show_header=False)
    for _ in range(3):
        table.add_column()
    for row in _results(theory):
        table.add_row(*row)
    console.print(table)


def _results(theory: Theory) -> list[tuple[str, str, str]]:
    """Name, statement, remark."""
    bounds, rates, traffic = theory.bounds, theory.rates, theory.traffic
    critical, limit = theory.critical, theory.subcritical
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
            f"while P(wait) under bs tends to {critical.p_wait:.4f} at most",
        ),
        (
            "overflow (mbs)",
            f"{number(traffic.mean)} servers busy, variance {number(traffic.variance)}",
            f"peakedness {number(traffic.peakedness)}",
        ),
    ]


def show_convergence(
    console: Console, rows: Sequence[ConvergenceRow], subcritical: bool = False
) -> None:
    """k, split, exact bound, scaled value, limit."""
    theorem = "Theorem 1" if subcritical else "Theorem 2"
    table = plain_table(f"convergence ({theorem})")
    scaled = "-log(bound) f / k" if subcritical else "sqrt(k / f) bound"
    for name in ("k", "f", "load", "psi", "slots", "helpers", "bound", scaled, "limit",
                 "load on H", "P(wait) <=", "response <="):  # fmt: skip
        table.add_column(name, justify="right")
    for row in rows:
        slots = (
            "/".join(map(str, row.slots)) if len(row.slots) <= 4 else f"{len(row.slots)} classes"
        )
        table.add_row(
            str(row.servers), str(row.need_scale), f"{row.load:.5f}", f"{row.psi:.5f}", slots,
            str(row.helpers), _probability(row.bound), _finite(row.scaled), f"{row.limit:.5g}",
            _finite(row.helper_load), share(row.p_wait_bound), number(row.response_bound),
        )  # fmt: skip
    console.print(table)
    console.print(
        "load on H is Proposition 1's: it must be below 1 for mbs. 'response <=' is the Erlang C "
        "bound for bs.",
        style="dim",
    )


def show_capacity(console: Console, capacity: Capacity, saturated: dict[str, Any] | None) -> None:
    """The looks, and the interval they leave."""
    table = plain_table(
        f"{capacity.policy} on {capacity.servers} servers: growth of the waiting work"
    )
    for name in ("load", "arrivals", "exponent", "verdict"):
        table.add_column(name, justify="right")
    for look in capacity.looks:
        table.add_row(f"{look.load:.5f}", str(look.arrivals), str(look.exponent), look.verdict)
    console.print(table)
    confidence = 100 * (1 - capacity.error)
    top = "1 (the most any policy can do)" if capacity.growing == 1 else f"{capacity.growing:.5f}"
    console.print(f"stable up to a load between {capacity.stable:.5f} and {top} ({confidence:g}%)")
    console.print(
        "exponent: log2 of how much the waiting work grows as a run gets twice as long: 0 stable, "
        "1 growing, 1/2 at the limit.",
        style="dim",
    )
    if saturated is not None:
        load = saturated["load"]
        text = f"{load:.6f}" if isinstance(load, float) else (
            f"{load['mean']:.6f} ± {load['half_width']:.2g}"
        )  # fmt: skip
        console.print(f"saturated system ({saturated['method']}): stable below load {text}")


def _finite(value: float) -> str:
    return number(value) if math.isfinite(value) else "–"


def _probability(value: float) -> str:
    return share(value) if value >= 1e-3 else f"{value:.3g}"
