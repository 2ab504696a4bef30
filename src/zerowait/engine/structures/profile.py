"""The idle servers expected from now on: a step function of time in two sorted arrays.

`free[i]` servers are free from `times[i]` to `times[i + 1]`; the last step lasts for ever.
Servers are only ever taken, so that a place once found to be too small stays so: what searches
have found is remembered, and later ones of the same need begin where it could be large enough.
"""

import math
from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.model.quantities import Floats, Ints

BUCKETS = 192  # of durations, four to a factor of two
LEAST_EXPONENT = -16


class Profile(NamedTuple):
    times: Floats
    free: Ints
    first: Ints  # [1] the step that is now
    end: Ints  # [1] behind the last step
    # What searches have found, per rank of a need and bucket of durations:
    searched: Floats  # [rank x bucket] there is no room before, for `shortest` or longer ...
    shortest: Floats  # [rank x bucket] ... which is the duration that was asked for
    below: Floats  # [rank x bucket] a Fenwick tree of `searched`: its largest in lower buckets
    known: Ints  # per rank: of which profile all that is
    number: Ints  # [1] of this profile


def empty_profile(n_seats: int, n_needs: int = 1) -> Profile:
    """Return room for a start and an end of every job in the system, and as much again: steps move
    to either side, and those that are over are cut off now and then only."""
    room = 2 * (2 * n_seats + 4)
    return Profile(
        times=np.zeros(room),
        free=np.zeros(room, np.int64),
        first=np.zeros(1, np.int64),
        end=np.zeros(1, np.int64),
        searched=np.zeros(n_needs * BUCKETS),
        shortest=np.zeros(n_needs * BUCKETS),
        below=np.zeros(n_needs * BUCKETS),
        known=np.zeros(n_needs, np.int64),
        number=np.zeros(1, np.int64),
    )


def begin_profile(profile: Profile, now: float, free: int) -> None:
    first = len(profile.times) // 4  # steps can be moved to either side, whichever is shorter
    profile.times[first] = now
    profile.free[first] = free
    profile.first[0] = first
    profile.end[0] = first + 1
    profile.number[0] += 1


def release(profile: Profile, time: float, need: int) -> None:
    """Free `need` servers from `time` on, after all other steps; before any server is taken."""
    last = profile.end[0] - 1
    if time <= profile.times[last]:
        profile.free[last] += need
    else:
        profile.times[last + 1] = time
        profile.free[last + 1] = profile.free[last] + need
        profile.end[0] = last + 2


def pass_time(profile: Profile, now: float) -> None:
    """Forget the steps that are over; the first one then begins now."""
    first = profile.first[0]
    end = profile.end[0]
    while first + 1 < end and profile.times[first + 1] <= now:
        first += 1
    if 2 * first >= len(profile.times):
        over = first - len(profile.times) // 4
        for step in range(first, end):
            profile.times[step - over] = profile.times[step]
            profile.free[step - over] = profile.free[step]
        profile.end[0] = end - over
        first -= over
    profile.first[0] = first
    profile.times[first] = now


@called
def occupy(profile: Profile, rank: int, need: int, duration: float) -> float:
    """Take `need` servers for `duration` at the earliest time they are free; return that time."""
    bucket = duration_bucket(duration)
    first = step_at(profile, searched_until(profile, rank, bucket, duration))
    end_step = profile.end[0]
    step = first
    end = profile.times[first] + duration
    # Whatever begins between `first` and a step that is too low would meet that step as well.
    while step < end_step and (step == first or profile.times[step] < end):
        if profile.free[step] < need:
            first = step + 1
            end = profile.times[first] + duration
        step += 1
    begin = profile.times[first]
    remember(profile, rank, bucket, duration, begin)
    if end == begin:
        return begin
    if step == end_step or profile.times[step] != end:
        front = profile.first[0]
        if front > 0 and step - front < end_step - step:
            for earlier in range(front, step):
                profile.times[earlier - 1] = profile.times[earlier]
                profile.free[earlier - 1] = profile.free[earlier]
            profile.first[0] = front - 1
            first -= 1
            step -= 1
        else:
            for later in range(end_step, step, -1):
                profile.times[later] = profile.times[later - 1]
                profile.free[later] = profile.free[later - 1]
            profile.end[0] = end_step + 1
        profile.times[step] = end
        profile.free[step] = profile.free[step - 1]
    for taken in range(first, step):
        profile.free[taken] -= need
    return begin


def step_at(profile: Profile, time: float) -> int:
    """Return the first step that does not begin before `time`; there is one."""
    low = profile.first[0]
    high = profile.end[0] - 1
    while low < high:
        middle = (low + high) // 2
        if profile.times[middle] < time:
            low = middle + 1
        else:
            high = middle
    return low


def duration_bucket(duration: float) -> int:
    """Return the bucket of a duration; it grows with the duration."""
    if duration <= 0.0:
        return 0
    mantissa, exponent = math.frexp(duration)
    bucket = 1 + 4 * (exponent - LEAST_EXPONENT) + int(8.0 * mantissa) - 4
    return min(max(bucket, 0), BUCKETS - 1)


def searched_until(profile: Profile, rank: int, bucket: int, duration: float) -> float:
    """Return the time before which there is no room for the need of this rank, for so long."""
    base = rank * BUCKETS
    if profile.known[rank] != profile.number[0]:
        profile.known[rank] = profile.number[0]
        for cell in range(base, base + BUCKETS):
            profile.searched[cell] = -np.inf
            profile.shortest[cell] = np.inf
            profile.below[cell] = -np.inf
    found = -np.inf
    if profile.shortest[base + bucket] <= duration:
        found = profile.searched[base + bucket]
    place = bucket  # shorter ones are in buckets 0 to bucket - 1
    while place > 0:
        found = max(found, profile.below[base + place - 1])
        place -= place & -place
    return found


def remember(profile: Profile, rank: int, bucket: int, duration: float, begin: float) -> None:
    base = rank * BUCKETS
    cell = base + bucket
    if begin >= profile.searched[cell] or duration < profile.shortest[cell]:
        profile.searched[cell] = begin
        profile.shortest[cell] = duration
    place = bucket + 1
    while place <= BUCKETS:
        profile.below[base + place - 1] = max(profile.below[base + place - 1], begin)
        place += place & -place
