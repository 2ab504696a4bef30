"""Lines kept in order of a key: a treap per line, threaded through the jobs' seats.

The tree finds the place of a newcomer in logarithmic time; the links of `Queues` then give
each job its neighbours, so that boundaries move along a sorted line as along any other.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, leave


class Tree(NamedTuple):
    root: Ints  # per line
    left: Ints  # per seat
    right: Ints  # per seat
    parent: Ints  # per seat
    height: Ints  # per seat: a random number, larger towards the root


def empty_tree(n_lines: int, n_seats: int) -> Tree:
    return Tree(
        np.full(n_lines, NONE),
        np.full(n_seats, NONE),
        np.full(n_seats, NONE),
        np.full(n_seats, NONE),
        np.zeros(n_seats, np.int64),
    )


@called
def attach(tree: Tree, queues: Queues, line: int, jobs: Seats, job: int, older: int) -> None:
    """Put `job` right behind `older` in its line, or first where that is NONE."""
    newer = queues.head[line] if older == NONE else queues.after[older]
    tree.left[job] = NONE
    tree.right[job] = NONE
    # Lehmer's generator on the place in the stream: random enough, and the same in every run.
    tree.height[job] = (jobs.order[job] % 2147483646 + 1) * 48271 % 2147483647
    # Of two neighbours in order one is below the other, and has room on the side of the other.
    above = older
    if older != NONE and tree.right[older] == NONE:
        tree.right[older] = job
    elif newer != NONE:
        above = newer
        tree.left[newer] = job
    else:
        tree.root[line] = job
    tree.parent[job] = above
    while above != NONE and tree.height[job] > tree.height[above]:
        lift(tree, line, job)
        above = tree.parent[job]
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
def lift(tree: Tree, line: int, node: int) -> None:
    """Rotate `node` into the place of its parent."""
    above = tree.parent[node]
    top = tree.parent[above]
    if tree.left[above] == node:
        middle = tree.right[node]
        tree.left[above] = middle
        tree.right[node] = above
    else:
        middle = tree.left[node]
        tree.right[above] = middle
        tree.left[node] = above
    if middle != NONE:
        tree.parent[middle] = above
    tree.parent[above] = node
    tree.parent[node] = top
    if top == NONE:
        tree.root[line] = node
    elif tree.left[top] == above:
        tree.left[top] = node
    else:
        tree.right[top] = node


@called
def take_out(tree: Tree, queues: Queues, line: int, job: int) -> None:
    """Remove `job` from its line."""
    while tree.left[job] != NONE or tree.right[job] != NONE:
        child = tree.left[job]
        other = tree.right[job]
        if child == NONE or (other != NONE and tree.height[other] > tree.height[child]):
            child = other
        lift(tree, line, child)
    above = tree.parent[job]
    if above == NONE:
        tree.root[line] = NONE
    elif tree.left[above] == job:
        tree.left[above] = NONE
    else:
        tree.right[above] = NONE
    leave(queues, line, job)
