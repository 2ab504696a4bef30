"""The paper's nouns: classes, workloads, laws, arrivals, the balanced split, scalings."""

from zerowait.model import workloads
from zerowait.model.arrivals import ArrivalProcess, FixedTimes, Poisson, Renewal, Rhythm
from zerowait.model.errors import EngineError, InputError
from zerowait.model.jobs import Jobs, apply_overruns
from zerowait.model.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    Gamma,
    Hyperexponential,
    Law,
    Lognormal,
    Mixture,
    Pareto,
    Uniform,
    Weibull,
)
from zerowait.model.laws.base import Draws
from zerowait.model.scaling import critical, critical_load, need_scale, subcritical
from zerowait.model.split import (
    Split,
    balanced_split,
    proportional_demands,
    split_demands,
    split_from_slots,
)
from zerowait.model.workload import JobClass, Workload

__all__ = [
    "ArrivalProcess",
    "BoundedPareto",
    "Deterministic",
    "Draws",
    "Empirical",
    "EngineError",
    "Erlang",
    "Exponential",
    "FixedTimes",
    "Gamma",
    "Hyperexponential",
    "InputError",
    "JobClass",
    "Jobs",
    "Law",
    "Lognormal",
    "Mixture",
    "Pareto",
    "Poisson",
    "Renewal",
    "Rhythm",
    "Split",
    "Uniform",
    "Weibull",
    "Workload",
    "apply_overruns",
    "balanced_split",
    "critical",
    "critical_load",
    "need_scale",
    "proportional_demands",
    "split_demands",
    "split_from_slots",
    "subcritical",
    "workloads",
]
