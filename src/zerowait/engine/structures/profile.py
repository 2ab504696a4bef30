"""The idle servers expected from now on: a step function of time in two sorted arrays.

`free[i]` servers are free from `times[i]` to `times[i + 1]`; the last step lasts for ever.
Looking for a gap and filling it cost a walk over the steps.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called


class Profile(NamedTuple):
    times: Floats
    free: Ints
    n_steps: Ints  # [1]


def empty_profile(n_seats: int) -> Profile:
    """Room for a start and an end of every job in the system."""
    room = 2 * n_seats + 4
    return Profile(np.zeros(room), np.zeros(room, np.int64), np.zeros(1, np.int64))


def begin_profile(profile: Profile, now: float, free: int) -> None:
    profile.times[0] = now
    profile.free[0] = free
    profile.n_steps[0] = 1


def release(profile: Profile, time: float, need: int) -> None:
    """`need` servers more from `time` on, which is not before any other step."""
    last = profile.n_steps[0] - 1
    if time <= profile.times[last]:
        profile.free[last] += need
    else:
        profile.times[last + 1] = time
        profile.free[last + 1] = profile.free[last] + need
        profile.n_steps[0] = last + 2


def pass_time(profile: Profile, now: float) -> None:
    """Forget the steps that are over; the first one then begins now."""
    n_steps = profile.n_steps[0]
    over = 0
    while over + 1 < n_steps and profile.times[over + 1] <= now:
        over += 1
    if over > 0:
        for step in range(n_steps - over):
            profile.times[step] = profile.times[step + over]
            profile.free[step] = profile.free[step + over]
        profile.n_steps[0] = n_steps - over
    profile.times[0] = now


@called
def occupy(profile: Profile, need: int, duration: float) -> float:
    """Take `need` servers for `duration` at the earliest time they are free; return that time."""
    n_steps = profile.n_steps[0]
    first = 0
    step = 0
    end = profile.times[0] + duration
    # Whatever begins between `first` and a step that is too low would meet that step as well.
    while step < n_steps and (step == first or profile.times[step] < end):
        if profile.free[step] < need:
            first = step + 1
            end = profile.times[first] + duration
        step += 1
    begin = profile.times[first]
    if end == begin:
        return begin
    if step == n_steps or profile.times[step] != end:
        for later in range(n_steps, step, -1):
            profile.times[later] = profile.times[later - 1]
            profile.free[later] = profile.free[later - 1]
        profile.times[step] = end
        profile.free[step] = profile.free[step - 1]
        profile.n_steps[0] = n_steps + 1
    for taken in range(first, step):
        profile.free[taken] -= need
    return begin
