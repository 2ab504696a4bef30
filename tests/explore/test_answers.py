"""What the explorer answers: the numbers of the command line, and nothing for nobody."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerowait as zw
from tests.cli.running import ran
from tests.small_log import small_log
from zerowait.experiment.simulation.simulate import set_up
from zerowait.explore.answers import answer_comparison, answer_search
from zerowait.explore.comparison_view import comparison_view
from zerowait.explore.question import Question
from zerowait.explore.request_handler import Stop, StoppedError
from zerowait.explore.subject import Subject
from zerowait.model import InputError
from zerowait.model.display import json_ready

pytestmark = pytest.mark.slow

SMALL = (
    ("workload", "figure1"), ("servers", "64"), ("load", "0.7"), ("policy", "fcfs"),
    ("policy", "bs:fcfs,slots=9/3/1/0"), ("arrivals", "20000"), ("replications", "3"),
    ("seed", "5"),
)  # fmt: skip


def answers(pairs: Any, subject: Subject | None = None) -> list[tuple[str, Any]]:
    return list(answer_comparison(Question.of(pairs), subject or Subject(), Stop()))


def without_commands(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_commands(v) for k, v in value.items() if k != "command"}
    return [without_commands(one) for one in value] if isinstance(value, list) else value


def test_the_last_numbers_are_those_of_the_command_line() -> None:
    events = answers(SMALL)
    kinds = [kind for kind, _ in events]
    assert kinds == ["setting", *4 * ["numbers"], "files", "done"]
    command = dict(events)["setting"]["command"].split()
    printed = json.loads(ran(*command[1:], "--json").stdout)
    assert without_commands(dict(events)["files"]["comparison"]) == without_commands(printed)
    names: dict[str, Any] = {}
    text = dict(events)["setting"]["python"].replace("zw.compare", "found = zw.compare")
    exec(text, names)
    assert names["found"].as_dict() == dict(events)["files"]["comparison"]


def test_numbers_on_the_way_are_those_of_the_first_replications() -> None:
    events = answers(SMALL)
    first_look, *growing = [told for kind, told in events if kind == "numbers"]
    assert first_look["first_look"]
    assert [one["replications"] for one in growing] == [1, 2, 3]
    expected = zw.compare(
        zw.workloads.figure1(servers=64), 64, ["fcfs", "bs:fcfs,slots=9/3/1/0"], load=0.7,
        arrivals=20_000, replications=2, seed=5,
    )  # fmt: skip
    nothing = (np.zeros(0), np.zeros(0))
    told = comparison_view(expected, [[nothing] * 5] * 2)
    assert growing[1]["tables"] == told["tables"]
    assert growing[1]["sentences"] == told["sentences"]
    assert growing[1]["figures"]["classes"] == told["figures"]["classes"]


def test_a_log_is_replayed_as_the_command_line_does(tmp_path: Path) -> None:
    path = small_log(tmp_path / "log.csv", weeks=5)
    subject = Subject(str(path), log=zw.read_log(path))
    asked = [("workload", str(path)), ("servers", "64"), ("policy", "easy"), ("policy", "fcfs")]
    events = answers(asked, subject)
    printed = json.loads(ran(*dict(events)["setting"]["command"].split()[1:], "--json").stdout)
    assert without_commands(dict(events)["files"]["comparison"]) == without_commands(printed)
    assert printed["weeks"] == 5


def test_a_workload_of_a_file_is_asked_for_by_the_files_name(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    zw.save_workload(zw.workloads.figure1(servers=64), path)
    asked = [("workload", str(path)), *SMALL[1:]]
    events = answers(asked, Subject(str(path), workload=zw.load_workload(path)))
    assert dict(events)["setting"]["command"].split()[2] == str(path)
    names: dict[str, Any] = {}
    exec(dict(events)["setting"]["python"].replace("zw.compare", "found = zw.compare"), names)
    assert names["found"].as_dict() == dict(events)["files"]["comparison"]


def test_a_search_finds_a_split_that_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerowait.explore.answers.EVALUATIONS", 20)
    asked = [pair for pair in SMALL if pair != ("policy", "fcfs")]
    found = dict(answer_search(Question.of(asked), Subject(), Stop()))["found"]
    assert found["ratio"] < 1.02
    split = zw.parse_policy(found["policy"])
    setup = set_up(zw.workloads.figure1(servers=64), 64, Question.of(asked).options(False))
    assert len(split.slots) == len(setup.workload.classes)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (("workload", "/etc/passwd"), "is not known here"),
        (("workload", "own.toml"), "is not known here"),
        (("servers", "99999999"), "at most 1000000"),
        (("servers", "1e3"), "must be a whole number"),
        (("load", "1.2"), "must be below 1"),
        (("load", "nan"), "load = nan"),
        (("arrivals", "2000001"), "at most 2000000"),
        (("replications", "1"), "2 or more"),
        (("policy", "no-such"), "there is no policy"),
        (("policy", "plan.toml"), "there is no policy"),
        (("colour", "red"), "not known"),
        (("seed", "-1"), "whole number"),
        (("seed", "1" * 5000), "longer than"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(changed: tuple[str, str], why: str) -> None:
    key = changed[0]
    asked = [pair for pair in SMALL if pair[0] != key] + [changed]
    with pytest.raises(InputError, match=why) as caught:
        answers(asked)
    assert "\n" not in str(caught.value)


def test_a_question_has_few_policies_and_a_bounded_length() -> None:
    with pytest.raises(InputError, match="one to 4"):
        Question.of([*SMALL, *(("policy", f"bs:fcfs,slots={i}/0/0/0") for i in range(3))])
    with pytest.raises(InputError, match="at most"):
        Question.of(
            [("workload", "figure1"), ("policy", "fcfs"), ("policy", "ff"),
             ("arrivals", "2000000"), ("replications", "64")]
        )  # fmt: skip


def test_computation_stops_when_the_client_leaves() -> None:
    stop = Stop()
    events = answer_comparison(Question.of(SMALL), Subject(), stop)
    assert next(events)[0] == "setting"
    stop.ask()
    with pytest.raises(StoppedError):
        next(events)


def test_what_takes_too_long_is_cut_and_says_so() -> None:
    events = list(answer_comparison(Question.of(SMALL), Subject(), Stop(limit_s=0.0)))
    assert [kind for kind, _ in events] == ["setting", "cut"]
    assert "cut after 0 s" in events[-1][1]


def test_everything_told_is_json() -> None:
    for _, told in answers(SMALL):
        assert json.loads(json.dumps(told, allow_nan=False)) == json_ready(told)
