"""The heaviest packing where each need divides the next, at a cost that the servers do not change.

The sequential knapsack (Pochet and Weismantel 1998). The capacity modulo the next need can hold
jobs up to this need only: it gets the heaviest. The others are bundled, heaviest first, into
packages as large as the next need, and compete with its jobs. Equal jobs make equal bundles, so
that a few runs of them stand for all. A bundle is compared by weight, then by its jobs from the
largest need down: an order that additions keep, so ties are broken as exactly as weights.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.outline import called


class Runs(NamedTuple):
    """Runs of equal bundles, heaviest first."""

    size: Ints  # [1] runs
    bundles: Ints  # per run
    weight: Ints  # per run: of one bundle
    parts: Ints  # per run and need: jobs in a bundle


class Bundles(NamedTuple):
    runs: Runs
    spare: Runs  # what the next need makes of them


def empty_bundles(n_needs: int) -> Bundles:
    return Bundles(_empty_runs(n_needs), _empty_runs(n_needs))


def _empty_runs(n_needs: int) -> Runs:
    # A need adds one run of many; of single bundles half are gone at the next need.
    room = 4 * n_needs + 8
    return Runs(
        np.zeros(1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room * n_needs, np.int64),
    )


@called
def enter(runs: Runs, rank: int, count: int, weight: int, n_needs: int) -> None:
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
def take_heaviest(runs: Runs, room: int, counts: Ints) -> None:
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
def bundle(runs: Runs, into: Runs, group: int, n_needs: int) -> None:
    """Make bundles of `group` bundles each; the last one may be smaller."""
    into.size[0] = 0
    filled = 0  # bundles in the last, unfinished one
    for at in range(runs.size[0]):
        left = runs.bundles[at]
        if filled > 0:
            taken = min(left, group - filled)
            add(into, runs, at, taken, n_needs)
            left -= taken
            filled = (filled + taken) % group
        if left >= group:
            start(into, left // group, n_needs)
            add(into, runs, at, group, n_needs)
            left %= group
        if left > 0:
            start(into, 1, n_needs)
            add(into, runs, at, left, n_needs)
            filled = left


def start(into: Runs, count: int, n_needs: int) -> None:
    at = into.size[0]
    into.size[0] += 1
    into.bundles[at] = count
    into.weight[at] = 0
    for part in range(n_needs):
        into.parts[at * n_needs + part] = 0


def add(into: Runs, runs: Runs, at: int, times: int, n_needs: int) -> None:
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
        enter(runs, rank, limits[rank], weights[rank], n_needs)
        if place + 1 == n_active:
            take_heaviest(runs, capacity // needs[rank], counts)
            break
        following = needs[active[place + 1]]
        take_heaviest(runs, capacity % following // needs[rank], counts)
        bundle(runs, spare, following // needs[rank], n_needs)
        runs, spare = spare, runs
