"""Simulate, replay, compare: from workloads and logs to results."""

from zerowait.experiment.comparisons.compare import Comparison, compare
from zerowait.experiment.files.workload_file import load_workload
from zerowait.experiment.files.workload_writer import save_workload
from zerowait.experiment.optimise.optimisation import Optimisation
from zerowait.experiment.optimise.optimise import optimise
from zerowait.experiment.plans.advice import Advice, plan
from zerowait.experiment.replays.replay import replay
from zerowait.experiment.results.result import Interval, Result
from zerowait.experiment.simulation.capacity import Capacity, capacity
from zerowait.experiment.simulation.saturated_fcfs import SaturatedRate, simulate_saturated
from zerowait.experiment.simulation.simulate import UnstableWarning, simulate
from zerowait.experiment.sweeps.run import SweepOutcome, sweep
from zerowait.experiment.sweeps.store import load
from zerowait.experiment.sweeps.sweep import Sweep

__all__ = [
    "Advice",
    "Capacity",
    "Comparison",
    "Interval",
    "Optimisation",
    "Result",
    "SaturatedRate",
    "Sweep",
    "SweepOutcome",
    "UnstableWarning",
    "capacity",
    "compare",
    "load",
    "load_workload",
    "optimise",
    "plan",
    "replay",
    "save_workload",
    "simulate",
    "simulate_saturated",
    "sweep",
]
