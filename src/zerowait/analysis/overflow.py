"""What overflows from the own servers to the helpers: Wilkinson's moments and Hayward's formula."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.bounds import offered_slots
from zerowait.analysis.erlang import Floats, erlang_b, erlang_c, idle
from zerowait.model import Split, Workload, balanced_split
from zerowait.model.workloads import as_workload


def overflow_moments(servers: ArrayLike, offered: ArrayLike) -> tuple[Floats, Floats]:
    """Mean m = a E_s(a) and variance v = m (1 - m + a / (s + 1 - a + m)) of the overflow.

    Of the number busy in an infinite group that takes what M/M/s/s turns away (Wilkinson 1956,
    after Kosten); s may be real. s - a + m is the number of idle servers, taken without
    cancellation. Exact for exponential service.
    """
    a = np.asarray(offered, dtype=np.float64)
    mean = np.asarray(a * erlang_b(servers, a))
    variance = mean * (1 - mean + a / (1 + np.asarray(idle(servers, a))))
    return mean, np.maximum(variance, 0.0)


def hayward_waiting(servers: float, mean: float, peakedness: float) -> float:
    """Hayward's reading of peaked traffic (Fredericks 1980) for Erlang's C: C(N/z, m/z)."""
    return erlang_c(servers / peakedness, mean / peakedness)


@dataclass(frozen=True)
class HelperTraffic:
    """The traffic that mbs offers to the helpers, in servers."""

    split: Split
    class_means: Floats  # per class: busy servers, were there helpers without end
    class_variances: Floats  # per class
    class_services: Floats  # per class: mean service times

    @property
    def mean(self) -> float:
        """M = sum of n_i m_i."""
        return math.fsum(self.class_means)

    @property
    def variance(self) -> float:
        """V = sum of n_i^2 v_i: under mbs the classes overflow independently."""
        return math.fsum(self.class_variances)

    @property
    def peakedness(self) -> float:
        """Z = V / M, in servers: both bursts and needs count (n for Poisson jobs of need n)."""
        return self.variance / self.mean if self.mean > 0 else 1.0

    @property
    def load(self) -> float:
        """Proposition 1's left side."""
        return self.mean / self.split.helpers if self.split.helpers else math.inf

    def wait(self, capacity: float = 1.0) -> float:
        """Approximate mean wait of a job sent to helpers that can do `capacity` of their number.

        Hayward's reading of M/M/s: C(N/Z, M/Z) T / (N - M) with N = capacity x helpers and
        T = sum of n_i^2 v_i d_i / M, which is right for M/G/1 and for M/M/s. Infinite from
        M = N on.
        """
        usable = capacity * self.split.helpers
        if self.mean >= usable:
            return math.inf
        if self.mean == 0:
            return 0.0
        scale = math.fsum(self.class_variances * self.class_services) / self.mean
        return hayward_waiting(usable, self.mean, self.peakedness) * scale / (usable - self.mean)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "mean": self.mean,
            "variance": self.variance,
            "peakedness": self.peakedness,
            "load": self.load if self.split.helpers else None,
        }


def helper_traffic(
    workload: Workload | str, servers: int, split: Split | None = None
) -> HelperTraffic:
    """What the own servers of a workload turn away under mbs."""
    workload = as_workload(workload, servers)
    split = balanced_split(workload, servers) if split is None else split
    mean, variance = overflow_moments(
        np.array(split.slots, dtype=np.float64), offered_slots(workload, servers)
    )
    needs = workload.needs.astype(np.float64)
    return HelperTraffic(split, needs * mean, needs**2 * variance, workload.mean_services)
