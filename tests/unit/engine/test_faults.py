"""What a policy does wrong ends with one sentence: the policy, the time, the job and the rule."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zerowait as zw
from zerowait.engine.run import RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.kit import NONE, Policy, Preemptive, Queues, System, empty_queues, join, leave
from zerowait.policies.fcfs import Fcfs, State
from zerowait.policies.most_servers_first import MostServersFirst

# Two that fit, and one that has to wait for the first, which leaves at 4.
JOBS = zw.Jobs([0.0, 1.0, 2.0, 6.0], [2, 1, 2, 1], [4.0, 9.0, 1.0, 1.0])
SERVERS = 3


class Overbooker(Fcfs):
    name = "overbooker"

    @staticmethod
    def next_start(state: State, jobs: Any) -> int:
        job = state.waiting.head[0]
        if job != NONE:
            leave(state.waiting, 0, job)
        return job


class Forgetful(Fcfs):
    """Does not take who starts out of its queue."""

    name = "forgetful"

    @staticmethod
    def next_start(state: State, jobs: Any) -> int:
        job = state.waiting.head[0]
        if job == NONE or jobs.need[job] > state.idle[0]:
            return NONE
        state.idle[0] -= jobs.need[job]
        return job


class Repeater(Fcfs):
    """Starts the first of its queue again and again."""

    name = "repeater"

    @staticmethod
    def next_start(state: State, jobs: Any) -> int:
        job = state.waiting.head[0]
        if job == NONE or state.idle[0] <= 0:
            return NONE
        state.idle[0] -= jobs.need[job]
        return job


class Clinging(Fcfs):
    """Starts who has just left."""

    name = "clinging"

    @staticmethod
    def on_departure(state: State, jobs: Any, job: int) -> None:
        state.idle[0] += jobs.need[job]
        join(state.waiting, 0, job)


class Loser(Fcfs):
    """Loses every job of need 1."""

    name = "loser"

    @staticmethod
    def on_arrival(state: State, jobs: Any, job: int) -> None:
        if jobs.need[job] > 1:
            join(state.waiting, 0, job)


class Far(Fcfs):
    name = "far"

    @staticmethod
    def next_start(state: State, jobs: Any) -> int:
        return 1_000_000_000_000


class Below(Fcfs):
    name = "below"

    @staticmethod
    def next_start(state: State, jobs: Any) -> int:
        return -7


class FarStop(MostServersFirst):
    name = "far-stop"

    @staticmethod
    def next_stop(state: Any, jobs: Any) -> int:
        return 1_000_000_000_000


class Sleepwalker(MostServersFirst):
    """Pauses the first job of the first line, whether it runs or not."""

    name = "sleepwalker"

    @staticmethod
    def next_stop(state: Any, jobs: Any) -> int:
        return state.lines.queues.head[0]


FAULTS = [
    (Overbooker, r"overbooker, time 2: job 2 \(need 2, arrived at 2\): .*only 0 servers are free"),
    (Forgetful, r"forgetful, time 4: job 0 \(need 2, arrived at 0\): was started after it left"),
    (Repeater, r"repeater, time 0: job 0 \(need 2, arrived at 0\): was started twice"),
    (Clinging, r"clinging, time 5: job 0 \(need 2, arrived at 0\): was started after it left"),
    (Loser, r"loser, time 6: job 1 \(need 1, arrived at 1\): was never started; 2 jobs wait"),
    (Far, r"far, time 0: job 1000000000000: .*there is no such job"),
    (Below, r"below, time 0: job -7: .*there is no such job"),
    (FarStop, r"far-stop, time 0: job 1000000000000: .*there is no such job"),
    (Sleepwalker, r"sleepwalker, time 1: job 1 .*was paused, but is not in service"),
]


@pytest.mark.parametrize("jit", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(("kind", "message"), FAULTS, ids=lambda value: getattr(value, "name", ""))
def test_a_broken_rule_is_told(kind: type[Policy], message: str, jit: bool) -> None:
    with pytest.raises(zw.EngineError, match=message) as told:
        run(JobStream(JOBS), kind(), SERVERS, RunSettings(jit=jit))
    assert "\n" not in str(told.value)


class FarAuxiliary(Far):
    name = "far-auxiliary"


@pytest.mark.parametrize("jit", [True, False], ids=["compiled", "plain"])
def test_a_split_does_not_trust_its_auxiliary(jit: bool) -> None:
    split = zw.parse_policy("bs:fcfs,slots=0/0")
    mistaken = replace(split, auxiliary=FarAuxiliary())  # type: ignore[type-var]
    with pytest.raises(zw.EngineError, match=r"balanced-splitting:far-auxiliary.*no such job"):
        run(JobStream(JOBS), mistaken, SERVERS, RunSettings(jit=jit))


@pytest.mark.parametrize("split", ["bs", "mbs"])
@pytest.mark.parametrize("jit", [True, False], ids=["compiled", "plain"])
def test_an_auxiliary_has_no_more_than_the_helpers(split: str, jit: bool) -> None:
    """Own servers are idle, so that no more are in service than there are."""
    jobs = JobStream(zw.Jobs([0.0, 1.0, 2.0, 3.0], [1, 2, 2, 2], [9.0] * 4))
    fitting = zw.parse_policy(f"{split}:fcfs,slots=4/0")
    overbooking = replace(fitting, auxiliary=Overbooker())  # type: ignore[type-var]
    with pytest.raises(zw.EngineError, match=r"time 2: job 2 .*on the helpers, but not so many"):
        run(jobs, overbooking, 7, RunSettings(jit=jit))


class Unwilling(Policy):
    """Has no `withdraw`."""

    name = "unwilling"
    initial_state = Fcfs.initial_state
    on_arrival = staticmethod(Fcfs.on_arrival)
    on_departure = staticmethod(Fcfs.on_departure)
    next_start = staticmethod(Fcfs.next_start)


@pytest.mark.parametrize("split", ["bs", "mbs"])
def test_an_auxiliary_without_withdraw_is_refused(
    split: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(zw.POLICIES, "unwilling", Unwilling)
    assert zw.replay(JOBS, SERVERS, "unwilling").overall.count == 4
    with pytest.raises(zw.InputError, match=r"unwilling.*has no withdraw"):
        zw.replay(JOBS, SERVERS, f"{split}:unwilling")


class Waiting(NamedTuple):
    idle: Any
    waiting: Queues


def instance(**parts: Any) -> Policy:
    """A policy that is FCFS but for these parts."""
    return type("Mistaken", (Unwilling,), {"name": "mistaken"} | parts)()  # type: ignore[no-any-return]


def too_many(state: Any, jobs: Any, job: int, more: int) -> None: ...


def returns_nothing(state: Any, jobs: Any) -> int | None:
    if state.idle[0] > 3:
        return NONE
    return None


def table(self: Policy, system: System) -> Waiting:
    return Waiting(np.zeros((2, 2)), empty_queues(1, system.n_seats))


def number(self: Policy, system: System) -> Waiting:
    return Waiting(system.servers, empty_queues(1, system.n_seats))


def small_integers(self: Policy, system: System) -> Waiting:
    return Waiting(np.zeros(1, np.int32), empty_queues(1, system.n_seats))


@pytest.mark.parametrize(
    ("mistaken", "message"),
    [
        ({"on_arrival": Fcfs.on_arrival}, r"on_arrival must be a @staticmethod"),
        ({"next_start": staticmethod(Policy.next_start)}, "mistaken: has no next_start"),
        ({"on_arrival": staticmethod(too_many)}, r"test_faults.py:\d+: on_arrival takes \(.*more"),
        ({"next_start": staticmethod(returns_nothing)}, r"faults.py:\d+: next_start can end with"),
        ({"next_stop": staticmethod(MostServersFirst.next_stop)}, "write preemptive = True"),
        ({"initial_state": lambda self, system: [1]}, "returned list; it must be a NamedTuple"),
        ({"initial_state": table}, "state's idle is an array of 2 dimensions"),
        ({"initial_state": number}, "state's idle is 3; it must be an array"),
        ({"initial_state": small_integers}, "state's idle has entries of int32"),
    ],
)
def test_mistakes_are_seen_before_the_run(mistaken: dict[str, Any], message: str) -> None:
    with pytest.raises(zw.InputError, match=message):
        run(JobStream(JOBS), instance(**mistaken), SERVERS, RunSettings(jit=False))


def test_a_policy_without_a_name_is_refused() -> None:
    nameless = type("Nameless", (Policy,), {})()
    with pytest.raises(zw.InputError, match="Nameless: has no name"):
        run(JobStream(JOBS), nameless, SERVERS, RunSettings(jit=False))


class Creator(Fcfs):
    name = "creator"

    @staticmethod
    def on_departure(state: State, jobs: Any, job: int) -> None:
        state.idle[0] += np.zeros(3)[0] + jobs.need[job]


@pytest.mark.slow
def test_the_compiler_names_file_and_line() -> None:
    with pytest.raises(zw.InputError) as told:
        run(JobStream(JOBS), Creator(), SERVERS)
    lines = str(told.value).splitlines()
    assert len(lines) == 3
    assert f"creator: {__file__}:" in lines[0]
    assert "this would allocate memory" in lines[0]
    assert "np.zeros(3)[0]" in lines[1]


class Preempting(Preemptive):
    """Has everything but a way to leave."""

    name = "preempting"


def test_check_policy_says_what_is_kept_and_what_is_not() -> None:
    verdict = zw.check_policy("fcfs")
    assert verdict
    assert len(verdict.kept) == 6
    assert "keeps the contract" in repr(verdict)
    for kind, told in [
        (Overbooker, "only 2 servers are free"),
        (Repeater, "started twice"),
        (Preempting, "has no on_arrival and no on_departure"),
    ]:
        verdict = zw.check_policy(kind)
        assert not verdict
        assert told in repr(verdict)


class Careless(Fcfs):
    """Fine alone, but on helpers it starts who was taken by its own servers."""

    name = "careless"

    @staticmethod
    def withdraw(state: State, jobs: Any, job: int) -> None: ...


def test_check_policy_tries_it_on_the_helpers() -> None:
    verdict = zw.check_policy(Careless)
    assert list(verdict.broken) == ["works on the helpers of a split"]
    assert "started twice" in repr(verdict)
