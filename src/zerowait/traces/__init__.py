"""Foreign logs turned into jobs: one reader per format."""

from zerowait.traces.log import Log, read_log, read_trace

__all__ = ["Log", "read_log", "read_trace"]
