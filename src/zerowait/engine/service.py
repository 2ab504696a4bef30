"""What happens to a job in service: it begins, may be paused, and ends.

Where no job is ever paused the end is known at the beginning: the job is counted at once, and
nothing is kept of what it has left to do. Otherwise it is counted when it ends. Started at t a job
ends at t + remaining; paused at t it has end - t left, but never more than it started with.

A pause may have a price, which is added to what is left, and paid first when the job goes on.
"""

from zerowait.engine.seats import (
    PAUSING,
    RUNNING,
    SHARE,
    TIME,
    VACANT,
    WAITING,
    Seats,
    remaining_of,
)
from zerowait.engine.statistics.sums import (
    Statistics,
    count_busy,
    count_in_system,
    record_job,
    record_loss,
)
from zerowait.engine.structures.heap import Heap, enter, pop, push, remove


def begin(jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float) -> int:
    """Start or resume a job; return how many run."""
    jobs.phase[job] = RUNNING
    if PAUSING:
        end = now + jobs.remaining[job]
        jobs.end[job] = end
        if jobs.start[job] < 0.0:
            jobs.start[job] = now
        n_running = enter(heap, n_running, end, job)
        count_busy(stats, jobs.job_class[job], now, jobs.need[job])
    else:
        end = now + jobs.service[job]
        n_running = push(heap.times, heap.jobs, n_running, end, job)
        count_busy(stats, jobs.job_class[job], now, jobs.need[job])
        record_job(stats, jobs, job, now, end, now - jobs.arrival[job], 0)
    return n_running


def pause(jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float) -> int:
    """Take a job out of service, and charge it for that; return how many run."""
    count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
    remaining = remaining_of(jobs, job)
    jobs.work_left[job] = min(jobs.work_left[job], remaining)
    attained = jobs.service[job] - jobs.work_left[job]
    cost = jobs.price[TIME] + jobs.price[SHARE] * attained
    jobs.remaining[job] = remaining + cost
    jobs.paid[job] += cost
    jobs.phase[job] = WAITING
    jobs.preemptions[job] += 1
    return remove(heap, n_running, job)


def end(jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float) -> int:
    """Take the job that is due, the first of the heap, out of service; return how many run."""
    if PAUSING:
        n_running = remove(heap, n_running, job)
    else:
        n_running = pop(heap.times, heap.jobs, n_running)
    count_in_system(stats, jobs.job_class[job], now, -1)
    count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
    return n_running


def vacate(jobs: Seats, stats: Statistics, n_vacant: int, job: int, now: float) -> int:
    """Free the seat of a job that has ended; return how many are free."""
    if PAUSING:
        start = jobs.start[job]
        wait = start - jobs.arrival[job]
        if jobs.preemptions[job] > 0:
            wait = max(now - jobs.arrival[job] - jobs.service[job], 0.0)
        record_job(stats, jobs, job, start, now, wait, jobs.preemptions[job])
        record_loss(stats, jobs, job, jobs.paid[job] * jobs.need[job])
    jobs.phase[job] = VACANT
    jobs.vacant[n_vacant] = job
    return n_vacant + 1
