"""What the engine answers to a case, in the words of the public interface."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import zerowait as zw

from .strategies import Case


def jobs_of(case: Case) -> Any:
    arrival, need, service = map(np.array, zip(*case.jobs, strict=True))
    return zw.Jobs(arrival, need, service, job_class=case.job_class, estimate=case.estimates)


def replay(policy: str, case: Case, **options: Any) -> Any:
    """The engine's result; the slots, where the case has them, go into the policy's spelling."""
    spec = policy if case.slots is None else f"{policy},slots={'/'.join(map(str, case.slots))}"
    return zw.replay(
        jobs_of(case),
        servers=case.servers,
        policy=spec,
        overruns=case.overruns,
        jobs=True,
        jit=is_compiled(policy),
        **options,
    )


def is_compiled(policy: str) -> bool:
    """Compiling each pair takes minutes; that compiled equals plain is the contract's matter."""
    return ":" not in policy


def columns(result: Any, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """These columns of the table of jobs, a row per job."""
    return list(zip(*(result.jobs[name] for name in names), strict=True))
