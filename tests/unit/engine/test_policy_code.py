"""Code of a user's policy that would be something else once it is compiled ends in two lines."""

import math
from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

import zerowait as zw
from zerowait.engine import policy_code
from zerowait.engine.compile import compile_loop
from zerowait.engine.run import TRIAL, RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.kit import NONE, Policy, join, leave, remaining_of
from zerowait.policies.fcfs import Fcfs, State

JOBS = zw.Jobs([0.0, 1.0, 2.0, 6.0], [2, 1, 2, 1], [4.0, 9.0, 1.0, 1.0])
SERVERS = 3


class Size(IntEnum):
    SMALL = 1


def factory(number: Any) -> Callable[[int], int]:
    def more(need: int) -> int:
        return need + number  # type: ignore[no-any-return]

    return more


def need(jobs: Any, job: int) -> int:
    """Called like the attribute that it reads."""
    return jobs.need[job]  # type: ignore[no-any-return]


def times(number: int, by: int = 1) -> int:
    return number * by


def by_name(number: int, *, by: int = 1) -> int:
    return number * by


def total(*numbers: int) -> int:
    return len(numbers)


def countdown(number: int) -> int:
    return 0 if number == 0 else countdown(number - 1)


def write(values: Any, place: int, value: float) -> None:
    values[place] = value


same, one_more, one_less = factory(0), factory(1), factory(-1)
of_a_list = factory([0])
compiled = numba.njit(need)
settings = ModuleType("settings")
table = np.array([0, 1, 2])
names = {"small": 1}


def policy(on_departure: Any, **parts: Any) -> Policy:
    """FCFS, but for what it does when a job leaves."""
    parts["on_departure"] = staticmethod(on_departure)
    return type("Mine", (Fcfs,), {"name": "mine"} | parts)()  # type: ignore[no-any-return]


def reads_a_class(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] * Size.SMALL


def reads_a_module(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] + settings.nothing


