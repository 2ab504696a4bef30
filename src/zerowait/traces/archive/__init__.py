"""Logs of the Parallel Workloads Archive: which there are, and how to get them."""

from zerowait.traces.archive.catalogue import ARCHIVE, LOGS, ArchivedLog, find_log
from zerowait.traces.archive.download import download_log, text_sha256

__all__ = ["ARCHIVE", "LOGS", "ArchivedLog", "download_log", "find_log", "text_sha256"]
