"""Servers that one policy decides on, at one moment: all of them, or the helpers of a split."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zerowait.engine.policy import Policy
from zerowait.engine.seats import Seats
from zerowait.report.numbers import number

MOST_NAMED = 3  # jobs in one sentence


@dataclass(frozen=True)
class Telling:
    """How jobs and times are called."""

    job_names: tuple[str, ...]
    origin: float  # the time that is told as zero
    unit: str  # "s", or none

    def time(self, value: float) -> str:
        return clock(value - self.origin) if self.unit == "s" else number(value)

    def length(self, value: float) -> str:
        return clock(value) if self.unit == "s" else number(value)


@dataclass(frozen=True)
class Place:
    """A policy, what it knows, who waits for its servers and how many of them are idle."""

    policy: Policy
    state: Any  # of the policy
    jobs: Seats
    servers: int
    idle: int
    waiting: tuple[int, ...]  # seats, in order of arrival
    telling: Telling
    noun: str = "servers"  # or helpers

    @property
    def now(self) -> float:
        return float(self.jobs.clock[0])

    def name(self, job: int) -> str:
        return self.telling.job_names[int(self.jobs.order[job])]

    def names(self, jobs: Iterable[int]) -> str:
        return named([self.name(job) for job in jobs])

    def need(self, job: int) -> int:
        return int(self.jobs.need[job])

    def before(self, job: int) -> list[int]:
        """Who waits and came before the job."""
        return [one for one in self.waiting if self.jobs.order[one] < self.jobs.order[job]]

    @property
    def idle_words(self) -> str:
        """`no server is idle`, `1 server is idle`, `6 servers are idle`."""
        one = self.noun.removesuffix("s")
        if self.servers == 0:
            return f"there are no {self.noun}"
        if self.idle == 0:
            return f"no {one} is idle"
        return f"1 {one} is idle" if self.idle == 1 else f"{self.idle} {self.noun} are idle"

    @property
    def nobody_fits(self) -> str:
        """Of policies that start whoever fits."""
        return self.idle_words + (", and nobody that waits needs so few" if self.idle else "")


def named(names: list[str]) -> str:
    """`job 4`, `jobs 4 and 7`, `jobs 4, 7, 9 and 5 more`."""
    shown, more = names[:MOST_NAMED], len(names) - MOST_NAMED
    if len(names) == 1:
        return f"job {names[0]}"
    last = f"{more} more" if more > 0 else shown.pop()
    return f"jobs {', '.join(shown)} and {last}"


def clock(seconds: float) -> str:
    """`0:07`, `12:30`, `3:12:30`, `2 d 3:12:30`; halves of seconds are told as decimals."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    minutes, rest = divmod(round(seconds, 1), 60)
    hours, minutes = divmod(int(minutes), 60)
    days, hours = divmod(hours, 24)
    tail = f"{rest:02.0f}" if rest == int(rest) else f"{rest:04.1f}"
    text = f"{hours}:{minutes:02d}:{tail}" if days or hours else f"{minutes}:{tail}"
    return f"{sign}{days} d {text}" if days else sign + text
