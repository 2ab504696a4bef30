"""What can be known without simulating: formulas, limits, small chains, overflow."""

from zerowait.analysis.bounds import (
    Claim,
    HelperBounds,
    HelperTraffic,
    OwnServersWait,
    corollary_1,
    helper_bounds,
    helper_traffic,
    overflow_moments,
    own_servers_wait,
)
from zerowait.analysis.erlang import (
    erlang_b,
    erlang_c,
    idle,
    log_erlang_b,
    log_erlang_c,
)
from zerowait.analysis.limits import (
    ConvergenceRow,
    CriticalLimit,
    SubcriticalLimit,
    critical_estimate,
    critical_table,
    halfin_whitt,
    subcritical_table,
    theorem_1,
    theorem_2,
)
from zerowait.analysis.small_system import ExactResult, solve_exactly
from zerowait.analysis.stability import FcfsCapacity, StableRates, fcfs_capacity, stable_rates

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
