"""`zerowait plan` end to end."""

import tomllib
from pathlib import Path

import pytest

from tests.cli.running import answer, killed, ran, refusal
from tests.pages import check
from tests.small_log import SERVERS, small_log

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_log(tmp_path_factory.mktemp("log") / "log.csv")


def test_a_plan_is_a_verdict_a_page_and_a_file(log: Path, tmp_path: Path) -> None:
    page, file = tmp_path / "plan.html", tmp_path / "plan.toml"
    arguments = ("plan", log, "-k", SERVERS, "--baseline", "easy", "--evaluations", 30,
                 "--store", tmp_path / "store")  # fmt: skip
    done = ran(*arguments, "--report", page, "--out", file)
    first = done.stdout.splitlines()[0]
    assert first.startswith(("Change from easy to", "Change nothing:"))
    found = tomllib.loads(file.read_text())
    assert found["schema"] == "zerowait-plan/1"
    assert found["cluster"]["servers"] == SERVERS
    assert "zerowait plan" in found["command"]
    text = page.read_text()
    check(text)
    for title in ("Waits before and after", "Winners and losers", "At other loads"):
        assert title in text
    assert text.index("<strong>Change") < text.index("<section>")
    # From the store: the same answer, and nothing is run again.
    again = answer(*arguments)
    assert again["verdict"] == found["verdict"]
    assert len(again["choice"]["scored"]) == len(found["front"])
    replayed = ran("replay", log, "-k", SERVERS, "-p", file)
    assert found.get("choice", found["baseline"])["policy"] in replayed.stdout


def test_a_plan_that_was_killed_goes_on_to_the_same_answer(log: Path, tmp_path: Path) -> None:
    """Killed on the second half, and gone on with another number of threads."""
    arguments = ["plan", log, "-k", SERVERS, "--baseline", "easy", "--evaluations", 30]
    whole = answer(*arguments, "--store", tmp_path / "whole", "--threads", 2)
    (file,) = (tmp_path / "whole").glob("*.jsonl")
    lines = file.read_bytes().count(b"\n")
    killed(*arguments, store=tmp_path / "part", lines=2 * lines // 3)
    again = answer(*arguments, "--store", tmp_path / "part", "--threads", 1)
    assert again.pop("command") != whole.pop("command")
    assert again == whole


def test_nothing_is_changed_where_nobody_waits(tmp_path: Path) -> None:
    idle = small_log(tmp_path / "idle.csv", load=0.02)
    out = tmp_path / "plan.toml"
    done = ran("plan", idle, "-k", SERVERS, "--out", out, "--store", "none")
    assert "Change nothing: there is no queue" in done.stdout
    found = tomllib.loads(out.read_text())
    assert found["verdict"] == "change-nothing"
    assert "choice" not in found


def test_what_makes_no_sense_is_refused_before_anything_runs(log: Path, tmp_path: Path) -> None:
    assert "there is no measure" in refusal("plan", log, "-k", SERVERS, "--goal", "joy")
    assert "does not say how many servers" in refusal("plan", log)
    assert "seed = -1: must be" in refusal("plan", log, "-k", SERVERS, "--seed", -1)
    assert "name it .toml" in refusal("plan", log, "-k", SERVERS, "--out", tmp_path / "plan.txt")
    assert "give a number" in refusal(
        "plan", log, "-k", SERVERS, "--size-for", "wait <= 2x easy", "--evaluations", 1
    )
