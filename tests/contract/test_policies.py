"""What every registered policy must keep, whatever it decides."""

from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import zerowait as zw
from tests.kernels import kernel_of
from tests.oracle import backfill, backfilling, naive, preemptive  # noqa: F401 - two fill tables
from zerowait.engine import loop as service
from zerowait.engine.mistakes import check_state
from zerowait.engine.run import Outcome, RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.engine.sums import Statistics, count_busy
from zerowait.policies import POLICIES, parse_policy
from zerowait.policies.families.splitting import Splitting

SERVERS = 24
N_JOBS = 300


KINDS = sorted(set(POLICIES.values()), key=lambda kind: kind.name)
PLAIN = [kind.name for kind in KINDS if not issubclass(kind, Splitting)]
SPLITS = [kind.name for kind in KINDS if issubclass(kind, Splitting)]
# Divisor-filling needs helpers that every need divides: 8 of them, and needs that divide 8.
PAIRS = [
    f"{split}:{auxiliary}{',slots=4/2/2/0' if 'divisor' in auxiliary else ''}"
    for split in SPLITS
    for auxiliary in PLAIN
]
VARIANTS = ["bs:fcfs,refill=largest", "bs:fcfs,refill=expected", "ff-srpt,key=size"]


def one_worker_each(specs: list[str]) -> list[Any]:
    """Tests of one policy share what it does in plain Python and, where compiled, its kernel."""
    return [pytest.param(spec, marks=pytest.mark.xdist_group(kernel_of(spec))) for spec in specs]


EVERY = one_worker_each(PLAIN + PAIRS + VARIANTS)
# Compiling every pair would take minutes; these bind each kind of auxiliary into each split.
COMPILED = one_worker_each(
    [*PLAIN, *VARIANTS, "bs:first-fit", "mbs:fcfs", "bs:server-filling-srpt", "mbs:msf"]
)


def job_list(spec: str, whole: bool, n_jobs: int | None = None, seed: int = 5) -> zw.Jobs:
    """Load a system with needs 1, 2, 3 (or 4), 8; whole seconds make many events coincide."""
    rng = np.random.default_rng(seed)
    if n_jobs is None:
        n_jobs = N_JOBS // 2 if "gittins" in spec else N_JOBS  # ranks take long in plain Python
    needs = [1, 2, 4, 8] if "slots" in spec else [1, 2, 3, 8]
    need = rng.choice(needs, n_jobs, p=[0.5, 0.2, 0.2, 0.1])
    service = rng.exponential(20.0, n_jobs)
    arrival = np.cumsum(rng.exponential(2.6, n_jobs))
    if whole:
        arrival, service = np.floor(arrival), np.floor(service)
    return zw.Jobs(arrival, need, service)


def outcome(spec: str, jobs: zw.Jobs, **options: object) -> Outcome:
    given = RunSettings(records=True, bound=10.0, through_drain=True, **options)  # type: ignore[arg-type]
    return run(JobStream(jobs), parse_policy(spec), SERVERS, given)


@cache  # tests of one policy run one after the other, in one process
def in_plain_python(spec: str, whole: bool) -> Outcome:
    return outcome(spec, job_list(spec, whole), jit=False)


def assert_same_bits(one: Outcome, other: Outcome) -> None:
    for name, value in vars(one.tally).items():
        assert np.array_equal(value, getattr(other.tally, name), equal_nan=True), name
    assert one.records is not None
    assert other.records is not None
    for name, value in vars(one.records).items():
        assert np.array_equal(value, getattr(other.records, name)), name


