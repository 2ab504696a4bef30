"""A policy that is one class: whatever shows policies shows it, without another line of code."""

import sys
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.console import Console

import zerowait as zw
from zerowait.deploy.order import deployable, order_of
from zerowait.experiment.files.plan_file import Plan
from zerowait.experiment.simulation.stability import STABLE, by_formula
from zerowait.experiment.sweeps.points import EACH_S, SweepPoint
from zerowait.explore.controls import known_policies
from zerowait.explore.movie import Movie, log_stage, movie
from zerowait.kit import NONE, Ints, Policy, Queues, Seats, System, empty_queues, join, leave
from zerowait.policies import POLICIES, register
from zerowait.report.documents.policies import PoliciesDocument, policy_rows
from zerowait.report.palette import Look, known_looks, look_of, looks_of, short_name
from zerowait.report.terminal import show_document

DOCS = Path(__file__).parents[3] / "docs"


class State(NamedTuple):
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    waiting: Queues  # one queue per need


class BestFit(Policy):
    """Start the largest waiting job that fits the idle servers, the oldest of equals, and again.

    No need to say more.
    """

    name = "best-fit-of-a-test"
    alias = "bft"
    source = "this test"

    def initial_state(self, system: System) -> State:
        queues = empty_queues(len(system.needs), system.n_seats)
        return State(np.array([system.servers]), system.needs.copy(), queues)

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.waiting, jobs.need_rank[job], job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        for rank in range(state.needs.shape[0] - 1, -1, -1):
            job = state.waiting.head[rank]
            if job != NONE and state.needs[rank] <= state.idle[0]:
                state.idle[0] -= state.needs[rank]
                leave(state.waiting, rank, job)
                return job
        return NONE

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        leave(state.waiting, jobs.need_rank[job], job)


class Known(BestFit):
    """Do the same, and say more of it."""

    name = "known-of-a-test"
    alias = "kot"
    throughput_optimal = "yes"
    look = ("wine", "plus", "dashdot")
    seconds_per_million = 7.0

    def slurm_order(self) -> dict[str, Any]:
        return {"key": "need"}

    def why_start(self, pool: Any, job: int) -> str:
        return f"nothing that fits is larger than {pool.need(job)}"


@pytest.fixture(autouse=True)
def registered() -> None:
    register(BestFit)
    register(Known)


def shown(spec: str, servers: int = 4) -> Movie:
    arrival, need, service = zip((0.0, 3, 10.0), (1.0, 2, 5.0), (2.0, 4, 1.0), strict=True)
    return movie(log_stage(zw.Jobs(arrival, need, service), servers), spec)


def test_it_runs_alone_and_on_the_helpers_of_a_split() -> None:
    jobs = zw.Jobs([0.0, 1.0, 2.0, 3.0], [3, 1, 2, 3], [10.0, 10.0, 5.0, 1.0])
    frame = zw.replay(jobs, 4, "bft", jobs=True, jit=False).jobs
    assert frame is not None
    assert frame["start"].to_list() == [0.0, 1.0, 11.0, 10.0]  # the larger one first
    split = zw.replay(jobs, 6, "bs:bft,slots=1/0/1", jobs=True, jit=False).jobs
    assert split is not None
    assert split["helpers"].to_list() == [False, False, True, False]


def test_the_movie_tells_it_by_its_docstring_or_its_words() -> None:
    found = shown("bft")
    assert [rule.label for rule in found.rules] == ["best-fit-of-a-test"]
    assert found.rules[0].words == BestFit.summary()
    assert found.rules[0].words.endswith("the oldest of equals, and again.")
    starts = [step.words for step in found.steps if step.kind == "start"]
    assert starts[0] == "Job 1 starts: its rule chose it; it needs 3, and 4 servers are idle."
    assert "Job 1 starts: nothing that fits is larger than 3." in [
        step.words for step in shown("kot").steps
    ]
    split = shown("bs:kot,slots=1/0/0", 6)
    assert split.rules[1].words.endswith("by known-of-a-test: Do the same, and say more of it.")


def test_every_policy_has_a_rule_to_be_shown() -> None:
    for kind in set(POLICIES.values()):
        for label, words in zw.parse_policy(kind.name).rules():
            assert label
            assert words.endswith((".", ")."))


def test_charts_give_it_a_look_of_its_own() -> None:
    looks = looks_of([BestFit.name, Known.name, "fcfs", "easy"])
    assert len(set(looks.values())) == 4
    assert look_of(BestFit.name) not in known_looks().values()
    assert look_of(Known.name) == Look("wine", "plus", "dashdot")
    assert look_of(f"balanced-splitting:{BestFit.name}").hue in ("blue", "sky")
    assert short_name(f"balanced-splitting:{BestFit.name}") == f"bs:{BestFit.name}"
    with pytest.raises(zw.InputError, match="hue = 'mauve': must be one of blue"):
        Look("mauve")


def test_the_tables_and_the_reference_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(one for one in policy_rows() if one["name"] == BestFit.name)
    assert row["rule"] == BestFit.summary()
    assert (row["throughput_optimal"], row["takes_auxiliary"]) == ("unknown", False)
    printed = StringIO()
    show_document(Console(width=100, file=printed), PoliciesDocument(policy_rows()))
    assert BestFit.name in printed.getvalue()
    assert any(one["name"] == BestFit.name for one in known_policies())
    monkeypatch.syspath_prepend(DOCS / "_ext")
    monkeypatch.delitem(sys.modules, "register_tables", raising=False)
    assert f"## {BestFit.name}\n" in import_module("register_tables").policies()


def test_stability_cost_and_deployment_ask_the_policy() -> None:
    workload = zw.workloads.figure1(servers=32).with_load(32, 0.9)
    bare, known = zw.parse_policy("bft"), zw.parse_policy("kot")
    assert by_formula(workload, 32, 0.9, bare) is None
    assert by_formula(workload, 32, 0.9, known) == STABLE
    options = {"arrivals": 250_000, "replications": 4}
    for spec, seconds in (("bft", 0.3), ("kot", 7.0)):
        point = SweepPoint("figure1", workload, 32, spec, options=options)
        assert point.seconds == pytest.approx(EACH_S + seconds)
    plan = Plan(32, "easy", "bft", "for a test")
    with pytest.raises(zw.InputError, match=r"'bft': Slurm cannot run it; .* can be deployed"):
        order_of("bft", plan)
    assert order_of("kot", plan).key == "need"
    assert Known.name in deployable()
    assert BestFit.name not in deployable()
    assert "bs:fcfs" in deployable()
