"""A table of jobs, as a log or a user gives it, and what to do with overruns.

A job that overran its estimate is a fault of the log or of the limit, and policies that trust
estimates are led astray by it: a scheduler that believes each moment that a job of 76 days ends now
plans nothing right.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model.errors import InputError
from zerowait.model.quantities import Floats, Ints, refuse, vector, whole
from zerowait.model.workload import LARGEST_NEED

Numbers = Sequence[float] | Floats | Ints
Labels = Sequence[int] | Sequence[str] | NDArray[Any]
Selection = NDArray[np.bool_] | Ints | slice

QUANTITIES = ("arrival", "need", "service", "estimate")  # columns of finite numbers
LABELS = ("user", "account", "partition", "qos", "id")  # columns of texts or numbers, as in the log


@dataclass(frozen=True, eq=False, repr=False)
class Jobs:
    """A table of jobs in order of arrival: the columns `arrival`, `need` and `service`, and
    those that are known of the others, each with one entry per job.

    `estimate` is the service time as announced beforehand, by default the service time itself;
    where only some jobs have one, `has_estimate` says which. `job_class` holds any labels that
    sort, by default the distinct needs in ascending order. `user`, `account`, `partition`, `qos`
    and `id` are labels as the log has them; `start` is when a job started in the log, NaN where
    that is not known.
    """

    # A new column is one more line here (a label stands in LABELS, too): whatever selects or
    # changes jobs takes it along.
    arrival: Numbers
    need: Numbers
    service: Numbers
    job_class: Labels | None = None
    estimate: Numbers | None = None
    _: KW_ONLY
    has_estimate: NDArray[np.bool_] | None = None
    user: NDArray[Any] | None = None
    account: NDArray[Any] | None = None
    partition: NDArray[Any] | None = None
    qos: NDArray[Any] | None = None
    id: NDArray[Any] | None = None
    start: Floats | None = None

    def __post_init__(self) -> None:
        for name in QUANTITIES:
            if getattr(self, name) is not None:
                self._set(name, vector(name, getattr(self, name), "one entry per job"))
        self._set("need", _whole_needs(np.asarray(self.need)))
        if self.estimate is None:
            self._set("estimate", self.service)
        for name, values in self.columns.items():
            if name not in (*QUANTITIES, "job_class"):
                self._set(name, np.asarray(values, np.float64 if name == "start" else None))
            if len(values) != len(self.arrival):
                raise refuse(
                    f"length of {name}", len(values), f"must be {len(self.arrival)}, as arrival"
                )
        back = np.flatnonzero(np.diff(np.asarray(self.arrival)) < 0)
        if back.size:
            at = int(back[0]) + 1
            raise refuse(
                f"arrival[{at}]", float(self.arrival[at]),
                f"is before arrival[{at - 1}] = {self.arrival[at - 1]}; sort the jobs by arrival",
            )  # fmt: skip
        _ = self._classes  # labels that cannot be sorted are refused here

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @cached_property
    def _classes(self) -> tuple[NDArray[np.generic], Ints]:
        labels = self.need if self.job_class is None else self.job_class
        try:
            distinct, index = np.unique(np.asarray(labels), return_inverse=True)
        except TypeError:
            raise InputError(
                "job_class: mixed types cannot be sorted; give all numbers or all text"
            ) from None
        return distinct, index.astype(np.int64)

    @property
    def class_labels(self) -> list[int] | list[str]:
        """Return the labels of the classes, or their needs, in ascending order."""
        labels: list[int] | list[str] = self._classes[0].tolist()
        return labels

    @property
    def class_index(self) -> Ints:
        """Return, for each job, the place of its class in `class_labels`."""
        return self._classes[1]

    @property
    def work(self) -> float:
        """Return the sum of need x service over all jobs."""
        return float(np.dot(np.asarray(self.need, dtype=np.float64), np.asarray(self.service)))

    def offered_load(self, servers: int) -> float | None:
        """Return the work per server and unit of time, from the first to the last arrival.

        None where all jobs arrive at once.
        """
        span = float(self.arrival[-1] - self.arrival[0])
        return self.work / (whole("servers", servers) * span) if span > 0 else None

    @property
    def columns(self) -> dict[str, Any]:
        """Return the columns that are known, by name."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: values for name, values in every.items() if values is not None}

    def with_columns(self, **columns: Any) -> "Jobs":
        """Return the same jobs with some columns added or replaced; None takes one away."""
        return replace(self, **columns)

    def select(self, which: Selection) -> "Jobs":
        """Return some of the jobs with all their columns; refuse to return none.

        `which` is a mask, a slice, or the places of the jobs.
        """
        chosen = {name: np.asarray(values)[which] for name, values in self.columns.items()}
        if len(chosen["arrival"]) == 0:
            raise InputError("jobs: none is left of those that were to be kept")
        return Jobs(**chosen)

    def moved_to(self, arrival: Floats) -> "Jobs":
        """Return the same jobs at other times of arrival, in their new order."""
        order = np.argsort(arrival, kind="stable")
        columns = self.columns | {"arrival": arrival}
        return Jobs(**{name: np.asarray(values)[order] for name, values in columns.items()})

    def __len__(self) -> int:
        return len(self.arrival)

    def __repr__(self) -> str:
        first, last, need = self.arrival[0], self.arrival[-1], np.asarray(self.need)
        return (
            f"Jobs(<{len(self)} jobs, needs {need.min()} to {need.max()}, "
            f"arrivals {first:.6g} to {last:.6g}>)"
        )


def _whole_needs(need: Floats) -> Ints:
    bad = np.flatnonzero((need < 1) | (need != np.floor(need)) | (need > LARGEST_NEED))
    if bad.size:
        at = int(bad[0])
        raise refuse(
            f"need[{at}]", float(need[at]), f"must be a whole number from 1 to {LARGEST_NEED}"
        )
    return need.astype(np.int64)


RULES = ("extend", "kill", "as-recorded")


def apply_overruns(jobs: Jobs, rule: str = "extend") -> tuple[Jobs, int]:
    """Apply a rule to the jobs that ran longer than estimated; return the jobs and their number.

    `extend` raises these estimates to the service times, `kill` cuts the services at the
    estimates, `as-recorded` leaves both: the job is then taken to end now, at each decision anew.
    """
    if rule not in RULES:
        raise refuse("overruns", rule, f"must be one of {', '.join(RULES)}")
    service, estimate = np.asarray(jobs.service), np.asarray(jobs.estimate)
    count = int((service > estimate).sum())
    if count == 0 or rule == "as-recorded":
        return jobs, count
    if rule == "kill":
        return replace(jobs, service=np.minimum(service, estimate)), count
    return replace(jobs, estimate=np.maximum(service, estimate)), count