@pytest.mark.parametrize("whole", [False, True], ids=["continuous", "whole seconds"])
@pytest.mark.parametrize("spec", EVERY)
def test_jobs_servers_and_work_are_conserved(
    spec: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = job_list(spec, whole)
    busy = count_servers(monkeypatch)
    result = zw.replay(jobs, SERVERS, spec, jobs=True, jit=False)
    frame = result.jobs
    assert frame is not None
    assert result.overall.count == len(jobs)
    assert (frame["start"] >= frame["arrival"]).all()
    assert (frame["end"] >= frame["start"] + frame["service"] * (1 - 1e-12)).all()
    if (frame["preemptions"] == 0).all():
        assert (frame["end"] == frame["start"] + frame["service"]).all()
        assert most_busy(frame) <= SERVERS
    assert SERVERS / 2 < max(busy) <= SERVERS
    assert busy[-1] == 0
    work = (frame["need"] * frame["service"]).sum()
    window = frame["end"].max() - frame["arrival"].min()
    assert result.utilisation * SERVERS * window == pytest.approx(work, rel=1e-9)
    sojourn = (frame["end"] - frame["arrival"]).sum()
    assert result.in_system * window == pytest.approx(sojourn, rel=1e-9)  # Little's law


def count_servers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Servers in service after every start, pause and end of the runs to come, in plain Python."""
    busy = [0]

    def counted(stats: Statistics, job_class: int, now: float, change: int) -> None:
        count_busy(stats, job_class, now, change)
        busy.append(busy[-1] + change)

    monkeypatch.setattr(service, "count_busy", counted)
    return busy


def most_busy(frame: pl.DataFrame) -> int:
    """Servers held at the fullest moment; a job of no service holds its servers for no time."""
    starts = frame.select(time="start", servers="need")
    ends = frame.select(time="end", servers=-pl.col("need"))
    changes = pl.concat([starts, ends]).group_by("time").agg(pl.col("servers").sum())
    return max(changes.sort("time")["servers"].cum_sum())


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True], ids=["continuous", "whole seconds"])
@pytest.mark.parametrize("spec", COMPILED)
def test_compiled_equals_plain_python_bit_for_bit(spec: str, whole: bool) -> None:
    assert_same_bits(outcome(spec, job_list(spec, whole)), in_plain_python(spec, whole))


@pytest.mark.parametrize("spec", EVERY)
def test_chunks_and_seats_do_not_matter(spec: str) -> None:
    jobs = job_list(spec, whole=True)
    expected = in_plain_python(spec, whole=True)
    assert_same_bits(expected, outcome(spec, jobs, jit=False, chunk_size=7))
    assert_same_bits(expected, outcome(spec, jobs, jit=False, first_seats=1, chunk_size=64))


@pytest.mark.parametrize("spec", EVERY)
def test_states_are_arrays_of_one_dimension(spec: str) -> None:
    """Runs of our own policies do not ask; those of users' policies do."""
    system = JobStream(job_list(spec, whole=True)).kinds.system(SERVERS, 16)
    policy = parse_policy(spec).applied_to(system)
    check_state(policy, policy.initial_state(system))


@pytest.mark.parametrize("spec", EVERY)
def test_a_lone_job_starts_at_once(spec: str) -> None:
    alone = zw.Jobs([3.0], [2], [5.0])
    frame = zw.replay(alone, 4, spec.partition(",slots")[0], jobs=True, jit=False).jobs
    assert frame is not None
    assert frame.select("start", "end").row(0) == (3.0, 8.0)


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_the_register_says_what_a_policy_is(name: str) -> None:
    kind = POLICIES[name]
    assert kind.name in POLICIES
    for told in ("__doc__", "source", "throughput_optimal"):
        assert getattr(kind, told), f"{name} has no {told}: CONTRIBUTING, 'Add a policy', 8"
    assert parse_policy(parse_policy(name).spec).spec == parse_policy(name).spec


def test_every_policy_has_a_naive_twin() -> None:
    tables = (naive.SERVE, naive.TIMED, naive.FAMILY, preemptive.SERVE)
    twins = {POLICIES[name.partition(",")[0]] for table in tables for name in table}
    alone = [kind.name for kind in set(KINDS) - twins if not issubclass(kind, Splitting)]
    assert not alone, f"{alone} have no twin in tests/oracle: CONTRIBUTING, 'Add a policy', 9"
