"""Simulate, replay, compare, sweep: from workloads and logs to results.

Names are found on first use: the command line reads the register of options for its help, which
must not wait for the engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.compare import Comparison, compare
    from zerowait.experiment.files.workload_file import load_workload
    from zerowait.experiment.files.workload_writer import save_workload
    from zerowait.experiment.replays.replay import Replay, replay
    from zerowait.experiment.results.result import Result
    from zerowait.experiment.simulation.capacity import Capacity, capacity
    from zerowait.experiment.simulation.saturated_fcfs import SaturatedRate, simulate_saturated
    from zerowait.experiment.simulation.setup import UnstableWarning
    from zerowait.experiment.simulation.simulate import simulate
    from zerowait.experiment.statistics.intervals import Interval
    from zerowait.experiment.sweeps.run import SweepOutcome, sweep
    from zerowait.experiment.sweeps.store import load
    from zerowait.experiment.sweeps.sweep import Sweep

_HOMES = {
    "comparisons.compare": ("Comparison", "compare"),
    "files.workload_file": ("load_workload",),
    "files.workload_writer": ("save_workload",),
    "replays.replay": ("Replay", "replay"),
    "results.result": ("Result",),
    "simulation.capacity": ("Capacity", "capacity"),
    "simulation.saturated_fcfs": ("SaturatedRate", "simulate_saturated"),
    "simulation.setup": ("UnstableWarning",),
    "simulation.simulate": ("simulate",),
    "statistics.intervals": ("Interval",),
    "sweeps.run": ("SweepOutcome", "sweep"),
    "sweeps.store": ("load",),
    "sweeps.sweep": ("Sweep",),
}

__all__ = [
    "Capacity",
    "Comparison",
    "Interval",
    "Replay",
    "Result",
    "SaturatedRate",
    "Sweep",
    "SweepOutcome",
    "UnstableWarning",
    "capacity",
    "compare",
    "load",
    "load_workload",
    "replay",
    "save_workload",
    "simulate",
    "simulate_saturated",
    "sweep",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
