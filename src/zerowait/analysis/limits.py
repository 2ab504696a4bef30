"""The many-server limits (Lemma 1, Theorems 1 and 2), and how fast the bounds reach them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.bounds import helper_bounds, own_servers_wait
from zerowait.model import Workload, critical, subcritical
from zerowait.model.quantities import Floats, finite, positive, rational, refuse, whole
from zerowait.model.scaling import NeedScale, need_scale


def normal_hazard(slack: ArrayLike) -> Floats:
    """Return phi(x) / Phi(x), also far to the left where both vanish (there it is close to -x).

    Lemma 1: the limit of sqrt(s) E_s(a) as (1 - a/s) sqrt(s) -> x, of either sign.
    """
    from scipy.special import log_ndtr

    x = np.asarray(slack, dtype=np.float64)
    return np.asarray(np.exp(-x * x / 2 - math.log(2 * math.pi) / 2 - log_ndtr(x)))


def halfin_whitt(slack: ArrayLike) -> Floats:
    """Return the limit of Erlang's C there: 1 / (1 + theta Phi / phi); 1 from theta <= 0 on.

    Halfin and Whitt 1981.
    """
    x = np.asarray(slack, dtype=np.float64)
    room = np.maximum(x, 0.0)
    with np.errstate(divide="ignore"):  # far out the hazard vanishes, and so does C
        return np.asarray(1 / (1 + room / normal_hazard(room)))


@dataclass(frozen=True)
class CriticalLimit:
    """Theorem 2: what sqrt(k / f_k) times the bound tends to, and what else is known there."""

    slack: float  # theta
    class_slacks: tuple[float, ...]  # theta_i
    constant: float  # theta sum of alpha_i / theta_i phi(theta_i) / Phi(theta_i)
    p_wait: float  # limit of the Erlang C bound on P(wait) under bs: it does not vanish

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def theorem_2(workload: Workload, slack: float, need_scale: int = 1) -> CriticalLimit:
    """Return the critical limit for needs n_i f_k; the workload's own are n_i x need_scale.

    theta_i = theta sqrt(demand_i / (n_i demand)); floors and psi change the slots by a bounded
    number and vanish in the limit (psi itself need not become 1; docs/decisions/0101).
    """
    slack = positive("slack", slack)
    roots = np.sqrt(_slots_per_server(workload, need_scale))
    thetas = slack * roots
    return CriticalLimit(
        slack=slack,
        class_slacks=tuple(thetas.tolist()),
        constant=math.fsum(workload.shares / roots * normal_hazard(thetas)),
        p_wait=math.fsum(workload.shares * halfin_whitt(thetas)),
    )


@dataclass(frozen=True)
class SubcriticalLimit:
    """Theorem 1 at a fixed load, and the speed that Stirling's formula adds to it."""

    load: float
    bound: float  # P_H -> 0
    response: float  # R -> sum of alpha_i d_i
    decay: float  # -log(bound) f_k / k tends to this

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def theorem_1(workload: Workload, load: float, need_scale: int = 1) -> SubcriticalLimit:
    """Return the subcritical limit: log E_s(rho s) / s -> -(rho - 1 - log rho), so the class with
    the fewest slots decides."""
    load = finite("load", load)
    if not 0 < load < 1:
        raise refuse("load", load, "must be above 0 and below 1")
    rate = load - 1 - math.log(load)
    fewest = float(np.min(_slots_per_server(workload, need_scale)))
    return SubcriticalLimit(load, 0.0, workload.mean_service, fewest * rate)


def _slots_per_server(workload: Workload, need_scale: int) -> Floats:
    """Return demand_i / (n_i demand): the slots of class i per k / f_k, as k grows."""
    needs = workload.needs / need_scale
    return np.asarray(workload.demands / (needs * workload.demand))


def critical_estimate(workload: Workload, servers: int) -> float:
    """Read Theorem 2 at one k: sum of alpha_i phi(theta_i) / (Phi(theta_i) sqrt(c_i)).

    c_i = k demand_i / (n_i demand) and theta_i = (1 - rho) sqrt(c_i); no need scale enters.
    """
    roots = np.sqrt(servers * _slots_per_server(workload, 1))
    thetas = (1 - workload.load(servers)) * roots
    return math.fsum(workload.shares / roots * normal_hazard(thetas))


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
    """Follow Theorem 2 along k: needs n_i f_k at load 1 - slack / sqrt(k / f_k)."""
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
    """Follow Theorem 1 along k, at a fixed load."""
    limit = theorem_1(base, load).decay
    rows = []
    for k in servers:
        factor = _factor(k, scale)
        rows.append(_row(subcritical(base, k, load, factor), k, factor, limit, None))
    return tuple(rows)


def as_dicts(rows: Sequence[ConvergenceRow]) -> list[dict[str, Any]]:
    """Return rows ready for JSON: what is infinite becomes None."""
    return [
        {key: value if _is_finite(value) else None for key, value in vars(row).items()}
        for row in rows
    ]


def base_of(workload: Workload) -> tuple[Workload, int]:
    """Return the workload with needs divided by what all of them share, and that number."""
    factor = math.gcd(*(c.need for c in workload.classes))
    classes = tuple(replace(c, need=c.need // factor) for c in workload.classes)
    return replace(workload, classes=classes), factor


def scale_through(servers: int, factor: int, exponent: Fraction | float) -> NeedScale:
    """Return the function k' -> floor(factor (k' / servers)**exponent), at least 1, exactly.

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
