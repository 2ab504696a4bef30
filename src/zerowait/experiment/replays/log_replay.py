"""Replay a log: its own size and load or others, its users, and intervals over its weeks."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zerowait.experiment.replays.log_jobs import (
    keep_jobs,
    own_load,
    stretch,
    too_large,
    with_estimates,
)
from zerowait.experiment.replays.replay import BOUND_S, counted_jobs, replay
from zerowait.experiment.replays.user_measures import UserMeasures, user_measures
from zerowait.experiment.results.result import Result
from zerowait.experiment.statistics.bootstrap import (
    FEWEST_BLOCKS,
    WEEK_S,
    Intervals,
    block_intervals,
)
from zerowait.model import InputError, Jobs
from zerowait.model.plain import plain
from zerowait.model.quantities import whole
from zerowait.policies import Policy, parse_policy
from zerowait.traces import Log
from zerowait.traces.classes import group


@dataclass(frozen=True)
class LogReplay:
    """A result, what it says beyond a single number, and what was done to the log."""

    result: Result
    intervals: Intervals | None
    users: tuple[UserMeasures, ...]
    own_load: float  # of the jobs on these servers, before any stretching
    excluded: int  # jobs that need more than there is
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return self.result.as_dict() | {
            "own_load": self.own_load,
            "excluded": self.excluded,
            "intervals": self.intervals and self.intervals.as_dict(),
            "users": plain([asdict(one) for one in self.users]) or None,
            "notes": list(self.notes),
        }


def replay_log(
    log: Log,
    policy: str | Policy = "fcfs",
    *,
    servers: int | None = None,
    load: float | None = None,
    exclude_too_large: bool = False,
    estimates: str = "user",
    classes: str | None = None,
    warmup: float = 0.0,
    cooldown: float = 0.0,
    users: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    bound: float = BOUND_S,
    progress: Callable[[int], None] | None = None,
) -> LogReplay:
    """The jobs of `log` under a policy, on its own servers and at its own load unless given.

    `estimates` are the users' or exact; `classes` groups needs (as in `fit_workload`), which
    splits want, and otherwise every need is a class. Intervals come from resampled weeks.
    """
    size = log.servers if servers is None else whole("servers", servers)
    if size is None:
        raise InputError(f"{log.path}: does not say how many servers there were; give --servers")
    notes: list[str] = []
    jobs, owner = _fitting(log, size, exclude_too_large, notes)
    jobs = with_estimates(jobs, estimates)
    chosen = parse_policy(policy)
    if estimates == "user" and _looks_at_sizes(chosen) and _has_no_estimates(log):
        notes.append("has no estimates of users; service times stand in")
    grouped = None if classes is None else group(jobs, classes)
    if grouped is not None:
        jobs = replace(jobs, job_class=grouped.highest[grouped.index])
    own = own_load(jobs, size)
    factor = 1.0 if load is None else stretch(jobs, size, load)
    result = replay(
        jobs, size, chosen, load=load, warmup=warmup, cooldown=cooldown, bound=bound, jobs=True,
        progress=progress,
    )  # fmt: skip
    assert result.jobs is not None
    first, end = counted_jobs(len(jobs), warmup, cooldown)
    intervals = None
    if resamples:
        # A week of the log stays a week of the log when its gaps are stretched.
        intervals = block_intervals(
            result.jobs, bound=bound, counted=(first, end), block_length=WEEK_S * factor,
            resamples=resamples, seed=seed,
        )  # fmt: skip
        if intervals is None and log.clock.known:
            notes.append(f"covers fewer than {FEWEST_BLOCKS} weeks; no intervals")
    per_user: tuple[UserMeasures, ...] = ()
    if users:
        if owner is None:
            raise InputError(f"{log.path}: does not say whose jobs they are; leave out --users")
        per_user = user_measures(result.jobs[first:end], owner[first:end], bound)
    shown = {"load": load if load is not None else own, "estimates": estimates}
    result = replace(result, parameters=dict(result.parameters) | shown)
    if grouped is not None:
        named = zip(result.classes, grouped.names, strict=True)
        result = replace(result, classes=tuple(replace(one, name=name) for one, name in named))
    return LogReplay(result, intervals, per_user, own, len(log.jobs) - len(jobs), tuple(notes))


def _looks_at_sizes(policy: Policy) -> bool:
    return policy.size_aware or (policy.auxiliary is not None and policy.auxiliary.size_aware)


def _has_no_estimates(log: Log) -> bool:
    return log.has_estimate is None or not log.has_estimate.any()


def _fitting(
    log: Log, servers: int, exclude: bool, notes: list[str]
) -> tuple[Jobs, "np.ndarray[Any, Any] | None"]:
    """The jobs that can run, and whose they are."""
    large = too_large(log.jobs, servers)
    if not large.any():
        return log.jobs, log.user
    most = int(np.asarray(log.jobs.need).max())
    text = f"{int(large.sum())} jobs need more than the {servers} servers (up to {most})"
    if not exclude:
        raise InputError(
            f"{log.path}: {text}; give more --servers, or leave them out with --exclude-too-large"
        )
    notes.append(f"left out {text}")
    return keep_jobs(log.jobs, ~large), None if log.user is None else log.user[~large]
