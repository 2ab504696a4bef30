"""A log that was read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import Jobs
from zerowait.model.display import Shown
from zerowait.traces.cleaning import Cleaning
from zerowait.traces.clock import Clock

if TYPE_CHECKING:
    import polars

# What has an entry per job, if the log has it, beside the jobs themselves.
PER_JOB = ("start", "has_estimate", "user", "job", "partition", "queue")


@dataclass(frozen=True, eq=False, repr=False)
class Log(Shown):
    """Jobs in order of arrival, and what else the file says; arrays have one entry per job."""

    path: str
    format: str
    jobs: Jobs
    cleaning: Cleaning
    columns: "polars.DataFrame"  # the file's own columns, null where it has no value
    servers: int | None = None  # as the log itself says
    header: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    unit: str = "processors"  # what a need counts
    user: NDArray[Any] | None = None
    job: NDArray[Any] | None = None  # as the log numbers or names it
    partition: NDArray[Any] | None = None
    queue: NDArray[Any] | None = None  # of Slurm: the QOS
    start: NDArray[np.float64] | None = None  # as it was; NaN where not known
    has_estimate: NDArray[np.bool_] | None = None  # False: the estimate is the service time

    def __repr__(self) -> str:
        servers = "" if self.servers is None else f", {self.servers} servers"
        return f"Log({self.path!r}, {self.format}, {len(self.jobs)} jobs{servers})"

    @classmethod
    def of_jobs(cls, jobs: Jobs) -> "Log":
        """Jobs that come from no file: no dates, no users, nothing that was recorded of them."""
        import polars

        known = {"arrival": jobs.arrival, "need": jobs.need, "service": jobs.service}
        columns = polars.DataFrame({name: np.asarray(values) for name, values in known.items()})
        exact = np.array_equal(np.asarray(jobs.estimate), np.asarray(jobs.service))
        estimated = None if exact else np.ones(len(jobs), bool)
        cleaning = Cleaning(len(jobs), len(jobs), ())
        return cls("jobs", "jobs", jobs, cleaning, columns, has_estimate=estimated)

    def select(self, keep: NDArray[np.bool_]) -> "Log":
        """The same log with some of its jobs; the cleaning report stays that of the reading."""
        import polars

        values = {name: getattr(self, name) for name in PER_JOB}
        kept: dict[str, Any] = {k: None if v is None else v[keep] for k, v in values.items()}
        columns = self.columns.filter(polars.Series(keep))
        return replace(self, jobs=self.jobs.select(keep), columns=columns, **kept)
