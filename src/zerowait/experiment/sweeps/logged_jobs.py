"""The jobs of log files that points replay: read once for many points."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from zerowait.experiment.checks import entries_of
from zerowait.experiment.options import FilterOptions, LogOptions
from zerowait.model import InputError
from zerowait.traces.log import Log
from zerowait.traces.reading import filter_log, read_log

Chosen = tuple[tuple[str, Any], ...]  # options of a file, by name


@dataclass(frozen=True)
class LoggedJobs:
    """What names the jobs of a log: a digest of its file, wherever it lies, and their number."""

    digest: str
    n_jobs: int


def logged_jobs(path: str, options: Mapping[str, Any]) -> LoggedJobs:
    """Read a log, so that what is wrong with it is told before anything runs."""
    digest = _digest(path)
    return LoggedJobs(digest, len(read_logged(path, digest, parted(options)[0]).jobs))


def parted(options: Mapping[str, Any]) -> tuple[Chosen, dict[str, Any]]:
    """Part the options of reading and filtering a file from those of the replay."""
    own = {one.name for one in entries_of(LogOptions) + entries_of(FilterOptions)}
    of_file = tuple((name, value) for name, value in sorted(options.items()) if name in own)
    return of_file, {name: value for name, value in options.items() if name not in own}


def _digest(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()[:20]


@lru_cache(maxsize=4)
def read_logged(path: str, digest: str, options: Chosen) -> Log:
    """Read a log once for many points; refuse a file that changed since the sweep began."""
    if not Path(path).is_file():
        raise InputError(f"{path}: is not on this machine; logs must be where the workers are")
    if _digest(path) != digest:
        raise InputError(f"{path}: has changed since the sweep began; start it again")
    filters = {one.name for one in entries_of(FilterOptions)}
    log = read_log(path, **{name: value for name, value in options if name not in filters})
    return filter_log(log, **{name: value for name, value in options if name in filters})
