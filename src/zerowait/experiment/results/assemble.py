"""Put the sums of runs together into a result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from zerowait._version import __version__
from zerowait.engine.statistics.tally import Tally, merge
from zerowait.engine.stream import Kinds
from zerowait.engine.system import System
from zerowait.experiment.results.result import ClassResult, Result
from zerowait.experiment.results.summaries import class_measures, overall_measures
from zerowait.policies import Policy
from zerowait.policies.families.splitting import Splitting

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Setting:
    """What ran where: all that the runs do not know themselves."""

    policy: Policy
    servers: int
    kinds: Kinds
    names: Sequence[str]  # of the classes
    parameters: dict[str, Any]
    command: str

    @property
    def system(self) -> System:
        return self.kinds.system(self.servers, 1)


def assembled(
    kind: type[R],
    setting: Setting,
    tallies: Sequence[Tally],
    *,
    bounded: bool = False,
    notes: tuple[str, ...] = (),
    **known: Any,
) -> R:
    """A result of some kind from the sums of its runs, and what else is known of them."""
    total, servers, policy = merge(tallies), setting.servers, setting.policy
    classes = zip(
        class_measures(total, servers, bounded), setting.names, setting.kinds.class_needs,
        strict=True,
    )  # fmt: skip
    overall = overall_measures(total, servers, bounded)
    return kind(
        policy=policy.spec,
        servers=servers,
        overall=overall,
        classes=tuple(
            ClassResult(**vars(measures), name=name, need=int(need))
            for measures, name, need in classes
        ),
        replicates=(overall,)
        if len(tallies) == 1
        else tuple(overall_measures(one, servers, bounded) for one in tallies),
        parameters=setting.parameters,
        version=__version__,
        command=setting.command,
        split=policy.split_of(setting.system) if isinstance(policy, Splitting) else None,
        notes=policy.notes_on(setting.system) + notes,
        **known,
    )
