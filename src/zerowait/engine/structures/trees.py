"""Search trees through the jobs' seats, and lines of jobs kept in order by them."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import Ints, called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, leave


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
    """A number below 2^31 that looks random; no product overflows 63 bits."""
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
def cut(trees: Trees, tree: int, job: int) -> int:
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
    """The next job of the tree in its order, or NONE."""
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
    cut(trees, line, job)
    leave(queues, line, job)
