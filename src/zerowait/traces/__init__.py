"""Foreign logs turned into jobs and workloads: readers, classes, fitted laws, an archive."""

from zerowait.traces.cleaning import Cleaning, Finding
from zerowait.traces.description import TraceInfo, trace_info
from zerowait.traces.filters import filter_log
from zerowait.traces.fitting import WorkloadFit, fit_workload
from zerowait.traces.log import Log
from zerowait.traces.reading import read_log, read_trace

__all__ = [
    "Cleaning",
    "Finding",
    "Log",
    "TraceInfo",
    "WorkloadFit",
    "filter_log",
    "fit_workload",
    "read_log",
    "read_trace",
    "trace_info",
]
