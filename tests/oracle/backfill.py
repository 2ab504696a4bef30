"""The naive twin of the `backfill` family, straight from DESIGN.md section 8 and nothing else.

What the text leaves open, and how it is read here:
- Keys. `need`, `estimate`, `estimate * need` (area), `arrival + allowance` (due), each a rounded
  double, smallest first; equal keys go by the order of the stream.
- Allowances by formula are `patience * (need_weight * log(need) + time_weight * log(time))` in
  this order of operations, with the C library's logarithm. log(0) is minus infinity; a patience or
  weight of 0 makes 0 of whatever it stands before, so that patience 0 is the order of arrival.
- `by=class` concerns keys only, of every order that looks at a time (`estimate`, `area`, `due` by
  formula): the time is the mean service of the job's class over the whole list (after overruns are
  settled), its sum rounded once. The need is the job's own, in a class of mixed needs too.
  Reservations go by the estimates of the jobs.
- A job has waited `now - arrival`, at least `reserve_after` or less. That is looked at in
  decisions only; a timer would change nothing, as a reservation only holds others back.
- A job before the reserved one in the scan is not held back by it, though it may be younger.
- A job that starts after the reserved one and is not estimated to end by `shadow` takes its need
  off `extra`; those that started before it in the same scan run when `shadow` is found.
- A job that needs more than the pool has (as auxiliary: more than the helpers) is passed over. It
  gets no reservation and holds nobody up.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .backfilling import assumed_ends
from .naive import FAMILY, Job, Scene, TimedServe
from .spellings import time_of


class Options(NamedTuple):
    order: str = "arrival"
    reserve_after: float = 0.0
    allowance: tuple[float, ...] | None = None  # per class
    patience: float | None = None
    need_weight: float = 1.0
    time_weight: float = 1.0
    by: str = "job"


def options_of(spelling: str) -> Options:
    """From `key=value,...`; times take units, a table has a time per class."""
    given = dict(option.split("=") for option in spelling.split(",") if option)
    read: dict[str, Callable[[str], object]] = {
        "order": str,
        "reserve_after": time_of,
        "allowance": lambda text: tuple(map(time_of, text.split("/"))),
        "patience": time_of,
        "need_weight": float,
        "time_weight": float,
        "by": str,
    }
    return Options(**{key: read[key](text) for key, text in given.items()})  # type: ignore[arg-type]


# -- the order ------------------------------------------------------------------------------------


def times(weight: float, value: float) -> float:
    """The product, with 0 for a weight of 0 even where the value is infinite."""
    return weight * value if weight else 0.0


def log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def mean_services(stream: Sequence[Job]) -> dict[int, float]:
    """Of each class, over all its jobs."""
    classes = {job.job_class for job in stream}
    services = {c: [job.service for job in stream if job.job_class == c] for c in classes}
    return {c: math.fsum(of_class) / len(of_class) for c, of_class in services.items()}


def allowance_of(job: Job, time: float, options: Options) -> float:
    if options.allowance is not None:
        return options.allowance[job.job_class]
    assert options.patience is not None
    logs = times(options.need_weight, log(job.need)) + times(options.time_weight, log(time))
    return times(options.patience, logs)


def key_of(job: Job, time: float, options: Options) -> float:
    """`time` is the job's estimate, or its class's mean service."""
    keys: dict[str, Callable[[], float]] = {
        "arrival": lambda: job.arrival,
        "need": lambda: job.need,
        "estimate": lambda: time,
        "area": lambda: time * job.need,
        "due": lambda: job.arrival + allowance_of(job, time, options),
    }
    return keys[options.order]()


def keys_of(stream: Sequence[Job], options: Options) -> list[float]:
    """The keys of all jobs, which are settled before the first of them comes."""
    means = mean_services(stream)
    by_class = options.by == "class"
    return [key_of(j, means[j.job_class] if by_class else j.estimate, options) for j in stream]


# -- the scan -------------------------------------------------------------------------------------


def reservation(job: Job, free: int, scene: Scene) -> tuple[float, int]:
    """`shadow`: the earliest time at which `job` will fit; `extra`: what is then left over."""
    ends = assumed_ends(scene)

    def idle(time: float) -> int:
        return free + sum(need for end, need in ends if end <= time)

    shadow = min(end for end, _ in ends if idle(end) >= job.need)
    return shadow, idle(shadow) - job.need


def scan(queue: Sequence[Job], free: int, scene: Scene, reserve_after: float) -> list[Job]:
    """Who of `queue`, in the order of their keys, starts now on `free` servers."""
    started: list[Job] = []
    shadow, extra, reserved = math.inf, 0, False
    for job in queue:
        if job.need > scene.servers:
            continue
        if job.need > free:
            if not reserved and scene.now - job.arrival >= reserve_after:
                just_started = [(scene.now, other) for other in started]
                running = scene._replace(running=scene.running + just_started)
                shadow, extra = reservation(job, free, running)
                reserved = True
            continue
        in_time = scene.now + job.estimate <= shadow
        if reserved and not in_time:
            if job.need > extra:
                continue
            extra -= job.need
        started.append(job)
        free -= job.need
    return started


def backfill(spelling: str, stream: Sequence[Job]) -> TimedServe:
    options = options_of(spelling)
    keys = keys_of(stream, options)

    def serve(waiting: list[Job], free: int, scene: Scene) -> list[Job]:
        queue = sorted(waiting, key=lambda job: keys[job.position])  # stable
        return scan(queue, free, scene, options.reserve_after)

    return serve


FAMILY["backfill"] = backfill
