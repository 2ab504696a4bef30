"""Foreign logs turned into jobs and workloads: readers, classes, fitted laws, an archive."""

from zerowait.traces.cleaning import Cleaning, Finding
from zerowait.traces.info import TraceInfo, trace_info
from zerowait.traces.log import Log, read_log, read_trace
from zerowait.traces.workload_fit import WorkloadFit, fit_workload

__all__ = [
    "Cleaning",
    "Finding",
    "Log",
    "TraceInfo",
    "WorkloadFit",
    "fit_workload",
    "read_log",
    "read_trace",
    "trace_info",
]
