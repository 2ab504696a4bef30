"""How much needs, service times and gaps vary, and the rhythm of arrivals."""

import math
from dataclasses import dataclass

import numpy as np

from zerowait.model import Jobs
from zerowait.model.quantities import WEEK_S, Floats
from zerowait.traces.classes import Classes, power_below
from zerowait.traces.log import Log

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WORKING_HOURS = slice(8, 18)


@dataclass(frozen=True)
class ArrivalRhythm:
    """Arrivals by the hour and by the day, in local time where the log tells it."""

    clock: str
    dated: bool  # does the log tell its date? else hour 0 and Monday are where it starts
    by_hour: tuple[int, ...]  # 24
    by_day: tuple[int, ...]  # 7, Monday first
    by_hour_of_week: tuple[int, ...]  # 168
    peak_hour: int
    peak_to_mean: float  # arrivals in the busiest hour of the day over the mean
    working_hours: float  # share of the arrivals from 8 to 18 o'clock
    weekend: float  # share of the arrivals; 2/7 = 0.286 where there is no rhythm
    weeks: tuple[float, ...]  # work that arrives in each week of the log, in servers x seconds


def arrival_rhythm(log: Log) -> ArrivalRhythm:
    """Count arrivals by the hour and by the day, and the work of each week."""
    arrival = np.asarray(log.jobs.arrival)
    hours = np.bincount(log.clock.hours_of_week(arrival), minlength=168)
    by_hour, by_day = hours.reshape(7, 24).sum(axis=0), hours.reshape(7, 24).sum(axis=1)
    # A table may count from any time; more weeks than jobs would only be empty ones.
    week = ((arrival - arrival[0]) // WEEK_S).astype(np.int64)
    if week[-1] > 100 * len(arrival):
        week = np.zeros_like(week)
    work = np.zeros(int(week[-1]) + 1)
    np.add.at(work, week, np.asarray(log.jobs.need) * np.asarray(log.jobs.service))
    return ArrivalRhythm(
        clock=str(log.clock),
        dated=log.clock.known,
        by_hour=tuple(map(int, by_hour)),
        by_day=tuple(map(int, by_day)),
        by_hour_of_week=tuple(map(int, hours)),
        peak_hour=int(by_hour.argmax()),
        peak_to_mean=float(by_hour.max() / by_hour.mean()),
        working_hours=float(by_hour[WORKING_HOURS].sum() / len(arrival)),
        weekend=float(by_day[5:].sum() / len(arrival)),
        weeks=tuple(map(float, work)),
    )


N_LARGEST = 12


@dataclass(frozen=True)
class NeedCount:
    """A need, and how many jobs have it."""

    need: int
    jobs: int
    share: float  # of the jobs
    work: float  # share of the work


@dataclass(frozen=True)
class NeedMix:
    """Which needs there are, and which are common."""

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
    """Count the needs of the jobs."""
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
    """Describe each class in numbers, then all jobs together."""
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
