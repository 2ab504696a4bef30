"""What the movie says is so: rules by name, reasons by what the table of jobs shows."""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import zerowait as zw
from tests.contract.test_policies import job_list
from zerowait.engine.policy import named
from zerowait.explore.movie import Movie, log_stage, movie
from zerowait.explore.movie.narration import clock
from zerowait.kit import NONE, Policy, Queues, Seats, System, empty_queues, join, leave
from zerowait.model.quantities import Ints

pytestmark = pytest.mark.slow


def told(spec: str | Policy, servers: int, *rows: tuple[float, int, float]) -> list[str]:
    """Words and notes, one line per step, of jobs given by arrival, need and service."""
    arrival, need, service = zip(*rows, strict=True)
    found = movie(log_stage(zw.Jobs(arrival, need, service), servers), spec)
    return [f"{step.words} {step.note}".strip() for step in found.steps]


def test_balanced_splitting_is_told_by_its_three_rules() -> None:
    jobs = [(0.0, 2, 10.0), (1.0, 2, 20.0), (2.0, 2, 5.0), (3.0, 1, 1.0)]
    assert told("bs:fcfs,slots=1/1", 5, *jobs) == [
        "Job 1 arrives: class 2, need 2. Of its class’s 2 own servers 2 are idle: "
        "rule 1 sends it there.",
        "Job 1 starts on class 2’s own servers: rule 1.",
        "Job 2 arrives: class 2, need 2. Of its class’s 2 own servers none is idle: "
        "rule 1 sends it to the helpers.",
        "The helpers take job 2: it is the head of the queue, needs 2, and 2 helpers are idle: "
        "rule 2.",
        "Job 3 arrives: class 2, need 2. Of its class’s 2 own servers none is idle: "
        "rule 1 sends it to the helpers. "
        "At the helpers: job 3, the head of the queue, needs 2, and no helper is idle.",
        "Job 4 arrives: class 1, need 1. Its class’s own server is idle: rule 1 sends it there.",
        "Job 4 starts on class 1’s own servers: rule 1. "
        "At the helpers: job 3, the head of the queue, needs 2, and no helper is idle.",
        "Job 4 ends: 1 of class 1’s own servers comes free. "
        "At the helpers: job 3, the head of the queue, needs 2, and no helper is idle.",
        "Job 1 ends: 2 of class 2’s own servers come free.",
        "Class 2’s own servers take its oldest waiting job, job 3: rule 3.",
        "Job 3 ends: 2 of class 2’s own servers come free.",
        "Job 2 ends: 2 of the helpers come free.",
    ]


def test_modified_balanced_splitting_sends_for_good() -> None:
    jobs = [(0.0, 2, 10.0), (1.0, 2, 20.0), (2.0, 2, 5.0)]
    lines = told("mbs:fcfs,slots=1", 4, *jobs)
    assert lines[2] == (
        "Job 2 arrives: class 1, need 2. Of its class’s 2 own servers none is idle: "
        "definition 2 sends it to the helpers for good."
    )
    assert "Job 1 ends: 2 of class 1’s own servers come free. At the helpers: job 3" in lines[5]
    assert "The helpers take job 3" in lines[7]


def test_fcfs_is_blocked_by_its_head_and_first_fit_is_not() -> None:
    jobs = [(0.0, 3, 10.0), (1.0, 4, 5.0), (2.0, 1, 2.0)]
    assert told("fcfs", 4, *jobs)[3] == (
        "Job 3 arrives: class 1, need 1. "
        "Job 2, the head of the queue, needs 4, and 1 server is idle; it blocks the one behind it."
    )
    assert told("first-fit", 4, *jobs)[4] == (
        "Job 3 starts: it is the oldest that fits, for 1 server is idle; "
        "job 2 would not fit and is passed over. No server is idle."
    )


def test_easy_tells_its_reservation() -> None:
    jobs = [(0.0, 3, 60.0), (1.0, 4, 50.0), (2.0, 1, 20.0), (3.0, 1, 90.0)]
    lines = told("easy", 5, *jobs)
    assert lines[4] == (
        "Job 3 starts: it is back-filled past job 2, which has a reservation at 1:00: "
        "it is to end by 0:22. "
        "Job 2 needs 4, and 1 server is idle: it has a reservation at 1:00."
    )
    assert lines[6].startswith(
        "Job 4 starts: it is back-filled past job 2, which has a reservation at 1:00: "
        "1 will be left over then, and it needs 1."
    )
    late = told("backfill,reserve_after=1h", 5, *jobs)
    assert late[4].startswith(
        "Job 3 starts: of those that fit it is the oldest, for 2 servers are idle; "
        "job 2 would not fit, and a reservation comes only after a wait of 1:00:00."
    )
    assert told("saf", 5, *jobs)[4].startswith(
        "Job 3 starts: it is the smallest by area (estimate x need), needs 1, and 2 servers are "
        "idle."
    )


