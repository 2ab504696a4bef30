"""A list of jobs, as a log or a user gives it, and what to do with overruns."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.model.errors import InputError
from zerowait.model.quantities import refuse, vector, whole
from zerowait.model.workload import LARGEST_NEED

Numbers = Sequence[float] | NDArray[np.float64] | NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Jobs:
    """Jobs in stream order, one entry each; arrivals never go back in time.

    `job_class` (any labels that sort) defaults to the distinct needs in ascending order;
    `estimate`, the service time as announced beforehand, to the service time itself.
    """

    arrival: Numbers
    need: Numbers
    service: Numbers
    job_class: Sequence[int] | Sequence[str] | NDArray[np.int64] | None = None
    estimate: Numbers | None = None

    def __post_init__(self) -> None:
        for name in ("arrival", "need", "service", "estimate"):
            if getattr(self, name) is not None:
                self._set(name, vector(name, getattr(self, name), "one entry per job"))
        self._set("need", _whole_needs(np.asarray(self.need)))
        if self.estimate is None:
            self._set("estimate", self.service)
        for field in fields(self):
            values = getattr(self, field.name)
            if values is not None and len(values) != len(self.arrival):
                raise refuse(
                    f"length of {field.name}",
                    len(values),
                    f"must be {len(self.arrival)}, as arrival",
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
    def _classes(self) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
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
        """What the classes are called, in ascending order: their labels, or their needs."""
        labels: list[int] | list[str] = self._classes[0].tolist()
        return labels

    @property
    def class_index(self) -> NDArray[np.int64]:
        """Per job: the place of its class among `class_labels`."""
        return self._classes[1]

    @property
    def work(self) -> float:
        """Servers x time of all jobs."""
        return float(np.dot(np.asarray(self.need, dtype=np.float64), np.asarray(self.service)))

    def offered_load(self, servers: int) -> float | None:
        """Work per server and unit of time, first to last arrival; None for no span."""
        span = float(self.arrival[-1] - self.arrival[0])
        return self.work / (whole("servers", servers) * span) if span > 0 else None

    def select(self, keep: NDArray[np.bool_]) -> "Jobs":
        """Some of the jobs, which must not be none."""
        if not keep.any():
            raise InputError("jobs: none is left of those that were to be kept")
        columns = (getattr(self, field.name) for field in fields(self))
        kept: list[Any] = [None if one is None else np.asarray(one)[keep] for one in columns]
        return Jobs(*kept)

    def __len__(self) -> int:
        return len(self.arrival)

    def __repr__(self) -> str:
        first, last, need = self.arrival[0], self.arrival[-1], np.asarray(self.need)
        return (
            f"Jobs(<{len(self)} jobs, needs {need.min()} to {need.max()}, "
            f"arrivals {first:.6g} to {last:.6g}>)"
        )


def _whole_needs(need: NDArray[np.float64]) -> NDArray[np.int64]:
    bad = np.flatnonzero((need < 1) | (need != np.floor(need)) | (need > LARGEST_NEED))
    if bad.size:
        at = int(bad[0])
        raise refuse(
            f"need[{at}]", float(need[at]), f"must be a whole number from 1 to {LARGEST_NEED}"
        )
    return need.astype(np.int64)


RULES = ("extend", "kill", "as-recorded")


def apply_overruns(jobs: Jobs, rule: str = "extend") -> tuple[Jobs, int]:
    """The jobs under a rule, and how many of them ran longer than estimated.

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
