"""Put the outcomes of runs together into a result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait._version import __version__
from zerowait.engine.run import Outcome
from zerowait.engine.stream import Kinds
from zerowait.engine.tally import merge
from zerowait.experiment.measures import class_measures, overall_measures
from zerowait.experiment.result import ClassResult, Result
from zerowait.experiment.stability import is_diverging
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
    system = kinds.system(servers, 1)
    segments = np.mean([outcome.segments for outcome in outcomes], axis=0)
    steady = not bounded  # a log is what it is; only a simulation stands for a steady state
    return Result(
        policy=policy.spec,
        servers=servers,
        overall=overall_measures(total, servers, bounded),
        classes=classes,
        replicates=tuple(overall_measures(one.tally, servers, bounded) for one in outcomes),
        parameters=parameters,
        version=__version__,
        command=command,
        diverging=steady and is_diverging(segments),
        notes=policy.notes_on(system),
        split=policy.split_of(system) if isinstance(policy, Splitting) else None,
        jobs=jobs,
    )
