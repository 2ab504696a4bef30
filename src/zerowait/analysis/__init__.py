"""What can be known without simulating: formulas, limits, small chains, overflow."""

from zerowait.analysis.bounds import HelperBounds, helper_bounds
from zerowait.analysis.chain import ExactResult, solve_exactly
from zerowait.analysis.convergence import ConvergenceRow, critical_table, subcritical_table
from zerowait.analysis.erlang import (
    erlang_b,
    erlang_c,
    idle,
    log_erlang_b,
    log_erlang_c,
)
from zerowait.analysis.fcfs_limit import FcfsCapacity, fcfs_capacity
from zerowait.analysis.limits import (
    CriticalLimit,
    SubcriticalLimit,
    critical_estimate,
    halfin_whitt,
    theorem_1,
    theorem_2,
)
from zerowait.analysis.overflow import (
    HelperTraffic,
    helper_traffic,
    overflow_moments,
)
from zerowait.analysis.proposition_1 import StableRates, stable_rates
from zerowait.analysis.validity import Claim, corollary_1
from zerowait.analysis.waiting import OwnServersWait, own_servers_wait

__all__ = [
    "Claim",
    "ConvergenceRow",
    "CriticalLimit",
    "ExactResult",
    "FcfsCapacity",
    "HelperBounds",
    "HelperTraffic",
    "OwnServersWait",
    "StableRates",
    "SubcriticalLimit",
    "corollary_1",
    "critical_estimate",
    "critical_table",
    "erlang_b",
    "erlang_c",
    "fcfs_capacity",
    "halfin_whitt",
    "helper_bounds",
    "helper_traffic",
    "idle",
    "log_erlang_b",
    "log_erlang_c",
    "overflow_moments",
    "own_servers_wait",
    "solve_exactly",
    "stable_rates",
    "subcritical_table",
    "theorem_1",
    "theorem_2",
]
