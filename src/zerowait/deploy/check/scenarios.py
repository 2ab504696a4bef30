"""Scenarios that try a deployment on a real Slurm: their register, and how they are played."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from zerowait.deploy.check.fixture import SlurmFixture, virtual_site
from zerowait.deploy.cluster.cluster import SlurmCluster, SlurmError
from zerowait.deploy.slurm.deployment import SlurmDeployment


@dataclass(frozen=True)
class CheckFinding:
    """What a scenario expected and saw."""

    expected: str
    seen: str


@dataclass(frozen=True)
class Scenario:
    """A promise of a deployment: whom it applies to, and the play that tries it."""

    promise: str
    applies: Callable[[SlurmDeployment], bool]
    play: Callable[[SlurmFixture], CheckFinding]
    as_other_user: bool  # needs root, to be somebody else


# Modules with scenarios, in the order in which they are played.
MODULES = ("queue", "splits", "keys_and_limits")
SCENARIOS: list[Scenario] = []


def scenario(
    promise: str,
    applies: Callable[[SlurmDeployment], bool] = lambda _: True,
    *,
    as_other_user: bool = False,
) -> Callable[[Callable[[SlurmFixture], CheckFinding]], Callable[[SlurmFixture], CheckFinding]]:
    """Register the decorated function as a scenario; the order is that of play."""

    def add(play: Callable[[SlurmFixture], CheckFinding]) -> Callable[[SlurmFixture], CheckFinding]:
        SCENARIOS.append(Scenario(promise, applies, play, as_other_user))
        return play

    return add


def without_split(one: SlurmDeployment) -> bool:
    return one.layout is None


def with_split(one: SlurmDeployment) -> bool:
    return one.layout is not None


def reserves(one: SlurmDeployment) -> bool:
    return one.layout is None and one.order.reserves


def reserves_late(one: SlurmDeployment) -> bool:
    return reserves(one) and one.order.reserve_after > 0


def never_reserves(one: SlurmDeployment) -> bool:
    return one.layout is None and one.order.backfills and not one.order.reserves


@dataclass(frozen=True)
class CheckOutcome:
    """The result of a scenario: kept, broken, or not tried and why."""

    promise: str
    expected: str = ""
    seen: str = ""
    skipped: str = ""

    @property
    def holds(self) -> bool:
        return self.expected == self.seen


def scenarios_for(deployed: SlurmDeployment) -> list[Scenario]:
    """Return the scenarios that a deployment can be tried with, in the order of play."""
    for name in MODULES:
        import_module(f"zerowait.deploy.check.{name}")
    return [one for one in SCENARIOS if one.applies(deployed)]


def play_scenarios(
    deployed: SlurmDeployment, files: Mapping[str, str], wanted: Sequence[Scenario] | None = None
) -> Iterator[CheckOutcome]:
    """Play scenarios, all or those `wanted`, with the files of a deployment's folder."""
    virtual = virtual_site(deployed, files)
    with SlurmCluster(virtual.setup) as cluster:
        fixture = SlurmFixture(cluster, deployed, virtual)
        for one in scenarios_for(deployed) if wanted is None else wanted:
            yield _play(one, fixture)


def _play(one: Scenario, fixture: SlurmFixture) -> CheckOutcome:
    if one.as_other_user and os.getuid() != 0:
        return CheckOutcome(one.promise, skipped="needs root, to submit as another user")
    try:
        finding = one.play(fixture)
        outcome = CheckOutcome(one.promise, finding.expected, finding.seen)
    except SlurmError as error:
        outcome = CheckOutcome(one.promise, "the scenario runs to its end", str(error))
    fixture.clear()
    return outcome
