"""More cases for hypothesis: needs that are powers of two, needs that divide the servers."""

import math

from hypothesis import strategies as st

from .naive import JobRow, largest_needs
from .strategies import Case, job_classes, job_lists, split_cases


def with_needs(jobs: list[JobRow], needs: list[int]) -> list[JobRow]:
    """The same jobs with needs out of `needs` only."""
    return [(arrival, needs[need % len(needs)], service) for arrival, need, service in jobs]


def divisors_of(servers: int) -> list[int]:
    return [need for need in range(1, servers + 1) if servers % need == 0]


def whole(case: Case) -> Case:
    """In whole seconds, where sums and differences of times are exact."""
    jobs = [(float(math.floor(a)), need, float(math.floor(s))) for a, need, s in case.jobs]
    estimates = case.estimates and [float(math.floor(estimate)) for estimate in case.estimates]
    return case._replace(jobs=jobs, estimates=estimates)


@st.composite
def power_cases(draw: st.DrawFn) -> Case:
    """Needs and servers are powers of two."""
    servers = draw(st.sampled_from([1, 2, 4, 8, 16]))
    jobs = with_needs(draw(job_lists()), divisors_of(servers))
    return Case(jobs, servers, draw(job_classes(jobs)))


@st.composite
def divisor_cases(draw: st.DrawFn) -> Case:
    """Every need divides the number of servers."""
    servers = draw(st.sampled_from([1, 2, 3, 4, 6, 6, 8, 10, 12, 12, 15, 18, 24]))
    jobs = with_needs(draw(job_lists()), divisors_of(servers))
    return Case(jobs, servers, draw(job_classes(jobs)))


@st.composite
def divisor_split_cases(draw: st.DrawFn, modified: bool) -> Case:
    """Every need divides the number of helpers."""
    helpers = draw(st.sampled_from([1, 2, 4, 6, 6, 12]))
    case = draw(split_cases(modified))
    jobs = with_needs(case.jobs, divisors_of(helpers))
    if case.job_class is None:
        classes = len({need for _, need, _ in jobs})
        slots = draw(st.lists(st.integers(0, 2), min_size=classes, max_size=classes))
    else:
        assert case.slots is not None
        slots = case.slots
    largest = largest_needs(jobs, case.job_class)
    own_servers = sum(s * n for s, n in zip(slots, largest, strict=True))
    return Case(jobs, own_servers + helpers, case.job_class, slots)


@st.composite
def tight_split_cases(draw: st.DrawFn) -> Case:
    """Few slots, and helpers for one large job: jobs on H are paused, and taken from there."""
    rows = draw(job_lists().filter(lambda jobs: len(jobs) >= 8))
    jobs = with_needs(rows, draw(st.sampled_from([[1, 2], [1, 2, 3], [1, 2, 4], [2, 3, 5]])))
    jobs = [(arrival, need, 2 * service) for arrival, need, service in jobs]  # load
    job_class = draw(job_classes(jobs))
    largest = largest_needs(jobs, job_class)
    slots = draw(st.lists(st.integers(0, 1), min_size=len(largest), max_size=len(largest)))
    helpers = max(largest) + draw(st.integers(0, 2))
    own_servers = sum(s * n for s, n in zip(slots, largest, strict=True))
    return Case(jobs, own_servers + helpers, job_class, slots)
