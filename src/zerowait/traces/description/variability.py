"""How much needs, service times and gaps between arrivals vary."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.model import Jobs
from zerowait.traces.classes import Classes
from zerowait.traces.classes.powers import power_below

Floats = NDArray[np.float64]
N_LARGEST = 12


@dataclass(frozen=True)
class NeedCount:
    need: int
    jobs: int
    share: float  # of the jobs
    work: float  # share of the work


@dataclass(frozen=True)
class NeedMix:
    """Which needs there are."""

    distinct: int
    smallest: int
    largest: int
    powers_of_two: float  # share of the jobs
    powers_of_two_work: float  # share of the work
    commonest: tuple[NeedCount, ...]


@dataclass(frozen=True)
class ClassVariability:
    """A class in numbers; `cv` is a standard deviation over a mean (1 for Poisson gaps)."""

    name: str
    jobs: int
    share: float  # of the jobs
    work: float  # share of the work
    mean_service: float
    median_service: float
    cv_service: float
    mean_gap: float
    cv_gap: float


def need_mix(jobs: Jobs) -> NeedMix:
    need, service = np.asarray(jobs.need, dtype=np.int64), np.asarray(jobs.service)
    distinct, which, counts = np.unique(need, return_inverse=True, return_counts=True)
    work = np.zeros(len(distinct))
    np.add.at(work, which, need * service)
    total = float(work.sum()) or math.nan
    powers = power_below(distinct) == distinct
    order = np.argsort(-counts, kind="stable")[:N_LARGEST]
    return NeedMix(
        distinct=len(distinct),
        smallest=int(distinct[0]),
        largest=int(distinct[-1]),
        powers_of_two=float(counts[powers].sum() / len(need)),
        powers_of_two_work=float(work[powers].sum() / total),
        commonest=tuple(
            NeedCount(
                int(distinct[i]),
                int(counts[i]),
                float(counts[i] / len(need)),
                float(work[i] / total),
            )
            for i in order
        ),
    )


def variability(jobs: Jobs, classes: Classes) -> tuple[ClassVariability, ...]:
    """Per class, then for all jobs together."""
    need, service = np.asarray(jobs.need, dtype=np.float64), np.asarray(jobs.service)
    arrival = np.asarray(jobs.arrival)
    total = float(np.dot(need, service)) or math.nan
    rows = []
    for number, name in enumerate([*classes.names, "all"]):
        here = classes.index == number if number < len(classes) else np.ones(len(jobs), bool)
        times, gaps = service[here], np.diff(arrival[here])
        rows.append(
            ClassVariability(
                name=name,
                jobs=len(times),
                share=len(times) / len(jobs),
                work=float(np.dot(need[here], times) / total),
                mean_service=float(times.mean()),
                median_service=float(np.median(times)),
                cv_service=_cv(times),
                mean_gap=float(gaps.mean()) if len(gaps) else math.nan,
                cv_gap=_cv(gaps),
            )
        )
    return tuple(rows)


def _cv(values: Floats) -> float:
    if len(values) < 2 or values.mean() <= 0:
        return math.nan
    return float(values.std(ddof=1) / values.mean())
