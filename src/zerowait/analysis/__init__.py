"""What can be known without simulating: formulas, limits, small chains, approximations."""

from zerowait.analysis.bounds import HelperBounds, helper_bounds, time_in_own_servers
from zerowait.analysis.chain import ExactResult, solve_exactly
from zerowait.analysis.convergence import ConvergenceRow, critical_table, subcritical_table
from zerowait.analysis.erlang import (
    carried,
    erlang_b,
    erlang_c,
    idle,
    log_erlang_b,
    log_erlang_b_slopes,
    log_erlang_c,
    log_erlang_c_slopes,
)
from zerowait.analysis.erlang_inverse import (
    offered_for_blocking,
    offered_for_waiting,
    servers_for_blocking,
    servers_for_waiting,
)
from zerowait.analysis.limits import (
    CriticalLimit,
    SubcriticalLimit,
    critical_estimate,
    halfin_whitt,
    lemma_1,
    theorem_1,
    theorem_2,
)
from zerowait.analysis.overflow import (
    HelperTraffic,
    hayward_blocking,
    hayward_waiting,
    helper_traffic,
    overflow_moments,
    peakedness,
)
from zerowait.analysis.response import ApproximateResponse, approximate_response
from zerowait.analysis.saturated import FcfsCapacity, fcfs_capacity
from zerowait.analysis.stability import StableRates, stable_rates
from zerowait.analysis.waiting import OwnServersWait, own_servers_wait

__all__ = [
    "ApproximateResponse",
    "ConvergenceRow",
    "CriticalLimit",
    "ExactResult",
    "FcfsCapacity",
    "HelperBounds",
    "HelperTraffic",
    "OwnServersWait",
    "StableRates",
    "SubcriticalLimit",
    "approximate_response",
    "carried",
    "critical_estimate",
    "critical_table",
    "erlang_b",
    "erlang_c",
    "fcfs_capacity",
    "halfin_whitt",
    "hayward_blocking",
    "hayward_waiting",
    "helper_bounds",
    "helper_traffic",
    "idle",
    "lemma_1",
    "log_erlang_b",
    "log_erlang_b_slopes",
    "log_erlang_c",
    "log_erlang_c_slopes",
    "offered_for_blocking",
    "offered_for_waiting",
    "overflow_moments",
    "own_servers_wait",
    "peakedness",
    "servers_for_blocking",
    "servers_for_waiting",
    "solve_exactly",
    "stable_rates",
    "subcritical_table",
    "theorem_1",
    "theorem_2",
    "time_in_own_servers",
]
