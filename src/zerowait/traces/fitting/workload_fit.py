"""From the jobs of a log to a workload: classes, a fitted law for each, an arrival process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerowait.model import (
    ArrivalProcess,
    Empirical,
    InputError,
    JobClass,
    Jobs,
    Law,
    Poisson,
    Renewal,
    Workload,
)
from zerowait.model.quantities import refuse
from zerowait.traces.classes import Classes, group
from zerowait.traces.fitting.families import FAMILIES
from zerowait.traces.fitting.families.empirical import MOST_VALUES, thin
from zerowait.traces.fitting.goodness import Goodness, compare_families
from zerowait.traces.fitting.sample import Sample

ARRIVALS = ("poisson", "resampled")
POOR_KS = 0.1  # from here on a fit is called poor


@dataclass(frozen=True)
class ClassFit:
    """A class, its jobs in numbers, and the table its law was taken from."""

    name: str
    need: int
    lowest: int
    highest: int
    jobs: int
    share: float
    mean: float
    std: float
    table: tuple[Goodness, ...]  # best first

    @property
    def chosen(self) -> Goodness:
        return self.table[0]

    @property
    def law(self) -> Law:
        assert self.chosen.law is not None
        return self.chosen.law

    @property
    def is_poor(self) -> bool:
        return self.chosen.ks > POOR_KS

    def as_dict(self) -> dict[str, Any]:
        names = ("name", "need", "lowest", "highest", "jobs", "share", "mean", "std")
        return {name: getattr(self, name) for name in names} | {
            "law": self.chosen.family,
            "table": [row.as_dict() for row in self.table],
        }


@dataclass(frozen=True, repr=False)
class WorkloadFit:
    """The workload of a log, and how it came about."""

    workload: Workload
    classes: tuple[ClassFit, ...]
    grouping: str
    waste: float  # work added by the classes' needs, as a share of the log's
    method: str
    criterion: str

    def __repr__(self) -> str:
        laws = ", ".join(f"{one.name}: {one.chosen.family}" for one in self.classes)
        return f"WorkloadFit({laws})"

    def as_dict(self) -> dict[str, Any]:
        return {
            "grouping": self.grouping,
            "waste": self.waste,
            "method": self.method,
            "criterion": self.criterion,
            "arrivals": self.workload.arrivals.name,
            "arrival_rate": self.workload.arrivals.rate,
            "classes": [one.as_dict() for one in self.classes],
        }


def fit_workload(
    jobs: Jobs,
    *,
    classes: str = "auto",
    laws: Sequence[str] | None = None,
    by: str = "both",
    criterion: str = "aic",
    arrivals: str = "poisson",
) -> WorkloadFit:
    """Classes of needs, and for each the law that fits best among `laws` (all usual families).

    Fitted by `moments` a law has the mean (and, where it can, the standard deviation) of its
    jobs; fitted by `likelihood` its shape is nearer, but its mean may be far off. The criterion
    (aic or ks) chooses among those with the right mean: loads and splits stay the log's own.
    """
    if laws is None:
        laws = [family.name for family in FAMILIES.values() if family.usual]
    if not laws:
        raise refuse("laws", laws, "must name one family or more")
    grouped = group(jobs, classes)
    service = np.asarray(jobs.service)
    fitted = []
    for number in range(len(grouped)):
        times = service[grouped.index == number]
        fitted.append(_fit_class(grouped, number, times, len(jobs), laws, by, criterion))
    workload = Workload(
        [JobClass(one.need, one.share, one.law, one.name) for one in fitted],
        _arrival_process(jobs, arrivals),
    )
    return WorkloadFit(workload, tuple(fitted), classes, grouped.waste, by, criterion)


def _fit_class(
    grouped: Classes,
    number: int,
    times: "np.typing.NDArray[np.float64]",
    n_jobs: int,
    laws: Sequence[str],
    by: str,
    criterion: str,
) -> ClassFit:
    sample = Sample.of(times)
    table = compare_families(sample, laws, by, criterion)
    name = grouped.names[number]
    if table[0].law is None:
        # One job, or all alike: no family but the constant has a member for it.
        spare = compare_families(sample, ("deterministic", "empirical"), by, "ks")
        if sample.std > 0 or spare[0].law is None:
            reasons = "; ".join(f"{row.family}: {row.reason}" for row in table)
            raise InputError(f"{name}: no law of those asked for fits ({reasons}); ask for others")
        table = (spare[0], *table)
    return ClassFit(
        name=name,
        need=int(grouped.needs[number]),
        lowest=int(grouped.lowest[number]),
        highest=int(grouped.highest[number]),
        jobs=len(times),
        share=len(times) / n_jobs,
        mean=sample.mean,
        std=sample.std,
        table=table,
    )


def _arrival_process(jobs: Jobs, arrivals: str) -> ArrivalProcess:
    if arrivals not in ARRIVALS:
        raise refuse("arrivals", arrivals, f"must be one of {', '.join(ARRIVALS)}")
    times = np.asarray(jobs.arrival)
    span = float(times[-1] - times[0])
    if span <= 0:
        raise InputError("arrivals: all jobs arrive at one instant; their rate is not defined")
    rate = (len(times) - 1) / span
    if arrivals == "poisson":
        return Poisson(rate)
    gaps = np.diff(times)
    return Renewal(Empirical(gaps if len(gaps) <= MOST_VALUES else thin(gaps)), rate)
