"""Simulate, replay, compare, sweep: from workloads and logs to results.

Names are found on first use: the command line reads the register of options for its help, which
must not wait for the engine. `zerowait` itself tells type checkers of them.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Advice": "plans.advice",
    "Capacity": "simulation.capacity",
    "Comparison": "comparisons.comparison",
    "FitCheck": "comparisons.fit_check",
    "Interval": "statistics.intervals",
    "LogComparison": "comparisons.comparison",
    "Optimisation": "optimisation.optimise",
    "Replay": "results.result",
    "Result": "results.result",
    "SaturatedRate": "simulation.stability",
    "Sweep": "sweeps.sweep",
    "SweepOutcome": "sweeps.run",
    "UnstableWarning": "simulation.workload_setup",
    "capacity": "simulation.capacity",
    "check_fit": "comparisons.fit_check",
    "compare": "comparisons.compare",
    "load": "sweeps.store",
    "load_workload": "files.workload_file",
    "optimise": "optimisation.optimise",
    "plan": "plans.advice",
    "replay": "simulation.simulate",
    "save_workload": "files.workload_file",
    "simulate": "simulation.simulate",
    "simulate_saturated": "simulation.stability",
    "sweep": "sweeps.run",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
