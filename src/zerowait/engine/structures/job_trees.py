"""Jobs in the order of a key: search trees that know sums of their jobs.

One `JobTrees` holds any number of trees; a job is in at most one of them, at its place by
(key, order of arrival). Every job knows the total need and the least estimate of its subtree.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import Floats, Ints, called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE
from zerowait.engine.structures.trees import Trees, cut, empty_trees, following, grow, lift, too_low


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
    """Total need and least estimate of `node` from its children."""
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
    node = cut(by_key.trees, tree, job)
    while node != NONE:
        sum_up(by_key, jobs, node)
        node = by_key.trees.parent[node]


@called
def first_to_free(by_key: JobTrees, tree: int, jobs: Seats, need: int) -> int:
    """The job up to which (inclusive) the jobs of `tree` have a total need >= `need`, or NONE."""
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
    """Total need of the jobs of `tree` whose key is at most `key`."""
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
    """The first job of `tree` that, started `now`, is estimated to end by `end`, or NONE."""
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
