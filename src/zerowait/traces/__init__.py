"""Foreign logs turned into jobs and workloads: readers, classes, fitted laws, an archive."""

from zerowait.traces.cleaning import Cleaning, Finding
from zerowait.traces.log import Log, read_log, read_trace

__all__ = ["Cleaning", "Finding", "Log", "read_log", "read_trace"]
