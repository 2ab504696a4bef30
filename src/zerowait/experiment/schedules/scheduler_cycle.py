"""A real scheduler's cycle, as a change of the jobs that an ordinary replay then runs.

A scheduler decides every so many seconds, and a job holds its servers for longer than it runs:
it has to be started, its end to be noticed, its nodes to be cleaned. With decisions at `phase + i
cycle`, a job that starts at one of them and holds its servers for `service + hand_over` gives
them back at the first decision after that. So with

    arrival' = the first decision at or after the arrival
    service' = service + hand_over, rounded up to whole cycles

every start and end of the replay lies on a decision, and waits are counted from the arrivals as
they were. Decision 0703 says where this differs from a scheduler: keys and ages count from
arrival', and jobs that come within one cycle are looked at one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.replays.replay import replay
from zerowait.model import Jobs
from zerowait.model.quantities import finite, items, non_negative, positive, refuse, whole
from zerowait.policies import Policy, parse_policy

Floats = NDArray[np.float64]
Range = tuple[float, float]


@dataclass(frozen=True)
class SchedulerDelays:
    """What a scheduler's delays are drawn from, in seconds: ranges, or values that were measured.

    The hand-over of a job is its `start_up`, by which it runs longer than its service, and the
    `release` of its servers after it has ended, which grows with its need from that of one server
    to that of all. `over_reserve` is how many idle servers too many a reservation takes.
    """

    cycle: Range
    start_up: tuple[float, ...] = (0.0,)  # measured; each is as likely as the others
    release_one: Range = (0.0, 0.0)
    release_all: Range = (0.0, 0.0)
    over_reserve: int = 0

    def __post_init__(self) -> None:
        positive("cycle", self.cycle[0])
        for name in ("cycle", "release_one", "release_all"):
            low, high = getattr(self, name)
            if not 0 <= finite(name, low) <= finite(name, high):
                raise refuse(name, (low, high), "must be a range of times, the shorter one first")
        for value in items("start_up", self.start_up):
            non_negative("start_up", value)
        whole("over_reserve", self.over_reserve, 0)


def at_decisions(jobs: Jobs, cycle: float, phase: float, hand_over: Floats | float) -> Jobs:
    """The jobs as a scheduler with this cycle sees them; estimates stay as they are."""
    positive("cycle", cycle)
    non_negative("phase", phase)
    arrival, service = np.asarray(jobs.arrival), np.asarray(jobs.service)
    # A job that ends on a decision is gone at it: rounding must not make it stay for another.
    steps = np.ceil((arrival - phase) / cycle - 1e-9)
    held = np.ceil((service + hand_over) / cycle - 1e-9)
    return replace(
        jobs, arrival=np.maximum(phase + cycle * steps, 0.0), service=np.maximum(held, 1) * cycle
    )


@dataclass(frozen=True)
class Delayed:
    """One draw: a cycle for all, and each job's start-up and release."""

    cycle: float
    phase: float
    start_up: Floats
    release: Floats


def delayed(jobs: Jobs, servers: int, delays: SchedulerDelays, rng: np.random.Generator) -> Delayed:
    cycle = rng.uniform(*delays.cycle)
    size = (np.asarray(jobs.need) - 1) / max(servers - 1, 1)
    small, large = (
        rng.uniform(*ends, len(jobs)) for ends in (delays.release_one, delays.release_all)
    )
    start_up = rng.choice(delays.start_up, len(jobs))
    return Delayed(cycle, rng.uniform(0.0, cycle), start_up, small + size * (large - small))


def drawn(jobs: Jobs, servers: int, delays: SchedulerDelays, rng: np.random.Generator) -> Jobs:
    """The jobs with one draw of cycle, phase and hand-overs."""
    one = delayed(jobs, servers, delays, rng)
    return at_decisions(jobs, one.cycle, one.phase, one.start_up + one.release)


def with_flaw(policy: str | Policy, over_reserve: int) -> Policy:
    """The policy with so many servers too many in each reservation, where it makes any."""
    chosen = parse_policy(policy)
    if over_reserve == 0:
        return chosen
    if chosen.name == "easy":
        return parse_policy(f"backfill,over_reserve={over_reserve}")
    if chosen.name == "backfill":
        return parse_policy(f"{chosen.spec},over_reserve={over_reserve}")
    return chosen


def predicted_starts(
    jobs: Jobs,
    servers: int,
    policy: str | Policy,
    delays: SchedulerDelays,
    *,
    draws: int = 100,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Floats:
    """When each job starts, one row per draw. The draws depend on the seed alone: two policies
    with the same seed meet the same delays."""
    chosen = with_flaw(policy, delays.over_reserve)
    starts = np.zeros((whole("draws", draws), len(jobs)))
    for row, sequence in zip(starts, np.random.SeedSequence(seed).spawn(draws), strict=True):
        seen = drawn(jobs, servers, delays, np.random.default_rng(sequence))
        # A job that outlasts its limit by the delays alone is not one with a longer limit.
        result = replay(seen, servers, chosen, overruns="as-recorded", resamples=0, jobs=True)
        assert result.jobs is not None
        row[:] = result.jobs["start"].to_numpy()
        if progress is not None:
            progress(1)
    return starts
