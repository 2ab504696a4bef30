"""What a scenario is, and the register of all of them."""

from collections.abc import Callable
from dataclasses import dataclass

from zerowait.deploy.check.bench import Bench
from zerowait.deploy.slurm.deployment import Deployment


@dataclass(frozen=True)
class Finding:
    """What a scenario expected and saw."""

    expected: str
    seen: str


@dataclass(frozen=True)
class Scenario:
    """One promise, on which plans it can be tried, and how."""

    promise: str
    applies: Callable[[Deployment], bool]
    play: Callable[[Bench], Finding]
    as_other_user: bool  # needs root, to be somebody else


SCENARIOS: list[Scenario] = []


def scenario(
    promise: str,
    applies: Callable[[Deployment], bool] = lambda _: True,
    *,
    as_other_user: bool = False,
) -> Callable[[Callable[[Bench], Finding]], Callable[[Bench], Finding]]:
    """Decorator: add a scenario, in the order in which they are played."""

    def add(play: Callable[[Bench], Finding]) -> Callable[[Bench], Finding]:
        SCENARIOS.append(Scenario(promise, applies, play, as_other_user))
        return play

    return add


def without_split(one: Deployment) -> bool:
    return one.layout is None


def with_split(one: Deployment) -> bool:
    return one.layout is not None


def reserves(one: Deployment) -> bool:
    return one.layout is None and one.order.reserves


def reserves_late(one: Deployment) -> bool:
    return reserves(one) and one.order.reserve_after > 0


def never_reserves(one: Deployment) -> bool:
    return one.layout is None and one.order.backfills and not one.order.reserves
