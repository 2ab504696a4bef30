"""Put the outcomes of runs together into a result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zerowait._version import __version__
from zerowait.engine.run import Outcome
from zerowait.engine.stream import Kinds
from zerowait.engine.system import System
from zerowait.engine.tally import merge
from zerowait.experiment.measures import class_measures, overall_measures
from zerowait.experiment.result import ClassResult, Result
from zerowait.policies import Policy
from zerowait.policies.splitting import Splitting

if TYPE_CHECKING:
    import polars


def summarise(
    policy: Policy,
    servers: int,
    kinds: Kinds,
    outcomes: Sequence[Outcome],
    names: Sequence[str],
    parameters: dict[str, Any],
    command: str,
    jobs: "polars.DataFrame | None",
    bounded: bool = False,
) -> Result:
    total = merge([outcome.tally for outcome in outcomes])
    needs = kinds.class_needs
    classes = tuple(
        ClassResult(**vars(measures), name=name, need=int(need))
        for measures, name, need in zip(
            class_measures(total, servers, bounded), names, needs, strict=True
        )
    )
    split = None
    if isinstance(policy, Splitting):
        system = System(servers, 1, kinds.needs, needs, kinds.class_demands)
        split = policy.split_of(system)
    return Result(
        policy=policy.spec,
        servers=servers,
        overall=overall_measures(total, servers, bounded),
        classes=classes,
        replicates=tuple(overall_measures(one.tally, servers, bounded) for one in outcomes),
        parameters=parameters,
        version=__version__,
        command=command,
        split=split,
        jobs=jobs,
    )
