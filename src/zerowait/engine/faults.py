"""Rules that a policy can break: seen in the kernel as numbers, told in Python as a sentence."""

from zerowait.engine.seats import REFUSED, RUNNING, VACANT, Seats, is_seat
from zerowait.model import EngineError

# What is wrong with what a hook returned.
FINE, NO_SEAT, GONE, STARTED_TWICE, OVERBOOKED, HELPERS_OVERBOOKED, NOT_IN_SERVICE = range(7)


def fault_of_start(jobs: Seats, job: int, free: int) -> int:
    """Why `job` cannot be put into service on so many free servers, or FINE."""
    if not is_seat(jobs, job):
        return NO_SEAT
    phase = jobs.phase[job]
    if phase == VACANT:
        return GONE
    if phase == RUNNING:
        return STARTED_TWICE
    if phase == REFUSED:
        return HELPERS_OVERBOOKED
    if jobs.need[job] > free:
        return OVERBOOKED
    return FINE


def fault_of_stop(jobs: Seats, job: int) -> int:
    """Why `job` cannot be paused, or FINE."""
    if not is_seat(jobs, job):
        return NO_SEAT
    if jobs.phase[job] != RUNNING:
        return NOT_IN_SERVICE
    return FINE


def broken_rule(policy: str, fault: int, jobs: Seats, job: int, free: int) -> EngineError:
    """The error that says what a policy did, to which job, and when."""
    what = f"job {job}" if fault == NO_SEAT else _told(jobs, job)
    rule = {
        NO_SEAT: "a hook returned it, but there is no such job; return what on_arrival was given",
        GONE: "was started after it left; take a job out of the state when it starts",
        STARTED_TWICE: "was started twice; take a job out of the state when it starts",
        OVERBOOKED: f"was started, but only {free} servers are free",
        HELPERS_OVERBOOKED: "was started on the helpers, but not so many of them are free",
        NOT_IN_SERVICE: "was paused, but is not in service",
    }[fault]
    return EngineError(f"policy {policy}, time {jobs.clock[0]:g}: {what}: {rule}")


def never_started(policy: str, jobs: Seats) -> EngineError:
    """The error of a run that ended while jobs waited for free servers."""
    waiting = [int(job) for job in (jobs.phase != VACANT).nonzero()[0]]
    oldest = min(waiting, key=lambda job: int(jobs.order[job]))
    return EngineError(
        f"policy {policy}, time {jobs.clock[0]:g}: {_told(jobs, oldest)}: was never started; "
        f"{len(waiting)} jobs wait for ever in an empty system"
    )


def _told(jobs: Seats, job: int) -> str:
    return f"job {jobs.order[job]} (need {jobs.need[job]}, arrived at {jobs.arrival[job]:g})"
