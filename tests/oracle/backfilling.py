"""Naive twins of the policies that fill gaps, straight from DESIGN.md and nothing else."""

from .naive import SERVE, TIMED, Job, Scene


def assumed_ends(scene: Scene) -> list[tuple[float, int]]:
    """When each running job is taken to end, and how many servers it then frees."""
    return [(max(start + job.estimate, scene.now), job.need) for start, job in scene.running]


def easy(waiting: list[Job], free: int, scene: Scene) -> list[Job]:
    """One step at a time: after every start all is worked out anew."""
    waiting = [job for job in waiting if job.need <= scene.servers]
    if not waiting:
        return []
    head, ends = waiting[0], assumed_ends(scene)
    job = head if head.need <= free else None
    if job is None:

        def idle(time: float) -> int:
            return free + sum(need for end, need in ends if end <= time)

        shadow = min(end for end, _ in ends if idle(end) >= head.need)
        extra = idle(shadow) - head.need
        for other in waiting[1:]:
            in_time = scene.now + other.estimate <= shadow
            if other.need <= free and (in_time or other.need <= extra):
                job = other
                break
    if job is None:
        return []
    after = scene._replace(running=[*scene.running, (scene.now, job)])
    return [job, *easy([w for w in waiting if w is not job], free - job.need, after)]


def smallest_area_first(waiting: list[Job], free: int) -> list[Job]:
    started = []
    for job in sorted(waiting, key=lambda job: job.estimate * job.need):  # stable
        if job.need <= free:
            started.append(job)
            free -= job.need
    return started


def packing(weights: list[int], limits: list[int], needs: list[int], capacity: int) -> list[int]:
    """The heaviest packing by trying all; of equals the largest read from the largest need down."""

    def best(rank: int, left: int) -> tuple[int, list[int]]:
        if rank < 0:
            return 0, []
        tries = []
        for n in range(min(limits[rank], left // needs[rank]) + 1):
            weight, smaller = best(rank - 1, left - n * needs[rank])
            tries.append((weight + n * weights[rank], [n, *smaller]))
        return max(tries)

    return list(reversed(best(len(needs) - 1, capacity)[1]))


def maxweight_myopic(waiting: list[Job], free: int) -> list[Job]:
    queues: dict[int, list[Job]] = {need: [] for need in sorted({job.need for job in waiting})}
    for job in waiting:
        queues[job.need].append(job)
    lengths = [len(queue) for queue in queues.values()]
    x = packing(lengths, lengths, list(queues), free)
    return [job for n, queue in zip(x, queues.values(), strict=True) for job in queue[:n]]


def conservative(waiting: list[Job], free: int, scene: Scene) -> list[Job]:
    """In order of arrival each gets the earliest time that suits it and all before it."""
    now = scene.now
    steps = [(end, need) for end, need in assumed_ends(scene)]  # time, servers that come or go
    started = []

    def idle(time: float) -> int:
        return free + sum(change for at, change in steps if at <= time)

    for job in waiting:
        if job.need > scene.servers:
            continue
        for begin in sorted({now, *(at for at, _ in steps if at > now)}):
            end = begin + job.estimate
            moments = {begin, *(at for at, _ in steps if begin < at < end)}
            if all(idle(moment) >= job.need for moment in moments):
                break
        if begin == now and job.need <= free - sum(other.need for other in started):
            started.append(job)
        steps += [(begin, -job.need), (end, job.need)]
    return started


SERVE |= {"smallest-area-first": smallest_area_first, "maxweight-myopic": maxweight_myopic}
TIMED |= {"easy": easy, "conservative": conservative}
PLAIN = ["easy", "smallest-area-first", "maxweight-myopic", "conservative"]
