"""The jobs of the naive preemptive simulator, in which order they stand, and who of them fits."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate


@dataclass(eq=False)
class Job:
    order: int  # in the stream
    arrival: float
    need: int
    service: float
    job_class: int
    remaining: float  # at the present decision, with what pauses have added to it
    work_left: float = field(init=False)  # the same without what they have added
    rank: float | Fraction = 0.0  # Gittins rank of its class at its attained service, now
    pool: int | None = None  # where it is in service: a class, HELPERS or nowhere
    end: float = math.inf  # if it stays in service
    start: float | None = None  # of its first service
    helpers: bool = False
    routed: bool = False
    preemptions: int = 0
    cost: float = 0.0  # added by all its pauses

    def __post_init__(self) -> None:
        self.work_left = self.remaining

    @property
    def running(self) -> bool:
        return self.pool is not None

    @property
    def attained(self) -> float:
        return self.service - self.work_left

    @property
    def size(self) -> float:
        return self.remaining * self.need


# -- orders: every one is by a key and then by arrival, `present` being in order of arrival -------

Order = Callable[[list[Job]], list[Job]]


def by_arrival(present: list[Job]) -> list[Job]:
    return list(present)


def by_remaining(present: list[Job]) -> list[Job]:
    return sorted(present, key=lambda job: job.remaining)


def by_size(present: list[Job]) -> list[Job]:
    return sorted(present, key=lambda job: job.size)


def by_rank(present: list[Job]) -> list[Job]:
    return sorted(present, key=lambda job: job.rank * job.need)


def most_servers(present: list[Job]) -> list[Job]:
    return sorted(present, key=lambda job: -job.need)


def least_servers(present: list[Job]) -> list[Job]:
    return sorted(present, key=lambda job: job.need)


# -- what to do with an order ---------------------------------------------------------------------

Fill = Callable[[list[Job], int], list[Job]]


def skip(queue: list[Job], servers: int) -> list[Job]:
    """Take each that fits."""
    taken = []
    for job in queue:
        if job.need <= servers:
            taken.append(job)
            servers -= job.need
    return taken


def block(queue: list[Job], servers: int) -> list[Job]:
    """Stop at the first that does not fit."""
    taken = []
    for job in queue:
        if job.need > servers:
            break
        taken.append(job)
        servers -= job.need
    return taken


def fill_servers(queue: list[Job], servers: int) -> list[Job]:
    """ServerFilling: the shortest prefix with total need >= servers, by need, largest first."""
    for m, total in enumerate(accumulate(job.need for job in queue), start=1):
        if total >= servers:
            return block(most_servers(queue[:m]), servers)
    return list(queue)


def fill_divisors(queue: list[Job], servers: int) -> list[Job]:
    """DivisorFilling, for any needs.

    1. Candidates: the first `servers` jobs of the order (all, if there are fewer).
    2. Target: the largest total need <= servers of any set of candidates. It is `servers` if there
       are that many candidates and all needs divide it, and the total need if all fit.
    3. Of the sets with that total take the lexicographically earliest by rank: walk the candidates
       in order, take each with which the target can still be reached exactly by later ones.

    For a kernel: a skipped need stays skipped (exchange two jobs of one need), so the answer is a
    prefix of each need, and a counted subset sum over the needs of the later candidates decides.
    """
    candidates = queue[:servers]
    totals = [{0}]  # the total needs of subsets of the last 0, 1, 2, ... candidates
    for job in reversed(candidates):
        more = {total + job.need for total in totals[-1]}
        totals.append({total for total in totals[-1] | more if total <= servers})
    target = max(totals.pop())
    taken = []
    for job in candidates:
        if target - job.need in totals.pop():
            taken.append(job)
            target -= job.need
    return taken


def packings(counts: list[tuple[int, int]], servers: int) -> Iterator[tuple[int, ...]]:
    """Every x with sum n x_n <= servers, x_n <= Q_n, for `counts` of (n, Q_n)."""
    if not counts:
        yield ()
        return
    need, present = counts[0]
    # Only the last need is always worth as many as fit: each adds its Q_n > 0.
    most = min(present, servers // need)
    for x in range(most if len(counts) == 1 else 0, most + 1):
        for rest in packings(counts[1:], servers - x * need):
            yield (x, *rest)


def max_weight(present: list[Job], servers: int) -> list[Job]:
    needs = sorted({job.need for job in present}, reverse=True)
    counts = [(n, sum(job.need == n for job in present)) for n in needs]
    weight = {
        x: sum(q * x_n for (_, q), x_n in zip(counts, x, strict=True))
        for x in packings(counts, servers)
    }
    best = max(weight, key=lambda x: (weight[x], x))
    left = dict(zip(needs, best, strict=True))
    taken = []
    for job in present:
        if left[job.need] > 0:
            taken.append(job)
            left[job.need] -= 1
    return taken
