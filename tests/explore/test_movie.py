"""The movie shows what the engine's tables say: who runs where and who waits, at every step."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.contract.test_policies import EVERY, SERVERS, job_list
from tests.draws import draws
from tests.oracle.replaying import jobs_of
from tests.oracle.strategies import Case, guessed, plain_cases, split_cases
from zerowait.engine import loop as service
from zerowait.engine.sums import Statistics, count_busy
from zerowait.explore.movie import MOST_JOBS, Movie, Step, log_stage, movie, workload_stage

pytestmark = pytest.mark.slow

N_JOBS = 80
WHOLE = pytest.mark.parametrize("whole", [False, True], ids=["continuous", "whole seconds"])
BEGINS = ("start", "resume", "move")


def shown(
    spec: str, jobs: zw.Jobs, servers: int = SERVERS, n_shown: int = N_JOBS, **options: Any
) -> Movie:
    return movie(log_stage(jobs, servers, jobs=n_shown, **options), spec)


def replayed(spec: str, jobs: zw.Jobs, servers: int = SERVERS, **options: Any) -> Any:
    return zw.replay(jobs, servers, spec, jobs=True, jit=False, **options)


def occupancies(found: Movie) -> Iterator[tuple[Step, dict[int, set[int]]]]:
    """Per step: the servers of each job in service after it."""
    held: dict[int, set[int]] = {}
    for step in found.steps:
        tiles = [set(range(first, first + count)) for first, count in step.tiles]
        if step.kind in BEGINS:
            assert step.job not in held
            held[step.job] = set().union(*tiles)
        elif step.kind in ("departure", "pause"):
            assert held.pop(step.job) == set().union(*tiles)
        yield step, dict(held)


def assert_as_replayed(spec: str, jobs: zw.Jobs, servers: int, **options: Any) -> Movie:
    """Every step is one of the engine's, and keeps to the table of jobs of a replay."""
    found = shown(spec, jobs, servers, **options)
    changes: list[tuple[float, int, int]] = []

    def counted(stats: Statistics, job_class: int, now: float, change: int) -> None:
        count_busy(stats, job_class, now, change)
        changes.append((float(now), int(job_class), int(change)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "count_busy", counted)
        result = replayed(spec, jobs, servers, **options)
    signs = {"departure": -1, "pause": -1} | dict.fromkeys(BEGINS, 1)
    seen = [
        (step.time, found.jobs[step.job]["job_class"], signs[step.kind] * need)
        for step in found.steps
        if step.kind in signs and (need := found.jobs[step.job]["need"])
    ]
    assert seen == changes  # what the engine did, one by one
    assert_same_table(found, result.jobs)
    assert_steps_keep_to_the_table(found)
    assert_pools_are_kept(found, result)
    assert_words_are_so(found)
    window = found.steps[-1].time - found.steps[0].time
    if window > 1e-6:
        busy = sum(
            (after.time - step.time) * sum(map(len, held.values()))
            for (step, held), after in zip(occupancies(found), found.steps[1:], strict=False)
        )
        assert busy == pytest.approx(result.utilisation * servers * window, rel=1e-9, abs=1e-6)
    return found


@WHOLE
@pytest.mark.parametrize("spec", EVERY)
def test_every_step_is_the_schedule_of_the_replay(spec: str, whole: bool) -> None:
    assert_as_replayed(spec, job_list(spec, whole, n_jobs=N_JOBS), SERVERS)


# Of these every kind of words, and every kind of auxiliary policy in both splits.
ALONE = (
    "fcfs", "first-fit", "easy", "conservative", "maxweight-myopic", "maxweight", "msf", "ff-srpt",
    "greedy-srpt", "sf", "sf-gittins", "backfill,order=due,patience=3,reserve_after=2",
)  # fmt: skip
HELPING = ["fcfs", "first-fit", "easy", "conservative", "lsf", "sf-srpt"]


@draws(200)
@given(case=guessed(plain_cases()), spec=st.sampled_from(ALONE))
def test_any_jobs_are_shown_as_they_are_replayed(case: Case, spec: str) -> None:
    """Ties, jobs of no time, classes of mixed needs, estimates that are wrong."""
    assert_as_replayed(spec, jobs_of(case), case.servers, overruns=case.overruns)


@pytest.mark.parametrize("split", ["bs", "mbs"])
@draws(200)
@given(data=st.data(), auxiliary=st.sampled_from(HELPING))
def test_any_split_is_shown_as_it_is_replayed(
    split: str, data: st.DataObject, auxiliary: str
) -> None:
    case = data.draw(guessed(split_cases(modified=split == "mbs")))
    slots = "/".join(map(str, case.slots or []))
    spec = f"{split}:{auxiliary},slots={slots}"
    assert_as_replayed(spec, jobs_of(case), case.servers, overruns=case.overruns)


def assert_same_table(found: Movie, table: Any) -> None:
    for name in ("arrival", "need", "service", "estimate", "job_class", "start", "end",
                 "helpers", "preemptions"):  # fmt: skip
        assert [job[name] for job in found.jobs] == table[name].to_list(), name


def assert_steps_keep_to_the_table(found: Movie) -> None:
    """At every step of an instant; at its last one, exactly who runs and who waits."""
    times = [step.time for step in found.steps]
    assert times == sorted(times)
    present: set[int] = set()
    for at, (step, held) in enumerate(occupancies(found)):
        job = found.jobs[step.job]
        if step.kind == "arrival":
            assert step.time == job["arrival"]
            present.add(step.job)
        elif step.kind == "departure":
            assert step.time == job["end"]
            present.remove(step.job)
        elif step.kind == "start":
            assert step.time == job["start"]
        assert sorted(step.queue) == sorted(present - held.keys())
        assert all(len(tiles) == found.jobs[one]["need"] for one, tiles in held.items())
        assert len(set().union(*held.values())) == sum(map(len, held.values()))
        if at + 1 == len(times) or times[at + 1] > step.time:
            assert_instant(found, step.time, set(held), set(step.queue))
    assert not present


def assert_instant(found: Movie, now: float, running: set[int], queue: set[int]) -> None:
    rows = list(enumerate(found.jobs))
    assert running | queue == {i for i, job in rows if job["arrival"] <= now < job["end"]}
    assert queue >= {i for i, job in rows if job["arrival"] <= now < job["start"]}
    if all(job["preemptions"] == 0 for job in found.jobs):
        assert running == {i for i, job in rows if job["start"] <= now < job["end"]}


def assert_pools_are_kept(found: Movie, result: Any) -> None:
    """Own servers for the own class, helpers for those whom the table says they served."""
    servers = [region.servers for region in found.regions]
    firsts = [region.first for region in found.regions]
    assert firsts == np.cumsum([0, *servers])[:-1].tolist()
    assert sum(servers) == found.servers
    if result.split is not None:
        assert tuple(servers) == (*result.split.own_servers, result.split.helpers)
    last = {}
    for step, held in occupancies(found):
        if step.kind in BEGINS:
            assert step.region is not None
            region, job = found.regions[step.region], found.jobs[step.job]
            within = range(region.first, region.first + region.servers)
            assert held[step.job] <= set(within)
            assert region.job_class in (None, job["job_class"])
            last[step.job] = region.kind
    for i, job in enumerate(found.jobs):
        assert job["helpers"] == (last[i] == "helpers")


def assert_words_are_so(found: Movie) -> None:
    """Numbers of idle servers, before a start and after a decision; that nobody fits; who is
    named."""
    servers = found.regions[-1].servers  # the helpers, or all
    idle = servers
    for step, held in occupancies(found):
        assert step.words.endswith(".")
        assert "$" not in step.words
        assert f"ob {found.jobs[step.job]['name']}" in step.words
        if step.kind in BEGINS:
            assert said_idle(step.words, servers) in (None, idle)
        here = range(found.regions[-1].first, found.servers)
        idle = servers - sum(len(tiles & set(here)) for tiles in held.values())
        assert said_idle(step.note, servers) in (None, idle)
        if NOBODY.search(step.note):
            assert all(found.jobs[job]["need"] > idle for job in step.queue)


NOBODY = re.compile("nobody that waits needs so few|nobody else fits either")
IDLE = re.compile(r"(no|\d+) (?:server|helper)s? (?:is|are) idle|there are no helpers")


def said_idle(words: str, servers: int) -> int | None:
    """Of those that the policy of the queue decides on."""
    match = IDLE.search(words.partition(" own servers ")[0])
    if match is None:
        return None
    if match[1] is None:
        assert servers == 0
        return 0
    return 0 if match[1] == "no" else int(match[1])


def test_pauses_are_those_of_the_table_and_add_up() -> None:
    jobs = job_list("msf", whole=True, n_jobs=N_JOBS)
    for spec in ("msf", "server-filling-srpt", "bs:msf"):
        found = shown(spec, jobs)
        pauses = [step.job for step in found.steps if step.kind == "pause"]
        assert pauses
        served = np.zeros(len(jobs))
        for (step, held), after in zip(occupancies(found), found.steps[1:], strict=False):
            served[list(held)] += after.time - step.time
        for i, job in enumerate(found.jobs):
            assert pauses.count(i) == job["preemptions"]
        assert served == pytest.approx(np.asarray(jobs.service))
    assert any(step.kind == "move" for step in found.steps)


def test_a_price_of_pauses_is_paid() -> None:
    jobs = job_list("msf", whole=True, n_jobs=N_JOBS)
    cost: dict[str, Any] = {"preemption_cost": "2s"}
    found = shown("msf", jobs, **cost)
    assert_same_table(found, replayed("msf", jobs, **cost).jobs)


@pytest.mark.parametrize("spec", ["bs:fcfs", "easy", "ff-srpt"])
def test_jobs_of_a_workload_are_those_that_simulate_draws(spec: str) -> None:
    stage = workload_stage("figure1", 64, load=0.9, jobs=100, seed=3)
    found = movie(stage, spec)
    result = zw.simulate(
        "figure1", 64, spec, load=0.9, arrivals=100, replications=1, seed=3, jobs=True, jit=False
    )
    assert result.jobs is not None
    for name in ("arrival", "need", "service", "job_class", "start", "end", "helpers"):
        assert [job[name] for job in found.jobs] == result.jobs[name].to_list(), name
    if result.split is not None:
        assert [one.servers for one in found.regions] == [
            *result.split.own_servers,
            result.split.helpers,
        ]
    # The first jobs of a longer run, and the same for each policy.
    other = movie(workload_stage("figure1", 64, load=0.9, jobs=40, seed=3), "fcfs")
    assert [job["service"] for job in other.jobs] == [job["service"] for job in found.jobs[:40]]


def test_a_stretch_of_a_log_keeps_the_classes_and_the_split_of_the_whole() -> None:
    jobs = job_list("bs:fcfs", whole=True, n_jobs=600)
    found = shown("bs:fcfs", jobs, first=200, n_shown=50)
    whole = replayed("bs:fcfs", jobs)
    assert whole.split is not None
    assert [one.servers for one in found.regions][:-1] == list(whole.split.own_servers)
    keep = np.zeros(len(jobs), dtype=bool)
    keep[200:250] = True
    slots = "/".join(map(str, whole.split.slots))
    part = replayed(f"bs:fcfs,slots={slots}", jobs.select(keep))
    assert [job["start"] for job in found.jobs] == part.jobs["start"].to_list()
    assert found.origin == found.jobs[0]["arrival"]


def test_it_goes_to_json_and_stays_small() -> None:
    stage = workload_stage("figure1", 64, load=0.95, jobs=MOST_JOBS)
    told = movie(stage, "bs:first-fit").as_dict()
    text = json.dumps(told, allow_nan=False)
    assert json.loads(text) == told
    assert len(text) < 1_000_000


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("servers", lambda: workload_stage("figure1", 8192, load=0.5)),
        ("jobs", lambda: workload_stage("figure1", 64, load=0.5, jobs=201)),
        ("load", lambda: workload_stage("figure1", 64, load=1.2)),
        ("first", lambda: log_stage(zw.Jobs([0.0], [1], [1.0]), 4, first=1)),
    ],
)
def test_what_is_too_large_is_refused(field: str, make: Any) -> None:
    with pytest.raises(zw.InputError, match=f"^{field} = "):
        make()
