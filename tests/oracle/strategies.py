"""Job lists, classes, servers and slots for hypothesis: small, loaded, and full of ties."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from .naive import JobRow, largest_needs
from .overruns import RULES

MAX_JOBS = 30
MAX_NEED = 9


class Case(NamedTuple):
    """One replay: what `naive` and `replay` are both asked."""

    jobs: list[JobRow]  # in stream order
    servers: int
    job_class: list[int] | None = None  # per job
    slots: list[int] | None = None  # per class
    estimates: list[float] | None = None  # per job; None: the service times
    overruns: str = "extend"


# Whole seconds: nearly every event coincides with another, also at the size of a Unix time.
whole_gaps = st.sampled_from([0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 5.0])
whole_services = st.integers(0, 8).map(float)
whole_origins = st.sampled_from([0.0, 7.0, 1.7e9])

# Continuous: ties only where drawn, and services too short to move the clock (t + 1e-17 == t).
continuous_gaps = st.one_of(st.just(0.0), st.floats(1e-3, 3.0))
continuous_services = st.one_of(st.floats(1e-3, 30.0), st.sampled_from([0.0, 1e-17, 1e-9]))
continuous_origins = st.floats(0.0, 10.0)


@st.composite
def job_lists(draw: st.DrawFn) -> list[JobRow]:
    """Jobs in stream order, with needs from a small pool so that classes have many jobs."""
    if draw(st.booleans()):
        gaps, services, origins = whole_gaps, whole_services, whole_origins
    else:
        gaps, services, origins = continuous_gaps, continuous_services, continuous_origins
    pool = draw(st.lists(st.integers(1, MAX_NEED), min_size=1, max_size=4, unique=True))
    # Left to itself hypothesis draws lists of about six, too short to queue up.
    n = draw(st.integers(1, MAX_JOBS))
    row = st.tuples(gaps, st.sampled_from(pool), services)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    now = draw(origins)
    jobs = []
    for gap, need, service in rows:
        now += gap
        jobs.append((now, need, service))
    return jobs


@st.composite
def job_classes(draw: st.DrawFn, jobs: Sequence[JobRow]) -> list[int] | None:
    """None (classes by need), or a class per job whatever its need; no class without a job."""
    if draw(st.booleans()):
        return None
    labels = draw(st.lists(st.integers(0, 2), min_size=len(jobs), max_size=len(jobs)))
    used = sorted(set(labels))
    return [used.index(label) for label in labels]


@st.composite
def estimates(draw: st.DrawFn, jobs: Sequence[JobRow]) -> list[float] | None:
    """None (exact), or for each job too short, right, too long, or anything."""
    if draw(st.integers(0, 3)) == 0:
        return None
    factor = st.sampled_from([0.0, 0.5, 1.0, 1.0, 1.5, 3.0])
    one = st.one_of(factor, st.integers(0, 9).map(float))
    drawn = draw(st.lists(one, min_size=len(jobs), max_size=len(jobs)))
    if draw(st.booleans()):
        return drawn
    return [service * by for (_, _, service), by in zip(jobs, drawn, strict=True)]


@st.composite
def guessed(draw: st.DrawFn, cases: st.SearchStrategy[Case], rules: Sequence[str] = RULES) -> Case:
    """Cases with estimates and a rule for those that are too short."""
    case = draw(cases)
    rule = draw(st.sampled_from(rules))
    return case._replace(estimates=draw(estimates(case.jobs)), overruns=rule)


@st.composite
def plain_cases(draw: st.DrawFn) -> Case:
    """For policies without a split: every job fits into the cluster."""
    jobs = draw(job_lists())
    spare = draw(st.integers(0, 12))
    servers = max(need for _, need, _ in jobs) + spare
    return Case(jobs, servers, draw(job_classes(jobs)))


@st.composite
def split_cases(draw: st.DrawFn, modified: bool) -> Case:
    """For bs and (`modified`) mbs: every job can be served in the end.

    Under bs a class with a slot is served by it, so the helpers may be few or none; under mbs
    every job may be sent to the helpers for good.
    """
    jobs = draw(job_lists())
    job_class = draw(job_classes(jobs))
    largest = largest_needs(jobs, job_class)
    slots = draw(st.lists(st.integers(0, 3), min_size=len(largest), max_size=len(largest)))
    helped = [n for n, s in zip(largest, slots, strict=True) if modified or s == 0]
    spare = draw(st.one_of(st.just(0), st.integers(0, 10)))
    helpers = max(helped, default=0) + spare
    own_servers = sum(s * n for s, n in zip(slots, largest, strict=True))
    return Case(jobs, own_servers + helpers, job_class, slots)
