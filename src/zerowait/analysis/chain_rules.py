"""Policies as rules of a Markov chain: what an arrival and a completion do to a state.

Decisions are the definitions of the policies, on classes instead of jobs. A job is the index of its
class; `needs` is per class.

Service is exponential, so a state need not know how long jobs have been running. It does hold
the order of the waiting jobs wherever a decision may depend on it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Classes = Sequence[int]  # the classes of some jobs, in order of arrival
Decision = Callable[[Classes, Sequence[int], int], list[int]]  # -> positions that are served


def decide_fcfs(waiting: Classes, needs: Sequence[int], idle: int) -> list[int]:
    """Serve in order of arrival; the first that does not fit blocks all behind it."""
    served = []
    for position, job in enumerate(waiting):
        if needs[job] > idle:
            break
        idle -= needs[job]
        served.append(position)
    return served


def decide_first_fit(waiting: Classes, needs: Sequence[int], idle: int) -> list[int]:
    """Serve each in order of arrival that fits."""
    served = []
    for position, job in enumerate(waiting):
        if needs[job] <= idle:
            idle -= needs[job]
            served.append(position)
    return served


def decide_most_servers_first(jobs: Classes, needs: Sequence[int], servers: int) -> list[int]:
    """Serve, preemptively, by need, largest first; each that fits."""
    order = largest_first(jobs, needs)
    return [
        order[i] for i in decide_first_fit([jobs[position] for position in order], needs, servers)
    ]


def decide_server_filling(jobs: Classes, needs: Sequence[int], servers: int) -> list[int]:
    """Serve, preemptively, the shortest prefix that could fill the servers, by need, largest first,
    up to the first that does not fit; all jobs where there is no such prefix."""
    prefix = jobs[: filling_prefix(jobs, needs, servers)]
    order = largest_first(prefix, needs)
    return [order[i] for i in decide_fcfs([jobs[position] for position in order], needs, servers)]


def filling_prefix(jobs: Classes, needs: Sequence[int], servers: int) -> int:
    """Return the length of the shortest prefix with total need >= servers, or of all jobs."""
    total = 0
    for position, job in enumerate(jobs):
        total += needs[job]
        if total >= servers:
            return position + 1
    return len(jobs)


def largest_first(jobs: Classes, needs: Sequence[int]) -> list[int]:
    """Return positions by need, largest first, the earlier arrival first among equals."""
    return sorted(range(len(jobs)), key=lambda position: -needs[jobs[position]])


ChainState = Any  # hashable


class ArrivalOutcome(NamedTuple):
    """One outcome of an arrival."""

    probability: float
    state: ChainState
    starts: bool  # in service at once?
    routed: bool  # found its own servers busy?


class Counts(NamedTuple):
    """What measures are made of; means where a state leaves the classes of some jobs open."""

    present: Sequence[float]  # per class: jobs in the system
    on_helpers: Sequence[float]  # per class: jobs in service on the helpers
    busy: int  # servers


class ChainRules(Protocol):
    """One policy on one system."""

    def empty(self) -> ChainState: ...

    def arrive(self, state: ChainState, job_class: int) -> Iterator[ArrivalOutcome]: ...

    def complete(self, state: ChainState) -> Iterator[tuple[float, ChainState]]:
        """Yield rates and the states they lead to."""

    def count(self, state: ChainState) -> Counts: ...

    def size(self, state: ChainState) -> int:
        """Count the jobs in the system."""


@dataclass(frozen=True)
class ChainSystem:
    """Servers and classes, as rules need them."""

    servers: int
    needs: tuple[int, ...]  # per class
    rates: tuple[float, ...]  # per class: 1 / mean service
    shares: tuple[float, ...]  # per class


def _with(counts: tuple[int, ...], job_class: int, change: int) -> tuple[int, ...]:
    return (*counts[:job_class], counts[job_class] + change, *counts[job_class + 1 :])


@dataclass(frozen=True)
class NonpreemptiveRules:
    """Own slots per class (none: no split) and one pool on which `decide` starts waiting jobs.

    A state is (jobs in own slots, jobs in the pool, classes of the waiting jobs in order).
    """

    system: ChainSystem
    decide: Decision
    slots: tuple[int, ...]  # per class
    pool: int  # servers: the helpers, or all where there is no split
    refill: bool = True  # rule 3: own slots take waiting jobs (bs), or not (mbs)
    split: bool = True

    def empty(self) -> ChainState:
        none = (0,) * len(self.slots)
        return none, none, ()

    def size(self, state: ChainState) -> int:
        own, pooled, waiting = state
        return int(sum(own) + sum(pooled) + len(waiting))

    def count(self, state: ChainState) -> Counts:
        own, pooled, waiting = state
        present = [a + b for a, b in zip(own, pooled, strict=True)]
        busy = sum(n * jobs for n, jobs in zip(self.system.needs, present, strict=True))
        for job in waiting:
            present[job] += 1
        return Counts(present, pooled if self.split else [0] * len(pooled), busy)

    def arrive(self, state: ChainState, job_class: int) -> Iterator[ArrivalOutcome]:
        own, pooled, waiting = state
        overtakes = self.refill and job_class in waiting
        if own[job_class] < self.slots[job_class] and not overtakes:
            yield ArrivalOutcome(1.0, (_with(own, job_class, 1), pooled, waiting), True, False)
            return
        queue = (*waiting, job_class)
        starts = len(waiting) in self.decide(queue, self.system.needs, self._idle(pooled))
        yield ArrivalOutcome(1.0, self._decide(own, pooled, queue), starts, self.split)

    def complete(self, state: ChainState) -> Iterator[tuple[float, ChainState]]:
        own, pooled, waiting = state
        for job_class, rate in enumerate(self.system.rates):
            if own[job_class]:
                if self.refill and job_class in waiting:
                    first = waiting.index(job_class)
                    left, queue = own, waiting[:first] + waiting[first + 1 :]
                else:
                    left, queue = _with(own, job_class, -1), waiting
                yield own[job_class] * rate, self._decide(left, pooled, queue)
            if pooled[job_class]:
                left = _with(pooled, job_class, -1)
                yield pooled[job_class] * rate, self._decide(own, left, waiting)

    def _decide(self, own: Any, pooled: Any, waiting: Classes) -> ChainState:
        started = self.decide(waiting, self.system.needs, self._idle(pooled))
        for position in started:
            pooled = _with(pooled, waiting[position], 1)
        chosen = set(started)
        return own, pooled, tuple(job for i, job in enumerate(waiting) if i not in chosen)

    def _idle(self, pooled: tuple[int, ...]) -> int:
        return self.pool - sum(n * jobs for n, jobs in zip(self.system.needs, pooled, strict=True))


@dataclass(frozen=True)
class PreemptiveRules:
    """`decide` chooses anew among all jobs; a state is their classes in an order that it keeps.

    That is the order of arrival, but for jobs whose order can no longer matter: those sorted by
    need (under server-filling within the prefix, which its jobs leave only by completing).
    """

    system: ChainSystem
    decide: Decision

    def empty(self) -> ChainState:
        return ()

    def size(self, state: ChainState) -> int:
        return len(state)

    def count(self, state: ChainState) -> Counts:
        needs = self.system.needs
        present = [0] * len(needs)
        for job in state:
            present[job] += 1
        served = self.decide(state, needs, self.system.servers)
        return Counts(present, [0] * len(needs), sum(needs[state[i]] for i in served))

    def arrive(self, state: ChainState, job_class: int) -> Iterator[ArrivalOutcome]:
        jobs = (*state, job_class)
        starts = len(state) in self.decide(jobs, self.system.needs, self.system.servers)
        yield ArrivalOutcome(1.0, self._sorted(jobs), starts, False)

    def complete(self, state: ChainState) -> Iterator[tuple[float, ChainState]]:
        for position in self.decide(state, self.system.needs, self.system.servers):
            left = state[:position] + state[position + 1 :]
            yield self.system.rates[state[position]], self._sorted(left)

    def _sorted(self, jobs: tuple[int, ...]) -> ChainState:
        needs = self.system.needs
        n = len(jobs)
        if self.decide is decide_server_filling:
            n = filling_prefix(jobs, needs, self.system.servers)
        order = largest_first(jobs[:n], needs)
        return tuple(jobs[i] for i in order) + jobs[n:]


@dataclass(frozen=True)
class FcfsByHead:
    """FCFS with the classes behind the head of the queue left open until they get there.

    They are independent of all that has happened (shares alone decide), so the chain is exact
    and its states grow with the queue's length, not with its orders. A state is (jobs in
    service per class, class of the head or -1, jobs behind it).
    """

    system: ChainSystem

    def empty(self) -> ChainState:
        return (0,) * len(self.system.needs), -1, 0

    def size(self, state: ChainState) -> int:
        running, head, behind = state
        return int(sum(running) + (head >= 0) + behind)

    def count(self, state: ChainState) -> Counts:
        running, head, behind = state
        present = [n + behind * share for n, share in zip(running, self.system.shares, strict=True)]
        if head >= 0:
            present[head] += 1
        return Counts(present, [0] * len(running), self.system.servers - self._idle(running))

    def arrive(self, state: ChainState, job_class: int) -> Iterator[ArrivalOutcome]:
        running, head, behind = state
        if head >= 0:
            yield ArrivalOutcome(1.0, (running, head, behind + 1), False, False)
        elif self.system.needs[job_class] <= self._idle(running):
            yield ArrivalOutcome(1.0, (_with(running, job_class, 1), -1, 0), True, False)
        else:
            yield ArrivalOutcome(1.0, (running, job_class, 0), False, False)

    def complete(self, state: ChainState) -> Iterator[tuple[float, ChainState]]:
        running, head, behind = state
        for job_class, rate in enumerate(self.system.rates):
            if running[job_class]:
                left = _with(running, job_class, -1)
                for probability, after in self.advance(left, head, behind):
                    yield running[job_class] * rate * probability, after

    def advance(
        self, running: tuple[int, ...], head: int, behind: int
    ) -> Iterator[tuple[float, ChainState]]:
        """Start what fits, drawing the class of each new head."""
        if head < 0 or self.system.needs[head] > self._idle(running):
            yield 1.0, (running, head, behind)
            return
        running = _with(running, head, 1)
        if behind == 0:
            yield 1.0, (running, -1, 0)
            return
        for job_class, share in enumerate(self.system.shares):
            for probability, after in self.advance(running, job_class, behind - 1):
                yield share * probability, after

    def _idle(self, running: tuple[int, ...]) -> int:
        in_use = sum(n * jobs for n, jobs in zip(self.system.needs, running, strict=True))
        return self.system.servers - in_use
