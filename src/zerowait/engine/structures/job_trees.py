"""Jobs in the order of a key: search trees through the jobs' seats.

One `JobTrees` holds any number of trees; a job is in at most one of them. They are treaps:
binary search trees by (key, order of arrival) that are heaps by a hash of the order, so
their expected depth is logarithmic whatever the keys. Every node knows the total need and
the least estimate of its subtree. All arrays but two are indexed by seat.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE


class JobTrees(NamedTuple):
    root: Ints  # per tree
    first: Ints  # per tree: the job with the least key, or NONE
    parent: Ints  # per seat
    left: Ints  # per seat
    right: Ints  # per seat
    priority: Ints  # per seat
    key: Floats  # per seat
    total_need: Ints  # per seat: of its subtree
    least_estimate: Floats  # per seat: of its subtree


def empty_trees(n_trees: int, n_seats: int) -> JobTrees:
    return JobTrees(
        root=np.full(n_trees, NONE),
        first=np.full(n_trees, NONE),
        parent=np.full(n_seats, NONE),
        left=np.full(n_seats, NONE),
        right=np.full(n_seats, NONE),
        priority=np.zeros(n_seats, np.int64),
        key=np.zeros(n_seats),
        total_need=np.zeros(n_seats, np.int64),
        least_estimate=np.zeros(n_seats),
    )


def hashed(order: int) -> int:
    """A number below 2^31 that looks random; no product overflows 63 bits."""
    mixed = ((order ^ (order >> 31)) & 0x7FFFFFFF) * 0x45D9F3B5
    mixed = ((mixed ^ (mixed >> 29)) & 0x7FFFFFFF) * 0x2C1B3C6D
    return (mixed ^ (mixed >> 31)) & 0x7FFFFFFF


@called
def insert(trees: JobTrees, tree: int, jobs: Seats, job: int, key: float) -> None:
    """Put `job` into `tree` at its place by (key, order of arrival)."""
    order = jobs.order[job]
    need = jobs.need[job]
    estimate = jobs.estimate[job]
    trees.key[job] = key
    trees.left[job] = NONE
    trees.right[job] = NONE
    trees.total_need[job] = need
    trees.least_estimate[job] = estimate
    priority = hashed(order)
    trees.priority[job] = priority
    above = NONE
    node = trees.root[tree]
    least = True
    lower = True
    while node != NONE:
        above = node
        trees.total_need[node] += need
        if estimate < trees.least_estimate[node]:
            trees.least_estimate[node] = estimate
        lower = key < trees.key[node] or (key == trees.key[node] and order < jobs.order[node])
        if lower:
            node = trees.left[node]
        else:
            node = trees.right[node]
            least = False
    trees.parent[job] = above
    if least:
        trees.first[tree] = job
    if above == NONE:
        trees.root[tree] = job
        return
    if lower:
        trees.left[above] = job
    else:
        trees.right[above] = job
    while above != NONE and trees.priority[above] < priority:
        lift(trees, tree, jobs, job, above)
        above = trees.parent[job]


def lift(trees: JobTrees, tree: int, jobs: Seats, job: int, above: int) -> None:
    """Rotate `job` into the place of its parent `above`."""
    if trees.left[above] == job:
        between = trees.right[job]
        trees.left[above] = between
        trees.right[job] = above
    else:
        between = trees.left[job]
        trees.right[above] = between
        trees.left[job] = above
    if between != NONE:
        trees.parent[between] = above
    top = trees.parent[above]
    hang(trees, tree, top, top != NONE and trees.left[top] == above, job)
    trees.parent[above] = job
    trees.total_need[job] = trees.total_need[above]
    trees.least_estimate[job] = trees.least_estimate[above]
    sum_up(trees, jobs, above)


def hang(trees: JobTrees, tree: int, above: int, leftwards: bool, job: int) -> None:
    """Make `job` (perhaps NONE) the left or right child of `above`, or the root."""
    if above == NONE:
        trees.root[tree] = job
    elif leftwards:
        trees.left[above] = job
    else:
        trees.right[above] = job
    if job != NONE:
        trees.parent[job] = above


def sum_up(trees: JobTrees, jobs: Seats, node: int) -> None:
    """Total need and least estimate of `node` from its children."""
    need = jobs.need[node]
    estimate = jobs.estimate[node]
    child = trees.left[node]
    if child != NONE:
        need += trees.total_need[child]
        estimate = min(estimate, trees.least_estimate[child])
    child = trees.right[node]
    if child != NONE:
        need += trees.total_need[child]
        estimate = min(estimate, trees.least_estimate[child])
    trees.total_need[node] = need
    trees.least_estimate[node] = estimate


@called
def remove(trees: JobTrees, tree: int, jobs: Seats, job: int) -> None:
    """Take `job` out of `tree`, wherever it stands."""
    if trees.first[tree] == job:
        trees.first[tree] = following(trees, job)
    lower = trees.left[job]
    upper = trees.right[job]
    above = trees.parent[job]
    leftwards = above != NONE and trees.left[above] == job
    # Merge the two subtrees from the top.
    while lower != NONE and upper != NONE:
        if trees.priority[lower] > trees.priority[upper]:
            hang(trees, tree, above, leftwards, lower)
            above = lower
            leftwards = False
            lower = trees.right[lower]
        else:
            hang(trees, tree, above, leftwards, upper)
            above = upper
            leftwards = True
            upper = trees.left[upper]
    if lower == NONE:
        hang(trees, tree, above, leftwards, upper)
    else:
        hang(trees, tree, above, leftwards, lower)
    while above != NONE:
        sum_up(trees, jobs, above)
        above = trees.parent[above]


def following(trees: JobTrees, job: int) -> int:
    """The next job of the tree in order of the keys, or NONE."""
    node = trees.right[job]
    if node != NONE:
        while trees.left[node] != NONE:
            node = trees.left[node]
        return node
    node = job
    above = trees.parent[node]
    while above != NONE and trees.right[above] == node:
        node = above
        above = trees.parent[node]
    return above


@called
def first_to_free(trees: JobTrees, tree: int, jobs: Seats, need: int) -> int:
    """The job up to which (inclusive) the jobs of `tree` have a total need >= `need`, or NONE."""
    node = trees.root[tree]
    if node == NONE or trees.total_need[node] < need:
        return NONE
    while True:
        child = trees.left[node]
        if child != NONE:
            if trees.total_need[child] >= need:
                node = child
                continue
            need -= trees.total_need[child]
        if jobs.need[node] >= need:
            return node
        need -= jobs.need[node]
        node = trees.right[node]


@called
def need_up_to(trees: JobTrees, tree: int, jobs: Seats, key: float) -> int:
    """Total need of the jobs of `tree` whose key is at most `key`."""
    total = 0
    node = trees.root[tree]
    while node != NONE:
        if trees.key[node] <= key:
            child = trees.left[node]
            if child != NONE:
                total += trees.total_need[child]
            total += jobs.need[node]
            node = trees.right[node]
        else:
            node = trees.left[node]
    return total


@called
def first_in_time(trees: JobTrees, tree: int, jobs: Seats, now: float, end: float) -> int:
    """The first job of `tree` that, started `now`, is estimated to end by `end`, or NONE."""
    node = trees.root[tree]
    if node == NONE or now + trees.least_estimate[node] > end:
        return NONE
    while True:
        child = trees.left[node]
        if child != NONE and now + trees.least_estimate[child] <= end:
            node = child
        elif now + jobs.estimate[node] <= end:
            return node
        else:
            node = trees.right[node]
