"""Foreign logs turned into jobs and workloads: readers, classes, fitted laws, an archive.

Names are found on first use: a simulation needs no readers and no fits.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in ("log", "cleaning", "reading", "filters", "description", "fitting"):
            module = import_module(f"{__name__}.{home}")
            if name in vars(module):
                return vars(module)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
