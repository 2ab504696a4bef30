"""The daily and weekly rhythm of arrivals."""

from dataclasses import dataclass

import numpy as np

from zerowait.traces.clock import DAY_S
from zerowait.traces.log import Log

WEEK_S = 7 * DAY_S
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WORKING_HOURS = slice(8, 18)


@dataclass(frozen=True)
class Rhythm:
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


def rhythm(log: Log) -> Rhythm:
    arrival = np.asarray(log.jobs.arrival)
    hours = np.bincount(log.clock.hours_of_week(arrival), minlength=168)
    by_hour, by_day = hours.reshape(7, 24).sum(axis=0), hours.reshape(7, 24).sum(axis=1)
    # A table may count from any time; more weeks than jobs would only be empty ones.
    week = ((arrival - arrival[0]) // WEEK_S).astype(np.int64)
    if week[-1] > 100 * len(arrival):
        week = np.zeros_like(week)
    work = np.zeros(int(week[-1]) + 1)
    np.add.at(work, week, np.asarray(log.jobs.need) * np.asarray(log.jobs.service))
    return Rhythm(
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
