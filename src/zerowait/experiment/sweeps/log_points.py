"""Points of a sweep that replay a log."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from zerowait.engine.run import run
from zerowait.engine.stream import JobStream
from zerowait.experiment.options import (
    FilterOptions,
    LogOptions,
    Options,
    Progress,
    SweptLogOptions,
    options_of,
)
from zerowait.experiment.replays.replay import replay
from zerowait.experiment.results.result import Result
from zerowait.experiment.sweeps.points import Point
from zerowait.model import InputError, Jobs
from zerowait.traces import Log, filter_log, read_log

Chosen = tuple[tuple[str, Any], ...]  # options of a file, by name


@dataclass(frozen=True)
class LoggedJobs:
    """A log as a workload: what is in its file, wherever that lies, and how many of it is asked."""

    digest: str
    n_jobs: int


@dataclass(frozen=True)
class LogPoint(Point):
    """One replay: `workload` are LoggedJobs, `spelling` is the path of the file."""

    options_taken: ClassVar[type[Options]] = SweptLogOptions
    verb: ClassVar[str] = "replay"

    @property
    def n_jobs(self) -> int:
        return int(self._logged.n_jobs)

    def result(self, tick: Progress | None) -> Result:
        assert self.spelling is not None
        of_file, of_replay = _parted(self.options)
        log = _read(self.spelling, self._logged.digest, of_file)
        return replay(
            log, self.servers, self.chosen, load=self.load, seed=self.seed, progress=tick,
            **of_replay,
        )  # fmt: skip

    def run_one_job(self) -> None:
        run(JobStream(Jobs(np.zeros(1), np.ones(1, np.int64), np.ones(1))), self.chosen, 1)

    @property
    def _logged(self) -> LoggedJobs:
        assert isinstance(self.workload, LoggedJobs)
        return self.workload


def logged_jobs(path: str, options: Mapping[str, Any]) -> LoggedJobs:
    """Read it, so that what is wrong with it is told before anything runs."""
    digest = _digest(path)
    return LoggedJobs(digest, len(_read(path, digest, _parted(options)[0]).jobs))


def _parted(options: Mapping[str, Any]) -> tuple[Chosen, dict[str, Any]]:
    """How the file is read and which of its jobs are kept; and the options of a replay."""
    own = {one.name for one in options_of(LogOptions) + options_of(FilterOptions)}
    of_file = tuple((name, value) for name, value in sorted(options.items()) if name in own)
    return of_file, {name: value for name, value in options.items() if name not in own}


def _digest(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()[:20]


@lru_cache(maxsize=4)
def _read(path: str, digest: str, options: Chosen) -> Log:
    """Once for many points; refused where the file is another than the sweep began with."""
    if not Path(path).is_file():
        raise InputError(f"{path}: is not on this machine; logs must be where the workers are")
    if _digest(path) != digest:
        raise InputError(f"{path}: has changed since the sweep began; start it again")
    filters = {one.name for one in options_of(FilterOptions)}
    log = read_log(path, **{name: value for name, value in options if name not in filters})
    return filter_log(log, **{name: value for name, value in options if name in filters})
