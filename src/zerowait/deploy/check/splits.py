"""Scenarios about a split: whose servers a job runs on, and who waits for whom."""

import math
from collections.abc import Sequence

from zerowait.deploy.check.fixture import LONG_S, SlurmFixture
from zerowait.deploy.check.scenarios import CheckFinding, scenario, with_split
from zerowait.deploy.slurm.deployment import SlurmDeployment
from zerowait.deploy.slurm.split_partitions import SplitLayout
from zerowait.experiment.files.plan_file import PlanClass


def layout_of(fixture: SlurmFixture) -> SplitLayout:
    assert fixture.deployed.layout is not None
    return fixture.deployed.layout


def owners(fixture: SlurmFixture) -> list[PlanClass]:
    """Return the classes that have servers of their own, the smallest need first."""
    routes = layout_of(fixture).routes
    return sorted(
        (one for one in fixture.order.classes if one.name in routes), key=lambda one: one.need[1]
    )


def send(fixture: SlurmFixture, one: PlanClass, partition: str | None = None) -> int:
    """Submit a job as large and as long as the class has them; it runs until it is cancelled."""
    longest = min(fixture.longest_min, (one.estimate[1] - 1) // 60)
    limit_min = int(max(1, math.ceil(one.estimate[0] / 60), longest))
    return fixture.submit(int(one.need[1]), limit_min, real_s=LONG_S, partition=partition)


def hold(fixture: SlurmFixture, one: PlanClass) -> int:
    """Submit such a job, and wait until it has started."""
    number = send(fixture, one)
    fixture.cluster.wait_for_start([number])
    fixture.set_limit(number, "UNLIMITED")
    return number


def fill(fixture: SlurmFixture) -> dict[str, int]:
    """Start a job on the own servers of every class."""
    return {one.name: hold(fixture, one) for one in owners(fixture)}


def places(fixture: SlurmFixture, numbers: Sequence[int]) -> str:
    """Return the partition that each job started in."""
    jobs = fixture.cluster.jobs()
    return ", ".join("waits" if jobs[one].waits else jobs[one].partition for one in numbers)


@scenario("rule 1: a job runs on its class's own servers where they are idle", with_split)
def own_servers_first(fixture: SlurmFixture) -> CheckFinding:
    filled = fill(fixture)
    routes = layout_of(fixture).routes
    return CheckFinding(
        ", ".join(routes[name] for name in filled), places(fixture, list(filled.values()))
    )


@scenario("rule 2: a job that finds them busy runs on the helpers", with_split)
def helpers_next(fixture: SlurmFixture) -> CheckFinding:
    fill(fixture)
    smallest = owners(fixture)[0]
    number = send(fixture, smallest)
    fixture.cluster.wait_for_start([number])
    return CheckFinding(layout_of(fixture).helpers, places(fixture, [number]))


@scenario("rule 3: own servers that come free take the oldest job of their class", with_split)
def oldest_of_its_class(fixture: SlurmFixture) -> CheckFinding:
    filled = fill(fixture)
    largest = owners(fixture)[-1]
    hold(fixture, largest)  # on the helpers, all of them
    waiting = [send(fixture, largest) for _ in range(2)]
    fixture.until_looked_at(waiting[-1])
    fixture.let_go(filled[largest.name])
    fixture.cluster.wait_for_start(waiting[:1])
    fixture.until_looked_at(waiting[-1])
    return CheckFinding(
        f"{layout_of(fixture).routes[largest.name]}, waits", places(fixture, waiting)
    )


def has_sizes(one: SlurmDeployment) -> bool:
    """Tell whether the helpers fit two of the smallest class where the largest does not fit."""
    if one.layout is None:
        return False
    needs = [int(each.need[1]) for each in one.order.classes if each.name in one.layout.routes]
    return max(needs) >= 2 * min(needs) and len(needs) > 1


@scenario("helpers serve in order of arrival; a job that goes to its own frees the line", has_sizes)
def helpers_in_order(fixture: SlurmFixture) -> CheckFinding:
    filled = fill(fixture)
    smallest, largest = owners(fixture)[0], owners(fixture)[-1]
    hold(fixture, smallest)  # on the helpers: the largest does not fit there any more
    waiting = [send(fixture, largest), send(fixture, smallest)]
    fixture.until_looked_at(waiting[-1])
    before = places(fixture, waiting)
    fixture.let_go(filled[largest.name])
    fixture.cluster.wait_for_start(waiting)
    layout = layout_of(fixture)
    return CheckFinding(
        f"waits, waits; then {layout.routes[largest.name]}, {layout.helpers}",
        f"{before}; then {places(fixture, waiting)}",
    )


@scenario("naming a partition of the split does not choose it", with_split)
def no_way_round(fixture: SlurmFixture) -> CheckFinding:
    layout = layout_of(fixture)
    smallest = owners(fixture)[0]
    number = send(fixture, smallest, partition=layout.helpers)
    fixture.cluster.wait_for_start([number])
    return CheckFinding(layout.routes[smallest.name], places(fixture, [number]))


@scenario("a restart of the controller keeps the order of a split", with_split)
def split_survives_restart(fixture: SlurmFixture) -> CheckFinding:
    filled = fill(fixture)
    largest = owners(fixture)[-1]
    busy = hold(fixture, largest)
    waiting = [send(fixture, largest) for _ in range(3)]
    fixture.cluster.restart_controller()
    fixture.let_go(busy)
    fixture.cluster.wait_for_start(waiting[:1])
    fixture.let_go(filled[largest.name])
    fixture.cluster.wait_for_start(waiting[:2])
    fixture.until_looked_at(waiting[2])
    layout = layout_of(fixture)
    expected = f"{layout.helpers}, {layout.routes[largest.name]}, waits"
    return CheckFinding(expected, places(fixture, waiting))
