"""What is replayed: a log, the file of one, or a list of jobs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.model.job_class import LARGEST_NEED
from zerowait.model.quantities import whole
from zerowait.model.workloads import is_published
from zerowait.traces import Log
from zerowait.traces.reading import Trace, log_of

__all__ = ["Source", "Trace", "is_log"]


def is_log(what: object) -> TypeGuard[Trace]:
    """Jobs, a log, or a file that is no TOML; the names of published workloads are none."""
    if isinstance(what, (Jobs, Log)):
        return True
    if not isinstance(what, (str, Path)) or str(what).endswith(".toml"):
        return False
    return Path(what).is_file() and not is_published(str(what))


@dataclass(frozen=True)
class Source:
    """Jobs, and what is known of them beyond that."""

    jobs: Jobs
    name: str  # what errors begin with
    spelled: str  # as an argument of `replay`
    servers: int | None = None
    user: NDArray[Any] | None = None  # per job
    job: NDArray[Any] | None = None  # per job: as the log numbers or names it
    start: NDArray[np.float64] | None = None  # per job: as it was; NaN where not known
    has_estimates: bool = True
    has_dates: bool = False  # its times are seconds of a calendar

    @classmethod
    def of(cls, trace: Trace, function: str = "replay") -> "Source":
        if isinstance(trace, Jobs):
            return cls(trace, "jobs", "jobs")
        log = log_of(trace, function)
        estimates = log.has_estimate is not None and bool(log.has_estimate.any())
        return cls(
            log.jobs, log.path, repr(log.path), log.servers, log.user, log.job, log.start,
            estimates, log.clock.known,
        )  # fmt: skip

    def n_servers(self, given: int | None) -> int:
        """As given, or as the log itself says."""
        if given is not None:
            return whole("servers", given, most=LARGEST_NEED)
        if self.servers is None:
            raise InputError(f"{self.name}: does not say how many servers there were; give servers")
        return self.servers

    def fitting(self, servers: int, exclude: bool) -> NDArray[np.bool_]:
        """Per job: is there room for it? Refused where there is none, unless it may be left out."""
        fits: NDArray[np.bool_] = np.asarray(self.jobs.need) <= servers
        if not (exclude or fits.all()):
            remedy = "give more servers; exclude_too_large (--exclude-too-large) leaves them out"
            raise InputError(f"{self.name}: {self.too_large(servers)}; {remedy}")
        return fits

    def too_large(self, servers: int) -> str:
        need = np.asarray(self.jobs.need)
        n = int((need > servers).sum())
        return f"{n} jobs need more than the {servers} servers (up to {need.max()})"
