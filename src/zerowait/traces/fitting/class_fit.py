"""One class of a log: its jobs in numbers, the law that is taken, and the jobs' needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, JobClass, Jobs, Law, Mixture
from zerowait.model.plain import plain
from zerowait.traces.classes import Classes
from zerowait.traces.fitting.families.empirical import resample
from zerowait.traces.fitting.goodness import Goodness, compare_families, keeps_std, relative_error
from zerowait.traces.fitting.overestimates import law_of
from zerowait.traces.fitting.sample import Sample
from zerowait.traces.fitting.scaling import with_mean

POOR_KS = 0.1  # from here on a fit is called poor
ROUNDING = 1e-9

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Asked:
    """What the fit of a class is to be chosen by."""

    laws: Sequence[str]
    by: str
    criterion: str
    needs: str  # real or rounded
    ratios: Floats | None  # per job of the log: estimate / service, where it is modelled


@dataclass(frozen=True)
class ClassFit:
    """A class, its jobs in numbers, and the table its law was taken from.

    The `parts` are what the workload has of it: its real needs, each with the law scaled to the
    mean of its own jobs, or one rounded need.
    """

    name: str
    need: int
    lowest: int
    highest: int
    jobs: int
    share: float
    mean: float
    std: float
    table: tuple[Goodness, ...]  # best first
    parts: tuple[JobClass, ...]

    @property
    def chosen(self) -> Goodness:
        return self.table[0]

    @property
    def law(self) -> Law:
        """Of the whole class, before it is scaled to the means of its needs."""
        assert self.chosen.law is not None
        return self.chosen.law

    @property
    def is_poor(self) -> bool:
        return self.chosen.ks > POOR_KS

    @property
    def std_error(self) -> float:
        """Of all parts together, relative to the jobs'."""
        weights = np.array([part.share for part in self.parts])
        mixed = Mixture((weights / weights.sum()).tolist(), [part.service for part in self.parts])
        # Means of parts that are all alike differ by rounding, and so have a spread.
        return relative_error(mixed.std if mixed.std > ROUNDING * self.mean else 0.0, self.std)

    @property
    def misses_std(self) -> bool:
        return not keeps_std(self.std_error)

    def as_dict(self) -> dict[str, Any]:
        names = ("name", "need", "lowest", "highest", "jobs", "share", "mean", "std", "std_error")
        numbers: dict[str, Any] = plain({name: getattr(self, name) for name in names})
        return numbers | {
            "needs": [part.need for part in self.parts],
            "law": self.chosen.family,
            "table": [row.as_dict() for row in self.table],
        }


class Members(NamedTuple):
    """The jobs of a class."""

    need: Ints  # as the workload will have it
    times: Floats
    ratios: Floats | None


def fit_class(jobs: Jobs, grouped: Classes, number: int, asked: Asked) -> ClassFit:
    here = grouped.index == number
    need = np.asarray(jobs.need)[here]
    times = np.asarray(jobs.service)[here]
    if asked.needs == "rounded":
        need = np.full(len(need), grouped.needs[number])
    members = Members(need, times, None if asked.ratios is None else asked.ratios[here])
    own = Sample.of(times)
    name = grouped.names[number]
    table = _table(name, _of_one_need(need, times, own), asked)
    return ClassFit(
        name=name,
        need=int(grouped.needs[number]),
        lowest=int(grouped.lowest[number]),
        highest=int(grouped.highest[number]),
        jobs=len(times),
        share=len(times) / len(jobs),
        mean=own.mean,
        std=own.std,
        table=table,
        parts=tuple(_parts(name, members, table[0], len(jobs))),
    )


def _of_one_need(need: Ints, times: Floats, own: Sample) -> Sample:
    """Times as if all needs of the class had its mean: what the needs differ by comes back when
    the law is scaled to each, and must not be counted twice."""
    distinct, which, counts = np.unique(need, return_inverse=True, return_counts=True)
    if len(distinct) == 1 or own.mean == 0:
        return own
    means = (np.bincount(which, times) / counts)[which]
    level = np.divide(times, means, out=np.ones_like(times), where=means > 0) * own.mean
    unit = own.resolution
    return Sample.of(np.round(level / unit) * unit, unit)


def _table(name: str, sample: Sample, asked: Asked) -> tuple[Goodness, ...]:
    table = compare_families(sample, asked.laws, asked.by, asked.criterion)
    if table[0].law is not None:
        return table
    # One job, or all alike: no family but the constant has a member for it.
    spare = compare_families(sample, ("deterministic", "empirical"), asked.by, "ks")
    if sample.std > 0 or spare[0].law is None:
        reasons = "; ".join(f"{row.family}: {row.reason}" for row in table)
        raise InputError(f"{name}: no law of those asked for fits ({reasons}); ask for others")
    return (spare[0], *table)


def _parts(name: str, members: Members, chosen: Goodness, n_jobs: int) -> Iterator[JobClass]:
    distinct = np.unique(members.need)
    for one in distinct:
        own = members.need == one
        label = name if len(distinct) == 1 else f"need {one}"
        law, ratios = _law_of(members.times[own], chosen), members.ratios
        over = None if ratios is None else law_of(ratios[own], ratios)
        yield JobClass(int(one), own.sum() / n_jobs, law, label, over)


def _law_of(times: Floats, chosen: Goodness) -> Law:
    """Of one need: its own times again, or the law of its class with the mean of these."""
    if chosen.family == "empirical":
        return resample(Sample.of(times))
    assert chosen.law is not None
    return with_mean(chosen.law, float(times.mean()))