def reads_an_array(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += table[jobs.need[job]]


def reads_a_dict(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += names["small"]


def calls_what_is_compiled(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += compiled(jobs, job)


def calls_what_is_not_there(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += nobody(job)  # type: ignore[name-defined]  # noqa: F821


def calls_itself(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] + countdown(3)


def draws(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] + int(np.random.random())  # noqa: NPY002


def gives_by_name(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += by_name(jobs.need[job], by=1)


def gives_any_number(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += total(jobs.need[job])


def holds_a_list(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += of_a_list(jobs.need[job])


def asks_what_is_left(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] + int(remaining_of(jobs, job))


async def waits(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]


REFUSED = [
    (reads_a_class, "Size is a class"),
    (reads_a_module, "settings is a module, .*write from settings import"),
    (reads_an_array, "table is an array, .*a field of the state"),
    (reads_a_dict, "names is or holds a dict"),
    (calls_what_is_compiled, "compiled is compiled already"),
    (calls_what_is_not_there, "nobody is not defined"),
    (calls_itself, "countdown calls itself"),
    (draws, ".*draw random numbers in initial_state"),
    (gives_by_name, "by_name has arguments without a place"),
    (gives_any_number, "total has arguments without a place"),
    (holds_a_list, "number of more is a list"),
    (asks_what_is_left, ".*write preemptive = True"),
    (waits, "waits yields or awaits"),
]


@pytest.mark.parametrize("jit", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    ("hook", "reason"), REFUSED, ids=lambda value: getattr(value, "__name__", "")
)
def test_refused_code_stops_before_the_run(hook: Any, reason: str, jit: bool) -> None:
    with pytest.raises(zw.InputError, match=rf"mine: {__file__}:\d+: {reason}") as told:
        run(JobStream(JOBS), policy(hook), SERVERS, RunSettings(jit=jit))
    assert len(str(told.value).splitlines()) == 2


def test_what_comes_with_zerowait_passes_the_same_rules() -> None:
    for name in (*zw.POLICIES, "bs:sf-gittins,refill=expected"):
        built_in = zw.parse_policy(name)
        assert not policy_code.has_own_code(built_in)
        for function in policy_code.reachable(policy_code.hooks_of_all(built_in)):
            assert list(policy_code.objections(function, built_in)) == []


def one_of_each(state: State, jobs: Any, job: int) -> None:
    more = one_more(0) + one_less(0) + same(0) + times(1, by=2) - times(2)
    state.idle[0] += need(jobs, job) + more + math.floor(0.5)


def test_two_of_one_factory_are_two() -> None:
    """And a function may be called like an attribute, and have defaults."""
    rows = [
        zw.replay(JOBS, SERVERS, policy(one_of_each), jobs=True, jit=jit).jobs
        for jit in (True, False)
    ]
    assert rows[0] is not None
    assert rows[0].equals(rows[1])
    assert rows[0].equals(zw.replay(JOBS, SERVERS, "fcfs", jobs=True).jobs)


def changed_by(number: int) -> Any:
    def hook(state: State, jobs: Any, job: int) -> None:
        state.idle[0] += jobs.need[job] + number

    return hook


def test_hooks_of_one_factory_have_kernels_of_their_own() -> None:
    kernels = [compile_loop(policy(changed_by(number))) for number in (0, 0, 1)]
    assert kernels[0] is kernels[1]
    assert kernels[0] is not kernels[2]


# -- jobs are the engine's ------------------------------------------------------------------------


def makes_it_small(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    jobs.need[job] = 1


def under_another_name(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    arrivals = jobs.arrival
    write(arrivals, job, 0.0)


def stops_the_clock(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    jobs.clock[0] += 1.0


def all_at_once(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    jobs.estimate.fill(1.0)


def in_a_slice(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    few = jobs.service[job : job + 1]
    few[0] = 0.0


@pytest.mark.parametrize(
    "hook", [makes_it_small, under_another_name, stops_the_clock, all_at_once, in_a_slice]
)
def test_a_hook_cannot_write_into_the_jobs(hook: Any) -> None:
    with pytest.raises(zw.InputError, match=rf"{__file__}:\d+: .*jobs are not the policy's"):
        run(JobStream(JOBS), policy(hook), SERVERS)


def late(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    if jobs.order[job] > 2 * TRIAL:
        jobs.need[job] = 1


def test_nor_where_the_trial_does_not_come() -> None:
    with pytest.raises(zw.InputError, match=rf"{__file__}:\d+: jobs.need is not the policy's"):
        run(JobStream(JOBS), policy(late), SERVERS)


# -- a trial in plain Python ----------------------------------------------------------------------


def beyond(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] + state.idle[7]


def replaces(state: State, jobs: Any, job: int) -> None:
    state.idle += jobs.need[job]  # type: ignore[misc]


def divides(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job] // (jobs.need[job] - jobs.need[job])


def dreams(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.dream[job]


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        (beyond, "IndexError: index 7 is out of bounds"),
        (replaces, r"AttributeError: .*write state.name\[0\]"),
        (dreams, "jobs, or the state, has no attribute 'dream'"),
    ],
)
def test_the_first_jobs_are_served_in_plain_python(hook: Any, reason: str) -> None:
    with pytest.raises(zw.InputError, match=rf"mine: {__file__}:\d+: .*{reason}") as told:
        run(JobStream(JOBS), policy(hook), SERVERS)
    assert len(str(told.value).splitlines()) == 2


def test_what_a_kernel_raises_is_told_as_that() -> None:
    with pytest.raises(zw.InputError, match=r"^policy mine: its code raised ZeroDivisionError"):
        run(JobStream(JOBS), policy(divides), SERVERS)


def returns_a_float(state: State, jobs: Any) -> float:
    job = state.waiting.head[0]
    if job == NONE or jobs.need[job] > state.idle[0]:
        return NONE
    state.idle[0] -= jobs.need[job]
    leave(state.waiting, 0, job)
    return job / 1


def test_a_job_that_is_no_whole_number() -> None:
    wrong = policy(Fcfs.on_departure, next_start=staticmethod(returns_a_float))
    with pytest.raises(zw.InputError, match=r"mine: IndexError: .*what next_start and next_stop"):
        run(JobStream(JOBS), wrong, SERVERS)


def mistaken_state(self: Policy, system: Any) -> Any:
    return nothing(system)  # type: ignore[name-defined]  # noqa: F821


def test_a_mistake_in_the_initial_state() -> None:
    wrong = policy(Fcfs.on_departure, initial_state=mistaken_state)
    with pytest.raises(zw.InputError, match=rf"{__file__}:\d+: NameError: name 'nothing'"):
        run(JobStream(JOBS), wrong, SERVERS)


def overbooks_late(state: State, jobs: Any) -> int:
    job = state.waiting.head[0]
    if job == NONE or (jobs.need[job] > state.idle[0] and jobs.order[job] < TRIAL + 50):
        return NONE
    state.idle[0] -= jobs.need[job]
    leave(state.waiting, 0, job)
    return job  # type: ignore[no-any-return]


def crowd(n: int) -> zw.Jobs:
    rng = np.random.default_rng(4)
    arrival = np.cumsum(rng.exponential(1.0, n))
    return zw.Jobs(arrival, rng.integers(1, 4, n), rng.exponential(1.0, n))


def test_a_rule_that_is_broken_after_the_trial_is_a_rule() -> None:
    wrong = policy(Fcfs.on_departure, next_start=staticmethod(overbooks_late))
    with pytest.raises(zw.EngineError, match=r"^policy mine, time .*servers are free$"):
        run(JobStream(crowd(2 * TRIAL)), wrong, SERVERS)


def reads_beyond(state: State, jobs: Any, job: int) -> None:
    state.idle[0] += jobs.need[job]
    if jobs.order[job] >= 4:
        state.idle[0] += state.idle[7]


def test_few_jobs_are_no_trial() -> None:
    """A replay of four leaves the rest of the trial to the next."""
    assert run(JobStream(JOBS), policy(reads_beyond), SERVERS).tally.counts.sum() > 0
    with pytest.raises(zw.InputError, match="IndexError"):
        run(JobStream(crowd(20)), policy(reads_beyond), SERVERS)


def levels(state: State, jobs: Any, job: int) -> None:
    """Two conditions are two for a kernel, and one for NumPy."""
    state.idle[0] += jobs.need[job] - 2 + ((jobs.service[job] > -1.0) + (jobs.need[job] > 0))


def test_a_trial_leaves_nothing_behind() -> None:
    mine = policy(levels)
    runs = [run(JobStream(crowd(40)), mine, SERVERS, RunSettings(records=True)) for _ in range(2)]
    ends = [one.records.end for one in runs if one.records is not None]
    assert np.array_equal(*ends)


def joins(state: State, jobs: Any, job: int) -> None:
    join(state.waiting, 0, job)


def test_the_trial_changes_no_number() -> None:
    """Longer than the trial, in chunks that end within it, and with seats that run out in it."""
    jobs = crowd(2 * TRIAL + 50)
    rows = []
    for chunk_size, first_seats in ((1 << 15, 1 << 10), (130, 1)):
        mine = policy(Fcfs.on_departure, on_arrival=staticmethod(joins))
        given = RunSettings(records=True, chunk_size=chunk_size, first_seats=first_seats)
        rows.append(run(JobStream(jobs), mine, SERVERS, given).records)
    expected = run(JobStream(jobs), Fcfs(), SERVERS, RunSettings(records=True)).records
    assert expected is not None
    for row in rows:
        assert row is not None
        assert np.array_equal(row.start, expected.start)
