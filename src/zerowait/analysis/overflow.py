"""What overflows from the own servers to the helpers: Wilkinson's moments."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.bounds import chosen_split, offered_slots
from zerowait.analysis.erlang import Floats, erlang_b, idle
from zerowait.model import Split, Workload
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


@dataclass(frozen=True)
class HelperTraffic:
    """The traffic that mbs offers to the helpers, in servers."""

    split: Split
    class_means: Floats  # per class: busy servers, were there helpers without end
    class_variances: Floats  # per class

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
    split = chosen_split(workload, servers, split)
    mean, variance = overflow_moments(
        np.array(split.slots, dtype=np.float64), offered_slots(workload, servers)
    )
    needs = workload.needs.astype(np.float64)
    return HelperTraffic(split, needs * mean, needs**2 * variance)
