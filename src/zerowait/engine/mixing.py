"""Mix the classes of a workload into one stream: compiled, because it touches every job.

NumPy would do it with masks, a few passes per class, and hold the interpreter's lock meanwhile.
"""

from zerowait.engine.arrays import Floats, Ints


def choose_kinds(uniform: Floats, bounds: Floats, kind: Ints, counts: Ints) -> None:
    """The kind of each job is the number of `bounds` that its uniform number reaches."""
    n_bounds = bounds.shape[0]
    for one in range(counts.shape[0]):
        counts[one] = 0
    for job in range(kind.shape[0]):
        low = 0
        high = n_bounds
        while low < high:
            middle = (low + high) // 2
            if uniform[job] >= bounds[middle]:
                low = middle + 1
            else:
                high = middle
        kind[job] = low
        counts[low] += 1


def deal_services(kind: Ints, pool: Floats, begin: Ints, service: Floats) -> None:
    """Give each job the next service time of its kind; those of a kind lie together in `pool`."""
    for job in range(kind.shape[0]):
        at = begin[kind[job]]
        service[job] = pool[at]
        begin[kind[job]] = at + 1
