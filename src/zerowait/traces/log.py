"""A log that was read, and the rules that make jobs of its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model import Jobs
from zerowait.model.display import Shown
from zerowait.traces.cleaning import Cleaning, CleaningBook
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


Floats = NDArray[np.float64]

AS_IN_FILE = ("start", "user", "job", "partition", "queue")  # as the file has them, if it has

# Beyond this a float no longer tells two seconds apart, and sums of needs may overflow.
LARGEST = 2.0**53


@dataclass(frozen=True, eq=False)
class Draft:
    """One entry per row, in file order; NaN is "not known"."""

    format: str
    line: NDArray[np.int64]
    arrival: Floats
    service: Floats
    need: Floats
    columns: "polars.DataFrame"
    estimate: Floats | None = None
    start: Floats | None = None
    user: NDArray[Any] | None = None
    job: NDArray[Any] | None = None
    partition: NDArray[Any] | None = None
    queue: NDArray[Any] | None = None
    job_class: NDArray[Any] | None = None
    unit: str = "processors"
    servers: int | None = None
    header: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    # What the file calls these, for people who look there.
    words: Mapping[str, str] = field(default_factory=dict)


def make_log(draft: Draft, book: CleaningBook) -> Log:
    """Drop rows that cannot be jobs, put the others in order of arrival, and report both."""
    keep = np.ones(len(draft.line), bool)
    for name in ("arrival", "service", "need"):
        values: Floats = getattr(draft, name)
        word = draft.words.get(name, name)
        unknown = keep & np.isnan(values)
        book.add_rows("dropped", f"no {word}", draft.line[unknown])
        keep &= ~unknown
        least = 1 if name == "need" else 0
        bad = keep & ~((values >= least) & (values < LARGEST))
        if name == "need":
            bad |= keep & (values % 1 != 0)
        details = [f"{word} = {value:g}" for value in values[bad][:3]]
        wanted = "a whole number, 1 or more" if name == "need" else "a number, zero or more"
        book.add_rows("dropped", f"{word} is not {wanted}", draft.line[bad], details)
        keep &= ~bad
    if not keep.any():
        raise book.nothing_left()
    order = np.flatnonzero(keep)
    _report_disorder(draft, order, book)
    order = order[np.argsort(draft.arrival[order], kind="stable")]
    service, need = draft.service[order], draft.need[order]
    zero = order[service == 0]
    book.add_rows("noted", "takes no time at all; kept", draft.line[zero])
    if draft.servers is not None:
        large = need > draft.servers
        details = [f"need = {value:g} of {draft.servers}" for value in need[large][:3]]
        book.add_rows(
            "noted", "needs more than the log's servers", draft.line[order[large]], details
        )
    estimate, has_estimate = _estimates(draft, order, service, book)
    labels = None if draft.job_class is None else draft.job_class[order]
    per_job: dict[str, Any] = {name: getattr(draft, name) for name in AS_IN_FILE}
    return Log(
        path=str(book.path),
        format=draft.format,
        jobs=Jobs(draft.arrival[order], need, service, labels, estimate),
        cleaning=book.close(len(order)),
        columns=draft.columns[order],
        servers=draft.servers,
        header=draft.header,
        clock=draft.clock,
        unit=draft.unit,
        has_estimate=has_estimate,
        **{k: None if v is None else v[order] for k, v in per_job.items()},
    )


def _report_disorder(draft: Draft, order: NDArray[np.int64], book: CleaningBook) -> None:
    arrival = draft.arrival[order]
    late = np.flatnonzero(arrival < np.maximum.accumulate(arrival))
    book.add_rows("repaired", "stands after a later arrival; put in order", draft.line[order[late]])


def _estimates(
    draft: Draft, order: NDArray[np.int64], service: Floats, book: CleaningBook
) -> tuple[Floats | None, NDArray[np.bool_] | None]:
    if draft.estimate is None:
        return None, None
    given = draft.estimate[order]
    has = (given > 0) & (given < LARGEST)
    if not has.any():
        return None, has
    word = draft.words.get("estimate", "estimate")
    book.add_rows("noted", f"no {word}; the service time stands in", draft.line[order[~has]])
    over = has & (service > given)
    book.add_rows("noted", f"ran longer than its {word}; kept", draft.line[order[over]])
    return np.where(has, given, service), has
