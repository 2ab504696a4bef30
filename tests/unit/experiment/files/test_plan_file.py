"""Plans as files: what is read, what is written, and errors that name the line."""

import math
from pathlib import Path

import pytest

from zerowait.experiment.files.plan_file import (
    Plan,
    PlanClass,
    load_plan,
    plan_schema,
    plan_toml,
    save_plan,
)
from zerowait.model import InputError
from zerowait.model.errors import WriteError

DUE = "backfill,order=due,patience=10h,reserve_after=1d"
PLAN = Plan(
    servers=100,
    baseline="easy",
    choice=DUE,
    reason='jobs "wait" less\nthan before \\ \x7f',
    classes=(PlanClass("small", (1, 4), (0, 3600.0)), PlanClass("the rest", (5, math.inf))),
    evidence={"gain": 0.4, "interval": [0.3, 0.5], "weeks seen": 20, "sure": True},
    front=({"policy": "easy", "wait": 3.0}, {"policy": DUE, "wait": 1.5}),
    command="zerowait plan log.swf",
)
TEXT = """\
schema = "zerowait-plan/1"
verdict = "change"
reason = "less waiting"

[cluster]
servers = 100

[baseline]
policy = "easy"

[choice]
policy = "first-fit"
"""


def read(folder: Path, text: str) -> Plan:
    path = folder / "plan.toml"
    path.write_text(text)
    return load_plan(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    return str(caught.value).removeprefix(str(folder / "plan.toml"))


def test_a_saved_plan_reads_back(tmp_path: Path) -> None:
    save_plan(PLAN, tmp_path / "plan.toml")
    assert load_plan(tmp_path / "plan.toml") == PLAN
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


def test_defaults(tmp_path: Path) -> None:
    plan = read(tmp_path, TEXT)
    assert (plan.servers, plan.baseline, plan.choice) == (100, "easy", "first-fit")
    assert (plan.verdict, plan.overruns, plan.classes) == ("change", "extend", ())


def test_a_plan_that_changes_nothing(tmp_path: Path) -> None:
    nothing = Plan(servers=8, baseline="easy", choice=None, reason="nobody waits")
    assert nothing.verdict == "change-nothing"
    assert read(tmp_path, plan_toml(nothing)) == nothing


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("plan/1", "plan/2", ":1: schema = 'zerowait-plan/2': this zerowait reads"),
        ('"change"', '"maybe"', ":2: verdict = 'maybe'"),
        ("servers = 100", "servers = 0", ":6: cluster.servers = 0"),
        ("servers = 100", "servers = 1.5", ":6: cluster.servers = 1.5"),
        ("[choice]", "[chocie]", ":11: chocie"),
        ('verdict = "change"', 'verdict = "change-nothing"', ":11: choice: changes something"),
        ('\n[choice]\npolicy = "first-fit"', "", ": choice: is missing; add it"),
        ("servers = 100", "servers", ":6: not TOML"),
        ('policy = "first-fit"', 'policy = "x"\n[[class]]\nname = "a"\nneed = [4, 2]',
         ":15: class[0].need = [4, 2]: holds no job"),
        ('policy = "first-fit"', 'policy = "x"\n[[class]]\nname = "a"\nestimate = [5, 5]',
         ":15: class[0].estimate = [5, 5]: holds no job"),
        ('policy = "first-fit"', 'policy = "x"\n[[class]]\nname = "a"\n[[class]]\nname = "a"',
         ":16: class[1].name = 'a': is taken"),
    ],
)  # fmt: skip
def test_errors_name_the_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert refusal(tmp_path, TEXT.replace(old, new)).startswith(expected)


def test_a_missing_or_forbidden_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_plan(tmp_path / "none.toml")
    with pytest.raises(WriteError, match="cannot be written"):
        save_plan(PLAN, tmp_path / "none" / "plan.toml")


def test_the_schema_knows_every_table() -> None:
    assert {"schema", "cluster", "baseline", "choice", "class", "evidence", "front"} <= set(
        plan_schema()["properties"]
    )
