"""Who is in service: each policy's decision as a function of the jobs in order of arrival.

DESIGN section 5, word for word, on classes instead of jobs. A job is the index of its class;
`needs` is per class.
"""

from collections.abc import Callable, Sequence

Classes = Sequence[int]  # the classes of some jobs, in order of arrival
Decision = Callable[[Classes, Sequence[int], int], list[int]]  # -> positions that are served


def fcfs(waiting: Classes, needs: Sequence[int], idle: int) -> list[int]:
    """In order of arrival; the first that does not fit blocks all behind it."""
    served = []
    for position, job in enumerate(waiting):
        if needs[job] > idle:
            break
        idle -= needs[job]
        served.append(position)
    return served


def first_fit(waiting: Classes, needs: Sequence[int], idle: int) -> list[int]:
    """Each in order of arrival that fits."""
    served = []
    for position, job in enumerate(waiting):
        if needs[job] <= idle:
            idle -= needs[job]
            served.append(position)
    return served


def most_servers_first(jobs: Classes, needs: Sequence[int], servers: int) -> list[int]:
    """Preemptive: by need, largest first; each that fits."""
    order = largest_first(jobs, needs)
    return [order[i] for i in first_fit([jobs[position] for position in order], needs, servers)]


def server_filling(jobs: Classes, needs: Sequence[int], servers: int) -> list[int]:
    """Preemptive: the shortest prefix that could fill the servers, by need, largest first, up to
    the first that does not fit; all jobs where there is no such prefix."""
    prefix = jobs[: filling_prefix(jobs, needs, servers)]
    order = largest_first(prefix, needs)
    return [order[i] for i in fcfs([jobs[position] for position in order], needs, servers)]


def filling_prefix(jobs: Classes, needs: Sequence[int], servers: int) -> int:
    """The length of the shortest prefix with total need >= servers; all jobs if there is none."""
    total = 0
    for position, job in enumerate(jobs):
        total += needs[job]
        if total >= servers:
            return position + 1
    return len(jobs)


def largest_first(jobs: Classes, needs: Sequence[int]) -> list[int]:
    """Positions by need, largest first, the earlier arrival first among equals."""
    return sorted(range(len(jobs)), key=lambda position: -needs[jobs[position]])
