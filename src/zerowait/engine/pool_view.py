"""The servers that one policy decides on at one moment, as a movie shows them to the policy."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from zerowait.engine.seats import Seats

MOST_NAMED = 3  # jobs in one sentence


@dataclass(frozen=True)
class PoolView:
    """All servers, or the helpers of a split: who waits for them and how many are idle.

    It is taken after the policy has decided and before the decision is carried out: a job that
    starts still waits, its servers are still idle.
    """

    state: Any  # of the policy
    jobs: Seats
    servers: int
    idle: int
    waiting: tuple[int, ...]  # seats, in order of arrival
    job_names: Sequence[str]  # in stream order
    time: Callable[[float], str]  # tells a point in time
    length: Callable[[float], str]  # tells a duration
    noun: str = "servers"  # or helpers

    @property
    def now(self) -> float:
        return float(self.jobs.clock[0])

    def name(self, job: int) -> str:
        return self.job_names[int(self.jobs.order[job])]

    def names(self, jobs: Iterable[int]) -> str:
        return named([self.name(job) for job in jobs])

    def need(self, job: int) -> int:
        return int(self.jobs.need[job])

    def before(self, job: int) -> list[int]:
        """Return the waiting jobs that came before this one."""
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
        """Why jobs wait under policies that start whoever fits."""
        return self.idle_words + (", and nobody that waits needs so few" if self.idle else "")


def named(names: Sequence[str]) -> str:
    """Join names of jobs: `job 4`, `jobs 4 and 7`, `jobs 4, 7, 9 and 5 more`."""
    if len(names) == 1:
        return f"job {names[0]}"
    *shown, last = names
    if len(names) > MOST_NAMED:
        shown, last = list(names[:MOST_NAMED]), f"{len(names) - MOST_NAMED} more"
    return f"jobs {', '.join(shown)} and {last}"
