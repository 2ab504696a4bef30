"""zerowait: simulate, analyse and plan clusters that run multiserver jobs.

    import zerowait as zw
    w = zw.workloads.figure1(servers=2048)
    zw.simulate(w, servers=2048, policy="bs:fcfs").response

Public names are found on first use, so that importing the package costs next to nothing.
"""

from zerowait._screens import show_with
from zerowait._version import __version__

TYPE_CHECKING = False  # for type checkers it is true, and nothing else is imported here
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from zerowait.analysis import (
        ExactResult,
        HelperBounds,
        erlang_b,
        erlang_c,
        helper_bounds,
        solve_exactly,
        stable_rates,
    )
    from zerowait.experiment.comparisons.compare import compare
    from zerowait.experiment.comparisons.comparison import Comparison, LogComparison
    from zerowait.experiment.comparisons.fit_check import FitCheck, check_fit
    from zerowait.experiment.files.workload_file import load_workload, save_workload
    from zerowait.experiment.optimisation.optimise import Optimisation, optimise
    from zerowait.experiment.plans.advice import Advice, plan
    from zerowait.experiment.results.result import Replay, Result
    from zerowait.experiment.simulation.capacity import Capacity, capacity
    from zerowait.experiment.simulation.simulate import replay, simulate
    from zerowait.experiment.simulation.workload_setup import UnstableWarning
    from zerowait.experiment.statistics.intervals import Interval
    from zerowait.experiment.sweeps.run import SweepOutcome, sweep
    from zerowait.experiment.sweeps.store import load
    from zerowait.experiment.sweeps.sweep import Sweep
    from zerowait.model import (
        ArrivalProcess,
        BoundedPareto,
        Deterministic,
        Empirical,
        EngineError,
        Erlang,
        Exponential,
        FixedTimes,
        Gamma,
        Hyperexponential,
        InputError,
        JobClass,
        Jobs,
        Law,
        Lognormal,
        Mixture,
        Pareto,
        Poisson,
        Renewal,
        Rhythm,
        Split,
        Uniform,
        Weibull,
        Workload,
        balanced_split,
        critical,
        critical_load,
        need_scale,
        subcritical,
        workloads,
    )
    from zerowait.policies import (
        POLICIES,
        Choice,
        Policy,
        Range,
        Verdict,
        check_policy,
        parse_policy,
        register,
    )
    from zerowait.traces.description import trace_info
    from zerowait.traces.fitting.workload_fit import fit_workload
    from zerowait.traces.log import Log
    from zerowait.traces.reading import filter_log, read_log, read_trace

__all__ = [
    "POLICIES",
    "Advice",
    "ArrivalProcess",
    "BoundedPareto",
    "Capacity",
    "Choice",
    "Comparison",
    "Deterministic",
    "Empirical",
    "EngineError",
    "Erlang",
    "ExactResult",
    "Exponential",
    "FitCheck",
    "FixedTimes",
    "Gamma",
    "HelperBounds",
    "Hyperexponential",
    "InputError",
    "Interval",
    "JobClass",
    "Jobs",
    "Law",
    "Log",
    "LogComparison",
    "Lognormal",
    "Mixture",
    "Optimisation",
    "Pareto",
    "Poisson",
    "Policy",
    "Range",
    "Renewal",
    "Replay",
    "Result",
    "Rhythm",
    "Split",
    "Sweep",
    "SweepOutcome",
    "Uniform",
    "UnstableWarning",
    "Verdict",
    "Weibull",
    "Workload",
    "__version__",
    "balanced_split",
    "capacity",
    "check_fit",
    "check_policy",
    "compare",
    "critical",
    "critical_load",
    "erlang_b",
    "erlang_c",
    "filter_log",
    "fit_workload",
    "helper_bounds",
    "load",
    "load_workload",
    "need_scale",
    "optimise",
    "parse_policy",
    "plan",
    "read_log",
    "read_trace",
    "register",
    "replay",
    "save_workload",
    "simulate",
    "solve_exactly",
    "stable_rates",
    "subcritical",
    "sweep",
    "trace_info",
    "workloads",
]


def __getattr__(name: str) -> "Any":
    if name in __all__:
        from importlib import import_module

        # The layer whose names are found on first use comes first: it imports only what is asked.
        for layer in ("experiment", "model", "policies", "analysis", "traces"):
            home = import_module(f"zerowait.{layer}")
            if hasattr(home, name):
                found = globals()[name] = getattr(home, name)
                if type(found).__name__ == "function":
                    from zerowait.experiment.parameters import explain_parameters

                    explain_parameters(found)
                return found
    raise AttributeError(f"module 'zerowait' has no attribute {name!r}")


def _report() -> "ModuleType":
    from zerowait import report

    return report


show_with(_report)


def __dir__() -> list[str]:
    return sorted(__all__)
