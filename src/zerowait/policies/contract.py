"""What every policy must keep, tried on one of the user's own."""

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerowait.engine.mistakes import check_policy_class, defines
from zerowait.engine.run import Outcome, RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.model import EngineError, InputError, Jobs
from zerowait.policies.balanced_splitting import BalancedSplitting
from zerowait.policies.base import Policy
from zerowait.policies.spelling import parse_policy

SERVERS = 24
NEEDS = (1, 2, 4, 8)  # they divide the servers, as some policies want
SLOTS = (4, 2, 2, 0)  # of a split that leaves 8 helpers, so that they divide these, too
N_JOBS = 300


@dataclass(frozen=True)
class Verdict:
    """Which rules a policy keeps, and what it did where it broke one."""

    policy: str
    kept: tuple[str, ...]
    broken: dict[str, str]  # what happened, by rule

    @property
    def passed(self) -> bool:
        return not self.broken

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        lines = [f"policy {self.policy}: {'keeps the contract' if self else 'breaks the contract'}"]
        lines += [f"  kept    {rule}" for rule in self.kept]
        lines += [f"  BROKEN  {rule}: {what}" for rule, what in self.broken.items()]
        return "\n".join(lines)


def check_policy(policy: str | Policy | type[Policy]) -> Verdict:
    """Try a policy on a few hundred jobs, compiled and in plain Python, and say what it keeps."""
    chosen = parse_policy(policy)
    kept: list[str] = []
    broken: dict[str, str] = {}
    for rule, check in _rules(chosen):
        try:
            check(chosen)
            kept.append(rule)
        except Exception as error:
            broken[rule] = _told(error)
            break  # what follows would say the same again
    return Verdict(chosen.spec, tuple(kept), broken)


def _rules(policy: Policy) -> Iterator[tuple[str, Callable[[Policy], None]]]:
    """Yield each rule and its check, those first whose errors are simplest to understand."""
    yield "has the hooks that the engine asks for", check_policy_class
    yield "starts every job once, on servers that are free", _check_run
    yield "serves every job for its service time", _check_work
    yield "is the same whatever the chunks and seats", _check_chunks
    yield "is the same compiled and in plain Python", _check_compiled
    if defines(policy, "withdraw") and policy.auxiliary is None:
        yield "works on the helpers of a split", _check_as_auxiliary


def _told(error: Exception) -> str:
    if isinstance(error, (EngineError, InputError)):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename}:{last.lineno}: {type(error).__name__}: {error}"


def job_list(whole: bool) -> Jobs:
    """Draw the jobs of a loaded system; whole seconds make many events coincide."""
    rng = np.random.default_rng(5)
    need = rng.choice(NEEDS, N_JOBS, p=[0.5, 0.2, 0.2, 0.1])
    service = rng.exponential(20.0, N_JOBS)
    arrival = np.cumsum(rng.exponential(2.8, N_JOBS))
    if whole:
        arrival, service = np.floor(arrival), np.floor(service)
    return Jobs(arrival, need, service)


def _outcome(policy: Policy, whole: bool, **options: Any) -> Outcome:
    given = RunSettings(records=True, through_drain=True, jit=False)
    return run(JobStream(job_list(whole)), policy, SERVERS, replace(given, **options))


def _check_run(policy: Policy) -> None:
    for whole in (False, True):
        _outcome(policy, whole)


def _check_work(policy: Policy) -> None:
    for whole in (False, True):
        jobs, outcome = job_list(whole), _outcome(policy, whole)
        assert outcome.records is not None
        start, end = outcome.records.start, outcome.records.end
        service = np.asarray(jobs.service)
        paused = outcome.records.preemptions > 0
        least = np.where(paused, start + service * (1 - 1e-9), start + service)
        wrong = np.flatnonzero((end < least) | (~paused & (end > least)))
        if len(wrong):
            job = int(wrong[0])
            held = f"from {start[job]:g} to {end[job]:g}"
            raise EngineError(f"job {job} of service {service[job]:g} was there {held}")


def _check_chunks(policy: Policy) -> None:
    expected = _outcome(policy, True)
    _check_same(expected, _outcome(policy, True, chunk_size=7), "with chunks of 7 jobs")
    _check_same(expected, _outcome(policy, True, first_seats=1), "with seats for 1 job at first")


def _check_compiled(policy: Policy) -> None:
    for whole in (False, True):
        _check_same(_outcome(policy, whole), _outcome(policy, whole, jit=True), "compiled")


def _check_as_auxiliary(policy: Policy) -> None:
    _check_chunks(BalancedSplitting(policy, SLOTS))


def _check_same(one: Outcome, other: Outcome, where: str) -> None:
    assert one.records is not None
    assert other.records is not None
    for name, value in vars(one.records).items():
        differs = np.flatnonzero(value != getattr(other.records, name))
        if len(differs):
            job = int(differs[0])
            told = f"{value[job]:g}, and {getattr(other.records, name)[job]:g} {where}"
            raise EngineError(f"{name} of job {job} is {told}")
