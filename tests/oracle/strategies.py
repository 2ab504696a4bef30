"""Job lists, classes, servers and slots for hypothesis: small, loaded, and full of ties."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from .naive import JobRow, largest_needs
from .overruns import RULES

MAX_JOBS = 40
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
WHOLE_GAPS = (0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 5.0)
WHOLE_SERVICES = 9  # 0.0 to 8.0
whole_origins = st.sampled_from([0.0, 7.0, 1.7e9])

# Continuous: few ties, and services too short to move the clock (t + 1e-17 == t).
LONGEST_GAP = 3.0
LONGEST_SERVICE = 30.0
TINY_SERVICES = (0.0, 1e-17, 1e-9)
continuous_origins = st.floats(0.0, 10.0)


def codes(rows: int, width: int) -> st.SearchStrategy[list[bytes]]:
    """So many bytes for each of the rows, drawn as one string.

    A draw for each field of each job took more time than the engine and the naive simulator
    together. The smaller the bytes, the simpler what they stand for: hypothesis shrinks them so.
    """
    drawn = st.binary(min_size=rows * width, max_size=rows * width)
    return drawn.map(lambda code: [code[i : i + width] for i in range(0, rows * width, width)])


def between(code: bytes, high: float) -> float:
    """A time of at least a millisecond, below `high`: half of them eighths, so that sums tie."""
    kind, coarse, fine = code
    if kind % 2:
        return (1 + coarse % int(8 * high - 1)) / 8
    return 1e-3 + (high - 1e-3) * (256 * coarse + fine) / 2**16


def whole_row(code: bytes, pool: Sequence[int]) -> JobRow:
    """Seconds since the job before, need, service time."""
    gap, need, service = code[0], code[3], code[4]
    seconds = WHOLE_GAPS[gap % len(WHOLE_GAPS)]
    return seconds, pool[need % len(pool)], float(service % WHOLE_SERVICES)


def continuous_row(code: bytes, pool: Sequence[int]) -> JobRow:
    gap = between(code[:3], LONGEST_GAP) if code[0] & 2 else 0.0
    tiny = code[4] & 2
    service = TINY_SERVICES[code[5] % 3] if tiny else between(code[4:], LONGEST_SERVICE)
    return gap, pool[code[3] % len(pool)], service


@st.composite
def job_lists(draw: st.DrawFn) -> list[JobRow]:
    """Jobs in stream order, with needs from a small pool so that classes have many jobs."""
    row, origins = whole_row, whole_origins
    if not draw(st.booleans()):
        row, origins = continuous_row, continuous_origins
    pool = draw(st.lists(st.integers(1, MAX_NEED), min_size=1, max_size=4, unique=True))
    # Left to itself hypothesis draws lists of about six, too short to queue up.
    n = draw(st.integers(1, MAX_JOBS))
    now = draw(origins)
    jobs = []
    for code in draw(codes(n, 7)):
        gap, need, service = row(code, pool)
        now += gap
        jobs.append((now, need, service))
    return jobs


@st.composite
def job_classes(draw: st.DrawFn, jobs: Sequence[JobRow]) -> list[int] | None:
    """None (classes by need), or a class per job whatever its need; no class without a job."""
    if draw(st.booleans()):
        return None
    labels = [label % 3 for (label,) in draw(codes(len(jobs), 1))]
    used = sorted(set(labels))
    return [used.index(label) for label in labels]


FACTORS = (0.0, 0.5, 1.0, 1.0, 1.5, 3.0)


@st.composite
def estimates(draw: st.DrawFn, jobs: Sequence[JobRow]) -> list[float] | None:
    """None (exact), or for each job too short, right, too long, or anything."""
    if draw(st.integers(0, 3)) == 0:
        return None
    drawn = [
        float(value % 10) if kind % 2 else FACTORS[value % len(FACTORS)]
        for kind, value in draw(codes(len(jobs), 2))
    ]
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
