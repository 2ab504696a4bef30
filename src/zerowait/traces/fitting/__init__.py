"""Workloads made of logs: families of laws, how well they fit, which are taken."""

from zerowait.traces.fitting.families import FAMILIES, Family
from zerowait.traces.fitting.goodness import Goodness, compare_families
from zerowait.traces.fitting.sample import Sample
from zerowait.traces.fitting.workload_fit import WorkloadFit, fit_workload

__all__ = [
    "FAMILIES",
    "Family",
    "Goodness",
    "Sample",
    "WorkloadFit",
    "compare_families",
    "fit_workload",
]
