"""The many-server limits: Lemma 1, Theorem 1 (subcritical) and Theorem 2 (critical)."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.erlang import Floats
from zerowait.model import Workload
from zerowait.model.quantities import finite, positive, refuse


def normal_hazard(slack: ArrayLike) -> Floats:
    """phi(x) / Phi(x), also far to the left where both vanish (there it is close to -x).

    Lemma 1: the limit of sqrt(s) E_s(a) as (1 - a/s) sqrt(s) -> x, of either sign.
    """
    from scipy.special import log_ndtr

    x = np.asarray(slack, dtype=np.float64)
    return np.asarray(np.exp(-x * x / 2 - math.log(2 * math.pi) / 2 - log_ndtr(x)))


def halfin_whitt(slack: ArrayLike) -> Floats:
    """lim of Erlang's C in the same regime: 1 / (1 + theta Phi / phi); 1 from theta <= 0 on.

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
    """The critical limit for needs n_i f_k, where the workload's own needs are n_i x need_scale.

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
    """The subcritical limit: log E_s(rho s) / s -> -(rho - 1 - log rho), so the class with the
    fewest slots decides."""
    load = finite("load", load)
    if not 0 < load < 1:
        raise refuse("load", load, "must be above 0 and below 1")
    rate = load - 1 - math.log(load)
    fewest = float(np.min(_slots_per_server(workload, need_scale)))
    return SubcriticalLimit(load, 0.0, workload.mean_service, fewest * rate)


def _slots_per_server(workload: Workload, need_scale: int) -> Floats:
    """demand_i / (n_i demand): the slots of class i per k / f_k, as k grows."""
    needs = workload.needs / need_scale
    return np.asarray(workload.demands / (needs * workload.demand))


def critical_estimate(workload: Workload, servers: int) -> float:
    """Theorem 2 read at one k: sum of alpha_i phi(theta_i) / (Phi(theta_i) sqrt(c_i)).

    c_i = k demand_i / (n_i demand) and theta_i = (1 - rho) sqrt(c_i); no need scale enters.
    """
    roots = np.sqrt(servers * _slots_per_server(workload, 1))
    thetas = (1 - workload.load(servers)) * roots
    return math.fsum(workload.shares / roots * normal_hazard(thetas))
