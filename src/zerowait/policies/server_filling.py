"""ServerFilling, ServerFilling-SRPT and ServerFilling-Gittins."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats, is_priced
from zerowait.engine.structures.queues import (
    NONE,
    Boundary,
    Lines,
    Queues,
    advance,
    empty_boundary,
    empty_lines,
    empty_queues,
    forget,
    join,
    join_boundary,
    leave,
    leave_line,
    plan_count,
    plan_fewer,
    plan_more,
)
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register
from zerowait.policies.families.common_order import (
    REMAINING,
    CommonOrder,
    choose_prefix,
    empty_order,
    largest_inside,
    look_within,
    overlook,
    overtaken,
    smallest_outside,
)
from zerowait.policies.families.gittins_order import Gittins, Ranked, age_in_service, empty_ranked
from zerowait.policies.families.preemptive import Preemptive, fill_by_need
from zerowait.policies.families.srpt import join_by_remaining, leave_order, rejoin_order


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need, in order of arrival
    chosen: Boundary  # M: the shortest prefix that needs all servers
    beyond: Queues  # one queue: the jobs outside M


def not_powers_of_two(servers: int, needs: Sequence[int]) -> list[int]:
    """Return those of the numbers that are no powers of two."""
    return [int(n) for n in (servers, *needs) if n < 1 or n & (n - 1)]


class FillsServers(Policy):
    """What is known of the ServerFilling policies, whose states have M as `chosen`."""

    throughput_optimal = "yes, if servers and needs are powers of two"
    ordered: ClassVar[str]  # how M is chosen

    def is_throughput_optimal(self, servers: int, needs: Sequence[int]) -> bool:
        return not not_powers_of_two(servers, needs)

    def notes_on(self, system: System) -> tuple[str, ...]:
        odd = not_powers_of_two(system.servers, system.needs.tolist())
        if not odd:
            return ()
        what = f"{odd[0]} is not a power of two, so servers may idle while jobs wait"
        return (f"{self.name}: {what}",)

    def why_start(self, pool: PoolView, job: int) -> str:
        if self.chosen(pool.state).total[0] < pool.servers:
            return self._told(pool)
        return f"{self._told(pool)}; of these by need, largest first: it needs {pool.need(job)}"

    def why_pause(self, pool: PoolView, job: int) -> str:
        if self.chosen(pool.state).inside[job]:
            return f"{self._told(pool)}, and of these others with larger needs go first"
        return f"{self._told(pool)}, and it is not among them"

    def why_wait(self, pool: PoolView) -> str:
        return f"{pool.idle_words}; {self._told(pool)}, and of these the largest go first"

    def _told(self, pool: PoolView) -> str:
        chosen = self.chosen(pool.state)
        count, total = int(chosen.n_inside.sum()), int(chosen.total[0])
        if total < pool.servers:
            return f"all {count} jobs fit on {pool.servers} {pool.noun}"
        return f"the first {count} {self.ordered} need {total} of {pool.servers} {pool.noun}"

    def chosen(self, state: Any) -> Boundary:
        """Return M."""
        chosen: Boundary = state.chosen
        return chosen


@register
class ServerFilling(FillsServers, Preemptive):
    """M = the fewest jobs, in order of arrival, that need all servers together; serve M by need,
    largest first, up to the first that does not fit (all jobs, if there is no such M)."""

    name = "server-filling"
    alias = "sf"
    ordered = "in order of arrival"
    source = "Grosof, Harchol-Balter, Scheller-Wolf 2022 (WCFS)"
    look = ("green",)
    seconds_per_million = 0.45

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(system.needs, system.n_seats),
            empty_boundary(system.needs, system.n_seats),
            empty_queues(1, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.lines.queues, jobs.need_rank[job], job)
        join(state.beyond, 0, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        line = jobs.need_rank[job]
        forget(state.chosen, state.lines.queues, line, job)
        leave_line(state.lines, line, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        line = jobs.need_rank[job]
        if state.chosen.inside[job] == 0:
            leave(state.beyond, 0, job)
        forget(state.chosen, state.lines.queues, line, job)
        leave_line(state.lines, line, job)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        # Only members of M leave, so M grows at its end alone.
        job = state.beyond.head[0]
        while state.chosen.total[0] < state.servers[0] and job != NONE:
            leave(state.beyond, 0, job)
            advance(state.chosen, state.lines.queues, jobs.need_rank[job])
            job = state.beyond.head[0]
        fill_by_need(state.lines, state.chosen, state.needs, state.servers[0])


class FillingSrptState(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need
    order: CommonOrder
    chosen: Boundary  # M: the shortest prefix by remaining size that needs all servers


@register
class ServerFillingSrpt(FillsServers, Preemptive):
    """M = the fewest jobs, by remaining size (time x need), that need all servers together; serve
    M by need, largest first, then by remaining size, up to the first that does not fit."""

    name = "server-filling-srpt"
    alias = "sf-srpt"
    ordered = "by remaining size"
    size_aware = True
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    look = ("violet", "square", "dashed")
    seconds_per_million = 0.8

    def initial_state(self, system: System) -> FillingSrptState:
        return FillingSrptState(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(system.needs, system.n_seats),
            empty_order(REMAINING, system.needs.astype(np.float64), system.n_seats),
            empty_boundary(system.needs, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: FillingSrptState, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)
        join_boundary(state.chosen, state.lines.queues, jobs.need_rank[job], job)

    @staticmethod
    def on_departure(state: FillingSrptState, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def withdraw(state: FillingSrptState, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def on_pause(state: FillingSrptState, jobs: Seats, job: int) -> None:
        if is_priced(jobs):
            rejoin_order(state.order, state.lines, state.chosen, jobs, job)

    @staticmethod
    def decide(state: FillingSrptState, jobs: Seats) -> None:
        choose_prefix(state.order, state.chosen, state.lines, jobs, state.servers[0])
        fill_by_need(state.lines, state.chosen, state.needs, state.servers[0])


class FillingGittinsState(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    ranked: Ranked  # `chosen` is M: the shortest prefix by rank x need that needs all servers


def line_at(ranked: Ranked, need: int, place: int) -> int:
    """The lines of a need are its line of jobs not in service, then those of jobs in service."""
    if place == 0:
        return need
    return ranked.stretches.span[need] + place - 1


def n_lines_of(ranked: Ranked, need: int) -> int:
    return ranked.stretches.span[need + 1] - ranked.stretches.span[need] + 1


def fill_by_rank(state: FillingGittinsState, jobs: Seats) -> None:
    """Plan M by need, largest first, then by rank, up to the first that does not fit."""
    ranked = state.ranked
    idle = state.servers[0]
    stopped = False
    for need in range(state.needs.shape[0] - 1, -1, -1):
        present = 0
        for place in range(n_lines_of(ranked, need)):
            present += ranked.chosen.n_inside[line_at(ranked, need, place)]
        wanted = 0
        if not stopped:
            wanted = min(present, idle // state.needs[need])
            stopped = wanted < present
            idle -= wanted * state.needs[need]
        if 0 < wanted < present:
            plan_first(ranked, jobs, need, wanted)
            continue
        for place in range(n_lines_of(ranked, need)):
            line = line_at(ranked, need, place)
            plan_count(ranked.lines, line, 0 if wanted == 0 else ranked.chosen.n_inside[line])


@called
def plan_first(ranked: Ranked, jobs: Seats, need: int, wanted: int) -> None:
    """Plan the first `wanted` jobs of a need among the chosen ones."""
    order, lines, chosen = ranked.order, ranked.lines, ranked.chosen
    overlook(order)
    planned = 0
    for place in range(n_lines_of(ranked, need)):
        line = line_at(ranked, need, place)
        plan_count(lines, line, min(lines.plan.n_inside[line], chosen.n_inside[line]))
        planned += lines.plan.n_inside[line]
        look_within(order, lines.plan, chosen, lines, jobs, line)
    growing = False  # once it grows it is not cut again, so that this ends whatever rounding does
    while True:
        line = largest_inside(order, lines.plan, jobs)
        outside = smallest_outside(order, lines.plan, lines, jobs)
        late = overtaken(order, lines.plan, lines, jobs, line, outside)
        if not growing and (planned > wanted or late):
            plan_fewer(lines, line)
            planned -= 1
        elif planned < wanted:
            growing = True
            line = outside
            plan_more(lines, line)
            planned += 1
        else:
            break
        look_within(order, lines.plan, chosen, lines, jobs, line)


@register
class ServerFillingGittins(FillsServers, Gittins):
    """M = the fewest jobs, by Gittins rank at their age x need, that need all servers together;
    serve M by need, largest first, then by rank, up to the first that does not fit.

    In a replay a class's law is that of its own service times.
    """

    name = "server-filling-gittins"
    alias = "sf-gittins"
    ordered = "by Gittins rank x need"
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    look = ("green", "diamond", "dotted")

    def initial_state(self, system: System) -> FillingGittinsState:
        return FillingGittinsState(
            np.array([system.servers]), system.needs.copy(), empty_ranked(system, weigh_needs=True)
        )

    @staticmethod
    def decide(state: FillingGittinsState, jobs: Seats) -> None:
        ranked = state.ranked
        age_in_service(ranked, jobs)
        choose_prefix(ranked.order, ranked.chosen, ranked.lines, jobs, state.servers[0])
        fill_by_rank(state, jobs)

    def chosen(self, state: FillingGittinsState) -> Boundary:
        return state.ranked.chosen