def test_a_pause_says_for_whom() -> None:
    lines = told("msf", 4, (0.0, 1, 10.0), (1.0, 4, 5.0))
    assert lines[3:5] == [
        "Job 1 is paused for job 2: by need, largest first: "
        "those before it leave fewer than the 1 it needs.",
        "Job 2 starts: by need, largest first, each that fits: it needs 4. No server is idle.",
    ]
    assert lines[6].startswith("Job 1 goes on: ")


PROMISE = re.compile(
    r"past job (\d+), which has a reservation at (\d+(?::\d+)+): "
    r"(?:it is to end by (\d+(?::\d+)+)|(\d+) will be left over then, and it needs (\d+))"
)


def seconds(text: str) -> int:
    return sum(int(part) * 60**i for i, part in enumerate(reversed(text.split(":"))))


@pytest.mark.parametrize("spec", ["easy", "bs:easy"])
@pytest.mark.parametrize("seed", range(3))
def test_reservations_are_kept_and_reasons_are_right(spec: str, seed: int) -> None:
    """Where estimates are right: the head starts by then, and whoever passes has its reason."""
    found = shown(spec, seed)
    reasons = set()
    for step in found.steps:
        if match := PROMISE.search(step.words):
            head, reserved = found.jobs[int(match[1]) - 1], found.origin + seconds(match[2])
            job = found.jobs[step.job]
            assert head["start"] <= reserved
            assert (match[3] is not None) == (job["end"] <= reserved)
            if match[3]:
                assert job["end"] == found.origin + seconds(match[3])
            else:
                assert job["need"] == int(match[5]) <= int(match[4])
            reasons.add(match[3] is None)
        else:
            assert "back-filled" not in step.words
    assert reasons
    if spec == "easy":  # there both occur
        assert reasons == {False, True}


def shown(spec: str, seed: int) -> Movie:
    return movie(log_stage(job_list(spec, True, n_jobs=150, seed=seed), 24), spec)


@pytest.mark.parametrize("seed", range(3))
def test_jobs_passed_over_would_not_fit(seed: int) -> None:
    """Of first-fit: everybody older who waits needs more than is idle, at every start."""
    found = shown("first-fit", seed)
    idle, n_passed = 24, 0
    for step in found.steps:
        need = found.jobs[step.job]["need"]
        if step.kind == "start":
            older = [job for job in step.queue if job < step.job]
            assert all(found.jobs[job]["need"] > idle for job in older)
            assert ("passed over" in step.words) == bool(older)
            assert re.search(r"(\d+) servers? (is|are) idle", step.words)[1] == str(idle)  # type: ignore[index]
            n_passed += len(older)
            idle -= need
        elif step.kind == "departure":
            idle += need
    assert n_passed


@pytest.mark.parametrize("spec", ["bs:fcfs", "bs:first-fit", "bs:msf"])
def test_rule_3_takes_the_oldest_of_the_class(spec: str) -> None:
    found = shown(spec, 1)
    rules = []
    for before, step in zip(found.steps, found.steps[1:], strict=False):
        if step.rule == 2:
            job_class = found.jobs[step.job]["job_class"]
            same = [job for job in before.queue if found.jobs[job]["job_class"] == job_class]
            assert step.job == min(same)
            assert step.words.endswith("rule 3.")
        rules.append(step.rule)
    assert {0, 1, 2} <= set(rules)
    assert [rule.label for rule in found.rules] == ["rule 1", "rule 2", "rule 3"]


@pytest.mark.parametrize("refill", ["largest", "expected"])
def test_another_refill_is_told_as_such(refill: str) -> None:
    found = shown(f"bs:fcfs,refill={refill}", 1)
    assert any("the most left" in step.words and step.rule == 2 for step in found.steps)
    assert "the most left" in found.rules[2].words


class State(NamedTuple):
    idle: Ints
    waiting: Queues


@dataclass(frozen=True)
class Mine(Policy):
    """Start the oldest job that waits alone."""

    name = "mine"

    def initial_state(self, system: System) -> State:
        return State(np.array([system.servers]), empty_queues(1, system.n_seats))

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.waiting, 0, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        job = state.waiting.head[0]
        if job == NONE or jobs.need[job] > state.idle[0]:
            return NONE
        state.idle[0] -= jobs.need[job]
        leave(state.waiting, 0, job)
        return job


def test_a_policy_of_a_user_is_told_by_what_is_known() -> None:
    lines = told(Mine(), 4, (0.0, 3, 10.0), (1.0, 2, 5.0))
    assert lines[1] == "Job 1 starts: its rule chose it; it needs 3, and 4 servers are idle."
    assert lines[2] == (
        "Job 2 arrives: class 1, need 2. 1 server is idle, and its rule starts nobody."
    )


def test_names_and_times_are_readable() -> None:
    assert named(["4"]) == "job 4"
    assert named(["4", "7"]) == "jobs 4 and 7"
    assert named(list("47911")) == "jobs 4, 7, 9 and 2 more"
    assert [clock(t) for t in (0, 7, 59.96, 750.5, 3600, 2 * 86400 + 3661)] == [
        "0:00", "0:07", "1:00", "12:30.5", "1:00:00", "2 d 1:01:01",
    ]  # fmt: skip
