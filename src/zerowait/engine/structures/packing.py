"""How jobs fill servers: the heaviest packing (a bounded knapsack) and the totals in reach.

Both are exact. Which totals can be had by adding up the needs of some jobs is a counted subset sum:
where each need divides the next, taking the largest first is exact, since small needs that could
replace a larger one add up to it exactly. Otherwise that is tried first, and if it fails a table of
all totals up to the wanted one decides.

The sequential knapsack (Pochet and Weismantel 1998). The capacity modulo the next need can hold
jobs up to this need only: it gets the heaviest. The others are bundled, heaviest first, into
packages as large as the next need, and compete with its jobs. Equal jobs make equal bundles, so
that a few runs of them stand for all. A bundle is compared by weight, then by its jobs from the
largest need down: an order that additions keep, so ties are broken as exactly as weights.

Needs and capacity are counted in units of the greatest common divisor of all needs. Where each
need divides the next, bundles solve it (`bundles.py`). Otherwise a dynamic program goes
through the needs from the smallest up, each with a sliding maximum. After the larger needs
have chosen, what is left differs from the capacity by a multiple of the divisor of those needs,
so a smaller need is solved for such capacities only.

Where each need divides the next, taking the largest first is exact: small needs that could
replace a larger one add up to it exactly. Otherwise that is tried first, and if it fails a
table of all totals up to the wanted one decides.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.model.quantities import Ints


class BundleRuns(NamedTuple):
    """Runs of equal bundles, heaviest first."""

    size: Ints  # [1] runs
    bundles: Ints  # per run
    weight: Ints  # per run: of one bundle
    parts: Ints  # per run and need: jobs in a bundle


class Bundles(NamedTuple):
    runs: BundleRuns
    spare: BundleRuns  # what the next need makes of them


def empty_bundles(n_needs: int) -> Bundles:
    return Bundles(_empty_bundle_runs(n_needs), _empty_bundle_runs(n_needs))


def _empty_bundle_runs(n_needs: int) -> BundleRuns:
    # A need adds one run of many; of single bundles half are gone at the next need.
    room = 4 * n_needs + 8
    return BundleRuns(
        np.zeros(1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room * n_needs, np.int64),
    )


@called
def insert_run(runs: BundleRuns, rank: int, count: int, weight: int, n_needs: int) -> None:
    """Put a run of single jobs where it belongs; they are of the largest need so far."""
    at = runs.size[0]
    while at > 0 and runs.weight[at - 1] <= weight:
        runs.bundles[at] = runs.bundles[at - 1]
        runs.weight[at] = runs.weight[at - 1]
        for part in range(n_needs):
            runs.parts[at * n_needs + part] = runs.parts[(at - 1) * n_needs + part]
        at -= 1
    runs.size[0] += 1
    runs.bundles[at] = count
    runs.weight[at] = weight
    for part in range(n_needs):
        runs.parts[at * n_needs + part] = 0
    runs.parts[at * n_needs + rank] = 1


@called
def take_heaviest(runs: BundleRuns, room: int, counts: Ints) -> None:
    """Add the jobs of the heaviest `room` bundles to the packing."""
    n_needs = counts.shape[0]
    at = 0
    while room > 0 and at < runs.size[0]:
        taken = min(room, runs.bundles[at])
        runs.bundles[at] -= taken
        room -= taken
        for part in range(n_needs):
            counts[part] += taken * runs.parts[at * n_needs + part]
        at += 1


@called
def bundle(runs: BundleRuns, into: BundleRuns, group: int, n_needs: int) -> None:
    """Make bundles of `group` bundles each; the last one may be smaller."""
    into.size[0] = 0
    filled = 0  # bundles in the last, unfinished one
    for at in range(runs.size[0]):
        left = runs.bundles[at]
        if filled > 0:
            taken = min(left, group - filled)
            add_bundles(into, runs, at, taken, n_needs)
            left -= taken
            filled = (filled + taken) % group
        if left >= group:
            start_bundles(into, left // group, n_needs)
            add_bundles(into, runs, at, group, n_needs)
            left %= group
        if left > 0:
            start_bundles(into, 1, n_needs)
            add_bundles(into, runs, at, left, n_needs)
            filled = left


def start_bundles(into: BundleRuns, count: int, n_needs: int) -> None:
    at = into.size[0]
    into.size[0] += 1
    into.bundles[at] = count
    into.weight[at] = 0
    for part in range(n_needs):
        into.parts[at * n_needs + part] = 0


def add_bundles(into: BundleRuns, runs: BundleRuns, at: int, times: int, n_needs: int) -> None:
    """Add a bundle, `times` over, to the last one."""
    last = into.size[0] - 1
    into.weight[last] += times * runs.weight[at]
    for part in range(n_needs):
        into.parts[last * n_needs + part] += times * runs.parts[at * n_needs + part]


@called
def pack_bundles(
    bundles: Bundles,
    needs: Ints,
    weights: Ints,
    limits: Ints,
    active: Ints,
    n_active: int,
    capacity: int,
    counts: Ints,
) -> None:
    """Add to `counts` the heaviest packing of the active needs, smallest first."""
    n_needs = needs.shape[0]
    runs, spare = bundles.runs, bundles.spare
    runs.size[0] = 0
    for place in range(n_active):
        rank = active[place]
        insert_run(runs, rank, limits[rank], weights[rank], n_needs)
        if place + 1 == n_active:
            take_heaviest(runs, capacity // needs[rank], counts)
            break
        following = needs[active[place + 1]]
        take_heaviest(runs, capacity % following // needs[rank], counts)
        bundle(runs, spare, following // needs[rank], n_needs)
        runs, spare = spare, runs


class Packing(NamedTuple):
    """The arrays of `pack`: what to pack goes in, the packing comes out, the rest is scratch."""

    needs: Ints  # per need, in units, smallest first
    unit: Ints  # [1] servers in a unit
    weights: Ints  # per need: of one job, positive where there are jobs
    limits: Ints  # per need: jobs at hand
    counts: Ints  # per need, out: jobs to take
    active: Ints  # per need: those with jobs that fit, smallest first
    step: Ints  # per active need: spacing of the capacities it is solved for
    begin: Ints  # per active need: where in `best` its values lie
    best: Ints  # value of the best packing of the needs up to one, per capacity left
    window: Ints  # candidates of a sliding maximum: their places
    window_value: Ints  # and their values
    is_chain: Ints  # [1] does each need divide the next?
    bundles: Bundles


def empty_packing(needs: Ints, servers: int) -> Packing:
    """Return room for packings of `needs` (smallest first) onto up to `servers` servers."""
    unit = int(np.gcd.reduce(needs))
    units = needs // unit
    capacity = servers // unit
    # Spacing as if all needs were active; fewer needs are spaced wider and take less room.
    spacing = [int(np.gcd.reduce(units[above:])) for above in range(1, len(units))]
    room = sum(capacity // step + 1 for step in spacing)
    return Packing(
        needs=units,
        unit=np.array([unit]),
        weights=np.zeros_like(units),
        limits=np.zeros_like(units),
        counts=np.zeros_like(units),
        active=np.zeros_like(units),
        step=np.zeros_like(units),
        begin=np.zeros_like(units),
        best=np.zeros(room, np.int64),
        window=np.zeros(capacity + 1, np.int64),
        window_value=np.zeros(capacity + 1, np.int64),
        is_chain=np.array([np.all(units[1:] % units[:-1] == 0)], np.int64),
        bundles=empty_bundles(len(units)),
    )


@called
def pack(packing: Packing, servers: int) -> None:
    """Set `counts` to x, the packing of `servers` that maximises sum weights x.

    Subject to sum needs x <= servers and x <= limits; of equals the lexicographically largest
    from the largest need down.
    """
    p = packing
    capacity = servers // p.unit[0]
    n_active = 0
    total = 0
    for rank in range(p.needs.shape[0]):
        p.counts[rank] = 0
        if p.limits[rank] > 0 and p.needs[rank] <= capacity:
            p.active[n_active] = rank
            n_active += 1
            total += p.needs[rank] * p.limits[rank]
    if total <= capacity:
        for place in range(n_active):
            p.counts[p.active[place]] = p.limits[p.active[place]]
        return

    if p.is_chain[0] != 0:
        pack_bundles(
            p.bundles, p.needs, p.weights, p.limits, p.active, n_active, capacity, p.counts
        )
        return
    lay_out(p, n_active, capacity)
    for place in range(1, n_active - 1):
        solve_need(p, place, capacity)
    for place in range(n_active - 1, -1, -1):
        rank = p.active[place]
        count = heaviest_count(p, place, capacity, servers // p.unit[0])
        p.counts[rank] = count
        capacity -= count * p.needs[rank]


def lay_out(p: Packing, n_active: int, capacity: int) -> None:
    """Choose the capacities that each active need but the largest is solved for."""
    divisor = 0
    for place in range(n_active - 1, 0, -1):
        other = p.needs[p.active[place]]
        while other != 0:
            divisor, other = other, divisor % other
        p.step[place - 1] = divisor
    begin = 0
    for place in range(1, n_active - 1):
        p.begin[place] = begin
        begin += capacity // p.step[place] + 1


def best_value(p: Packing, place: int, left: int, capacity: int) -> int:
    """Return the weight of the best packing of `left` units with the needs up to `place`."""
    if place == 0:
        rank = p.active[0]
        return p.weights[rank] * min(p.limits[rank], left // p.needs[rank])
    return p.best[p.begin[place] + (capacity - left) // p.step[place]]


@called
def solve_need(p: Packing, place: int, capacity: int) -> None:
    """Fill `best` of an active need from the one below.

    Capacities that differ by multiples of the need form a chain; along it the best number of
    jobs is a sliding maximum over the last `limit` + 1 capacities.
    """
    rank = p.active[place]
    need = p.needs[rank]
    weight = p.weights[rank]
    limit = p.limits[rank]
    step = p.step[place]
    finer = p.step[place - 1]
    # The chains' highest members are the first capacities, `finer` apart.
    for chain in range(min(need // finer, capacity // finer + 1)):
        highest = capacity - chain * finer
        n_links = highest // need
        first = 0
        size = 0
        for link in range(n_links + 1):
            left = highest - (n_links - link) * need
            value = best_value(p, place - 1, left, capacity) - weight * link
            while size > first and p.window_value[size - 1] <= value:
                size -= 1
            p.window[size] = link
            p.window_value[size] = value
            size += 1
            if p.window[first] < link - limit:
                first += 1
            if (capacity - left) % step == 0:
                at = p.begin[place] + (capacity - left) // step
                p.best[at] = p.window_value[first] + weight * link


def heaviest_count(p: Packing, place: int, left: int, capacity: int) -> int:
    """Return how many jobs of an active need to take into `left` units; of equals the most."""
    rank = p.active[place]
    need = p.needs[rank]
    most = min(p.limits[rank], left // need)
    if place == 0:
        return most
    best = -1
    count = 0
    for number in range(most, -1, -1):
        rest = best_value(p, place - 1, left - number * need, capacity)
        value = p.weights[rank] * number + rest
        if value > best:
            best = value
            count = number
    return count


class Reach(NamedTuple):
    needs: Ints  # distinct, in units, smallest first
    unit: Ints  # [1] servers in a unit
    is_chain: Ints  # [1] does each need divide the next?
    left: Ints  # per need: jobs that can be taken
    used: Ints  # scratch, per total: least number of the last need, -1 where out of reach


def empty_reach(needs: Ints, servers: int) -> Reach:
    unit = int(np.gcd.reduce(needs))
    units = needs // unit
    is_chain = bool(np.all(units[1:] % units[:-1] == 0))
    return Reach(
        units,
        np.array([unit]),
        np.array([is_chain], np.int64),
        np.zeros_like(units),
        np.zeros(1 if is_chain else servers // unit + 1, np.int64),
    )


@called
def most_reached(reach: Reach, servers: int) -> int:
    """Return the largest total of jobs at hand that is not above `servers`."""
    total = servers // reach.unit[0]
    short = shortfall(reach, total)
    if short > 0 and reach.is_chain[0] == 0:
        mark_reachable(reach, total)
        short = 0
        while reach.used[total - short] < 0:
            short += 1
    return (total - short) * reach.unit[0]


@called
def reaches(reach: Reach, servers: int) -> bool:
    """Do some of the jobs at hand need exactly `servers`?"""
    if servers < 0 or servers % reach.unit[0] != 0:
        return False
    total = servers // reach.unit[0]
    if shortfall(reach, total) == 0:
        return True
    if reach.is_chain[0] != 0:
        return False
    mark_reachable(reach, total)
    return reach.used[total] >= 0


def shortfall(reach: Reach, total: int) -> int:
    """Return what is missing to the total when the largest needs are taken first."""
    for rank in range(reach.needs.shape[0] - 1, -1, -1):
        need = reach.needs[rank]
        total -= min(reach.left[rank], total // need) * need
    return total


@called
def mark_reachable(reach: Reach, total: int) -> None:
    """Mark in `used` what is in reach up to the total."""
    used = reach.used
    used[0] = 0
    for at in range(1, total + 1):
        used[at] = -1
    for rank in range(reach.needs.shape[0]):
        need = reach.needs[rank]
        for at in range(total + 1):
            if used[at] >= 0:
                used[at] = 0
            elif at >= need and 0 <= used[at - need] < reach.left[rank]:
                used[at] = used[at - need] + 1
