"""Promises about a split: whose servers a job runs on, and who waits for whom."""

import math
from collections.abc import Sequence

from zerowait.deploy.check.bench import LONG_S, Bench
from zerowait.deploy.check.scenario import Finding, scenario, with_split
from zerowait.deploy.slurm.deployment import Deployment
from zerowait.deploy.slurm.split_partitions import SplitLayout
from zerowait.experiment.files.plan_file import PlanClass


def layout_of(bench: Bench) -> SplitLayout:
    assert bench.deployed.layout is not None
    return bench.deployed.layout


def owners(bench: Bench) -> list[PlanClass]:
    """The classes that have servers of their own, the smallest need first."""
    routes = layout_of(bench).routes
    return sorted(
        (one for one in bench.order.classes if one.name in routes), key=lambda one: one.need[1]
    )


def send(bench: Bench, one: PlanClass, partition: str | None = None) -> int:
    """A job as large and as long as the class has them, until it is let go."""
    longest = min(bench.longest_min, (one.estimate[1] - 1) // 60)
    limit_min = int(max(1, math.ceil(one.estimate[0] / 60), longest))
    return bench.submit(int(one.need[1]), limit_min, real_s=LONG_S, partition=partition)


def hold(bench: Bench, one: PlanClass) -> int:
    """The same, started."""
    number = send(bench, one)
    bench.until_started([number])
    bench.set_limit(number, "UNLIMITED")
    return number


def fill(bench: Bench) -> dict[str, int]:
    """A job on the own servers of every class."""
    return {one.name: hold(bench, one) for one in owners(bench)}


def places(bench: Bench, numbers: Sequence[int]) -> str:
    """The partition that each job started in."""
    jobs = bench.cluster.jobs()
    return ", ".join("waits" if jobs[one].waits else jobs[one].partition for one in numbers)


@scenario("rule 1: a job runs on its class's own servers where they are idle", with_split)
def own_servers_first(bench: Bench) -> Finding:
    filled = fill(bench)
    routes = layout_of(bench).routes
    return Finding(", ".join(routes[name] for name in filled), places(bench, list(filled.values())))


@scenario("rule 2: a job that finds them busy runs on the helpers", with_split)
def helpers_next(bench: Bench) -> Finding:
    fill(bench)
    smallest = owners(bench)[0]
    number = send(bench, smallest)
    bench.until_started([number])
    return Finding(layout_of(bench).helpers, places(bench, [number]))


@scenario("rule 3: own servers that come free take the oldest job of their class", with_split)
def oldest_of_its_class(bench: Bench) -> Finding:
    filled = fill(bench)
    largest = owners(bench)[-1]
    hold(bench, largest)  # on the helpers, all of them
    waiting = [send(bench, largest) for _ in range(2)]
    bench.until_looked_at(waiting[-1])
    bench.let_go(filled[largest.name])
    bench.until_started(waiting[:1])
    bench.until_looked_at(waiting[-1])
    return Finding(f"{layout_of(bench).routes[largest.name]}, waits", places(bench, waiting))


def has_sizes(one: Deployment) -> bool:
    """Is there room on the helpers for two of the smallest where the largest does not fit?"""
    if one.layout is None:
        return False
    needs = [int(each.need[1]) for each in one.order.classes if each.name in one.layout.routes]
    return max(needs) >= 2 * min(needs) and len(needs) > 1


@scenario("helpers serve in order of arrival; a job that goes to its own frees the line", has_sizes)
def helpers_in_order(bench: Bench) -> Finding:
    filled = fill(bench)
    smallest, largest = owners(bench)[0], owners(bench)[-1]
    hold(bench, smallest)  # on the helpers: the largest does not fit there any more
    waiting = [send(bench, largest), send(bench, smallest)]
    bench.until_looked_at(waiting[-1])
    before = places(bench, waiting)
    bench.let_go(filled[largest.name])
    bench.until_started(waiting)
    layout = layout_of(bench)
    return Finding(
        f"waits, waits; then {layout.routes[largest.name]}, {layout.helpers}",
        f"{before}; then {places(bench, waiting)}",
    )


@scenario("naming a partition of the split does not choose it", with_split)
def no_way_round(bench: Bench) -> Finding:
    layout = layout_of(bench)
    smallest = owners(bench)[0]
    number = send(bench, smallest, partition=layout.helpers)
    bench.until_started([number])
    return Finding(layout.routes[smallest.name], places(bench, [number]))


@scenario("a restart of the controller keeps the order of a split", with_split)
def restarted(bench: Bench) -> Finding:
    filled = fill(bench)
    largest = owners(bench)[-1]
    busy = hold(bench, largest)
    waiting = [send(bench, largest) for _ in range(3)]
    bench.cluster.restart_controller()
    bench.let_go(busy)
    bench.until_started(waiting[:1])
    bench.let_go(filled[largest.name])
    bench.until_started(waiting[:2])
    bench.until_looked_at(waiting[2])
    layout = layout_of(bench)
    expected = f"{layout.helpers}, {layout.routes[largest.name]}, waits"
    return Finding(expected, places(bench, waiting))
