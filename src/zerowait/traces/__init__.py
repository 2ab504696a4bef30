"""Foreign logs turned into jobs and workloads: readers, classes, fitted laws, an archive.

Names are found on first use: a run that reads no log loads nothing of this.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Log": "log",
    "filter_log": "reading",
    "fit_workload": "fitting.workload_fit",
    "read_log": "reading",
    "read_trace": "reading",
    "trace_info": "description",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
