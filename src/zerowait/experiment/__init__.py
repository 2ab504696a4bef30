"""Simulate, replay, compare: from workloads and logs to results."""

from zerowait.experiment.capacity import Capacity, capacity
from zerowait.experiment.compare import Comparison, compare
from zerowait.experiment.replay import replay
from zerowait.experiment.result import Interval, Result
from zerowait.experiment.saturated import SaturatedRate, simulate_saturated
from zerowait.experiment.simulate import UnstableWarning, simulate
from zerowait.experiment.store import load
from zerowait.experiment.sweep import Sweep
from zerowait.experiment.sweep_run import SweepOutcome, sweep
from zerowait.experiment.workload_file import load_workload
from zerowait.experiment.workload_writer import save_workload

__all__ = [
    "Capacity",
    "Comparison",
    "Interval",
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
