"""Convergence tables: the exact bound along a many-server scaling, beside its limit."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from zerowait.analysis.bounds import helper_bounds
from zerowait.analysis.limits import theorem_1, theorem_2
from zerowait.analysis.waiting import own_servers_wait
from zerowait.model import Workload, critical, subcritical
from zerowait.model.quantities import whole
from zerowait.model.rationals import rational
from zerowait.model.scaling import NeedScale, need_scale


@dataclass(frozen=True)
class ConvergenceRow:
    """One system of the sequence."""

    servers: int
    need_scale: int
    load: float
    psi: float
    slots: tuple[int, ...]
    helpers: int
    bound: float  # Corollary 1
    scaled: float  # sqrt(k / f) bound (critical), -log(bound) f / k (subcritical)
    limit: float  # what `scaled` tends to
    helper_load: float  # Proposition 1
    p_wait_bound: float  # Erlang C per class
    response_bound: float | None  # bs, exponential service; None where a class is overloaded


def critical_table(
    base: Workload, slack: float, servers: Iterable[int], scale: NeedScale = need_scale
) -> tuple[ConvergenceRow, ...]:
    """Theorem 2 along k: needs n_i f_k at load 1 - slack / sqrt(k / f_k)."""
    limit = theorem_2(base, slack).constant
    rows = []
    for k in servers:
        factor = _factor(k, scale)
        scaled = math.sqrt(k / factor)
        rows.append(_row(critical(base, k, slack, factor), k, factor, limit, scaled))
    return tuple(rows)


def subcritical_table(
    base: Workload, load: float, servers: Iterable[int], scale: NeedScale = need_scale
) -> tuple[ConvergenceRow, ...]:
    """Theorem 1 along k, at a fixed load."""
    limit = theorem_1(base, load).decay
    rows = []
    for k in servers:
        factor = _factor(k, scale)
        rows.append(_row(subcritical(base, k, load, factor), k, factor, limit, None))
    return tuple(rows)


def as_dicts(rows: Sequence[ConvergenceRow]) -> list[dict[str, Any]]:
    """Ready for JSON: what is infinite becomes None."""
    return [
        {key: value if _is_finite(value) else None for key, value in vars(row).items()}
        for row in rows
    ]


def base_of(workload: Workload) -> tuple[Workload, int]:
    """The workload with needs divided by what all of them share, and that number."""
    factor = math.gcd(*(c.need for c in workload.classes))
    classes = tuple(replace(c, need=c.need // factor) for c in workload.classes)
    return replace(workload, classes=classes), factor


def scale_through(servers: int, factor: int, exponent: Fraction | float) -> NeedScale:
    """k' -> floor(factor (k' / servers)**exponent), at least 1, in exact integers.

    The need scale that passes through `factor` at `servers`: for Figure 1 at k = 2048 with
    exponent 2/3 it is the paper's floor((k / 32)**(2/3)).
    """
    power = rational("exponent", exponent)
    p, q = power.numerator, power.denominator

    def scale(other: int) -> int:
        bound = factor**q * whole("servers", other) ** p
        estimate = max(1, int(factor * (other / servers) ** float(power)))
        while (estimate + 1) ** q * servers**p <= bound:
            estimate += 1
        while estimate > 1 and estimate**q * servers**p > bound:
            estimate -= 1
        return estimate

    return scale


def _factor(servers: int, scale: NeedScale) -> int:
    return whole("need_scale", scale(servers) if callable(scale) else scale)


def _row(
    workload: Workload, servers: int, factor: int, limit: float, root: float | None
) -> ConvergenceRow:
    bounds = helper_bounds(workload, servers)
    bound = bounds.bound
    if root is None:
        scaled = -bounds.log_bound * factor / servers
    else:
        scaled = root * bound
    waits = own_servers_wait(workload, servers, bounds.split)
    return ConvergenceRow(
        servers=servers,
        need_scale=factor,
        load=bounds.load,
        psi=float(bounds.split.psi or 0),
        slots=bounds.split.slots,
        helpers=bounds.split.helpers,
        bound=bound,
        scaled=scaled,
        limit=limit,
        helper_load=bounds.helper_load,
        p_wait_bound=waits.p_wait,
        response_bound=waits.response if math.isfinite(waits.response) else None,
    )


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
