"""Search trees through the jobs' seats: lines of jobs kept in order, and trees that know sums.

One `JobTrees` holds any number of trees of jobs in the order of a key; a job is in at most one of
them, at its place by (key, order of arrival). Every job knows the total need and the least estimate
of its subtree.

One `JobTrees` holds any number of trees; a job is in at most one of them, at its place by
(key, order of arrival). Every job knows the total need and the least estimate of its subtree.

The tree finds the place of a newcomer in logarithmic time; the links of `Queues` then give
each job its neighbours, so that boundaries move along a sorted line as along any other.

One `Trees` holds any number of trees; a job is in at most one of them. They are treaps: binary
trees that are heaps by a hash of the order of arrival, so that their expected depth is logarithmic
in whatever order jobs come. Who puts a job in finds its place; `sorted_lines.py` and `job_trees.py`
do so by what they keep besides.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, leave
from zerowait.model.quantities import Floats, Ints


class Trees(NamedTuple):
    root: Ints  # per tree
    parent: Ints  # per seat
    left: Ints  # per seat
    right: Ints  # per seat
    height: Ints  # per seat: a random number, larger towards the root


def empty_trees(n_trees: int, n_seats: int) -> Trees:
    return Trees(
        np.full(n_trees, NONE),
        np.full(n_seats, NONE),
        np.full(n_seats, NONE),
        np.full(n_seats, NONE),
        np.zeros(n_seats, np.int64),
    )


def hashed(order: int) -> int:
    """Return a number below 2^31 that looks random; no product overflows 63 bits."""
    mixed = ((order ^ (order >> 31)) & 0x7FFFFFFF) * 0x45D9F3B5
    mixed = ((mixed ^ (mixed >> 29)) & 0x7FFFFFFF) * 0x2C1B3C6D
    return (mixed ^ (mixed >> 31)) & 0x7FFFFFFF


def hang(trees: Trees, tree: int, above: int, leftwards: bool, job: int) -> None:
    """Make `job` (perhaps NONE) the left or right child of `above`, or the root."""
    if above == NONE:
        trees.root[tree] = job
    elif leftwards:
        trees.left[above] = job
    else:
        trees.right[above] = job
    if job != NONE:
        trees.parent[job] = above


def grow(trees: Trees, tree: int, above: int, leftwards: bool, job: int, order: int) -> None:
    """Put `job` in as a leaf; who does so lifts it while it is `too_low`."""
    trees.left[job] = NONE
    trees.right[job] = NONE
    trees.height[job] = hashed(order)
    hang(trees, tree, above, leftwards, job)


def too_low(trees: Trees, job: int) -> bool:
    above = trees.parent[job]
    return above != NONE and trees.height[above] < trees.height[job]


def lift(trees: Trees, tree: int, job: int) -> int:
    """Rotate `job` into the place of its parent, and return that."""
    above = trees.parent[job]
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
    return above


@called
def detach(trees: Trees, tree: int, job: int) -> int:
    """Take `job` out; return the lowest one whose subtree has changed, or NONE."""
    lower = trees.left[job]
    upper = trees.right[job]
    above = trees.parent[job]
    leftwards = above != NONE and trees.left[above] == job
    # Merge the two subtrees from the top.
    while lower != NONE and upper != NONE:
        if trees.height[lower] > trees.height[upper]:
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
        lower = upper
    hang(trees, tree, above, leftwards, lower)
    return above


def following(trees: Trees, job: int) -> int:
    """Return the next job of the tree in its order, or NONE."""
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
def attach(trees: Trees, queues: Queues, line: int, jobs: Seats, job: int, older: int) -> None:
    """Put `job` right behind `older` in its line, or first where that is NONE."""
    newer = queues.head[line] if older == NONE else queues.after[older]
    # Of two neighbours in order one is below the other, and has room on the side of the other.
    if older != NONE and trees.right[older] == NONE:
        grow(trees, line, older, False, job, jobs.order[job])
    else:
        grow(trees, line, newer, True, job, jobs.order[job])
    while too_low(trees, job):
        lift(trees, line, job)
    queues.before[job] = older
    queues.after[job] = newer
    if older == NONE:
        queues.head[line] = job
    else:
        queues.after[older] = job
    if newer == NONE:
        queues.tail[line] = job
    else:
        queues.before[newer] = job


@called
def take_out(trees: Trees, queues: Queues, line: int, job: int) -> None:
    """Remove `job` from its line."""
    detach(trees, line, job)
    leave(queues, line, job)


class JobTrees(NamedTuple):
    trees: Trees
    first: Ints  # per tree: the job with the least key, or NONE
    key: Floats  # per seat
    total_need: Ints  # per seat: of its subtree
    least_estimate: Floats  # per seat: of its subtree


def empty_job_trees(n_trees: int, n_seats: int) -> JobTrees:
    return JobTrees(
        trees=empty_trees(n_trees, n_seats),
        first=np.full(n_trees, NONE),
        key=np.zeros(n_seats),
        total_need=np.zeros(n_seats, np.int64),
        least_estimate=np.zeros(n_seats),
    )


@called
def insert(by_key: JobTrees, tree: int, jobs: Seats, job: int, key: float) -> None:
    """Put `job` into `tree` at its place by (key, order of arrival)."""
    trees = by_key.trees
    order = jobs.order[job]
    need = jobs.need[job]
    estimate = jobs.estimate[job]
    by_key.key[job] = key
    by_key.total_need[job] = need
    by_key.least_estimate[job] = estimate
    above = NONE
    node = trees.root[tree]
    first = True
    lower = True
    while node != NONE:
        above = node
        by_key.total_need[node] += need
        if estimate < by_key.least_estimate[node]:
            by_key.least_estimate[node] = estimate
        lower = key < by_key.key[node] or (key == by_key.key[node] and order < jobs.order[node])
        if lower:
            node = trees.left[node]
        else:
            node = trees.right[node]
            first = False
    if first:
        by_key.first[tree] = job
    grow(trees, tree, above, lower, job, order)
    while too_low(trees, job):
        above = lift(trees, tree, job)
        by_key.total_need[job] = by_key.total_need[above]
        by_key.least_estimate[job] = by_key.least_estimate[above]
        sum_up(by_key, jobs, above)


def sum_up(by_key: JobTrees, jobs: Seats, node: int) -> None:
    """Sum up total need and least estimate of `node` from its children."""
    need = jobs.need[node]
    estimate = jobs.estimate[node]
    child = by_key.trees.left[node]
    if child != NONE:
        need += by_key.total_need[child]
        estimate = min(estimate, by_key.least_estimate[child])
    child = by_key.trees.right[node]
    if child != NONE:
        need += by_key.total_need[child]
        estimate = min(estimate, by_key.least_estimate[child])
    by_key.total_need[node] = need
    by_key.least_estimate[node] = estimate


@called
def remove(by_key: JobTrees, tree: int, jobs: Seats, job: int) -> None:
    """Take `job` out of `tree`, wherever it stands."""
    if by_key.first[tree] == job:
        by_key.first[tree] = following(by_key.trees, job)
    node = detach(by_key.trees, tree, job)
    while node != NONE:
        sum_up(by_key, jobs, node)
        node = by_key.trees.parent[node]


@called
def first_to_free(by_key: JobTrees, tree: int, jobs: Seats, need: int) -> int:
    """Return the job up to which (inclusive) the jobs of `tree` need `need` in all, or NONE."""
    node = by_key.trees.root[tree]
    if node == NONE or by_key.total_need[node] < need:
        return NONE
    while True:
        child = by_key.trees.left[node]
        if child != NONE:
            if by_key.total_need[child] >= need:
                node = child
                continue
            need -= by_key.total_need[child]
        if jobs.need[node] >= need:
            return node
        need -= jobs.need[node]
        node = by_key.trees.right[node]


@called
def need_up_to(by_key: JobTrees, tree: int, jobs: Seats, key: float) -> int:
    """Return the total need of the jobs of `tree` whose key is at most `key`."""
    total = 0
    node = by_key.trees.root[tree]
    while node != NONE:
        if by_key.key[node] <= key:
            child = by_key.trees.left[node]
            if child != NONE:
                total += by_key.total_need[child]
            total += jobs.need[node]
            node = by_key.trees.right[node]
        else:
            node = by_key.trees.left[node]
    return total


@called
def first_in_time(by_key: JobTrees, tree: int, jobs: Seats, now: float, end: float) -> int:
    """Return the first job of `tree` that, started `now`, is estimated to end by `end`, or NONE."""
    node = by_key.trees.root[tree]
    if node == NONE or now + by_key.least_estimate[node] > end:
        return NONE
    while True:
        child = by_key.trees.left[node]
        if child != NONE and now + by_key.least_estimate[child] <= end:
            node = child
        elif now + jobs.estimate[node] <= end:
            return node
        else:
            node = by_key.trees.right[node]
