"""`zerowait deploy`: files for Slurm, and one line for each kind of bad input."""

from pathlib import Path

import pytest

from tests.cli.running import answer, ran, refusal, zerowait
from tests.unit.deploy.sites import CONF, plan
from zerowait.deploy.cluster.processes import require_slurm
from zerowait.experiment.files.plan_file import Plan, save_plan
from zerowait.model import InputError

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    save_plan(plan(), tmp_path / "plan.toml")
    (tmp_path / "slurm.conf").write_text(CONF)
    return tmp_path


def arguments(desk: Path, *more: object) -> tuple[object, ...]:
    return ("deploy", "slurm", desk / "plan.toml", "--slurm-conf", desk / "slurm.conf",
            "--out", desk / "out", *more)  # fmt: skip


def test_files_are_written(desk: Path) -> None:
    done = ran(*arguments(desk))
    assert "README.md says what changes" in done.stderr
    names = {"README.md", "deployment.toml", "job_submit.lua", "plan.toml", "rekey.sh",
             "site.conf", "slurm.conf.patch", "trial.conf", "trial.sh", "unkey.sh",
             "zerowait.conf"}  # fmt: skip
    assert {path.name for path in (desk / "out").iterdir()} == names
    assert (desk / "slurm.conf").read_text() == CONF


def test_a_partition_that_is_named_twice_is_one(desk: Path) -> None:
    summary = answer(*arguments(desk, "--partition", "batch", "--partition", "batch"))
    assert summary["contradictions"] == []


def test_contradictions_are_listed_and_stop_it_unless_told(desk: Path) -> None:
    (desk / "slurm.conf").write_text(CONF + "PriorityWeightAge=5\nCompleteWait=0\n")
    done = zerowait(*arguments(desk))
    assert done.returncode == 2
    assert done.stderr.count("contradicts the plan: ") == 2
    assert "contradicts the plan in 2 places" in done.stderr
    assert not (desk / "out").exists()
    summary = answer(*arguments(desk, "--despite-contradictions"))
    assert len(summary["contradictions"]) == 2
    assert "PriorityWeightAge=5" in (desk / "out" / "README.md").read_text()


def test_a_plan_that_changes_nothing_writes_nothing(desk: Path) -> None:
    save_plan(Plan(8, "easy", None, "nobody waits"), desk / "plan.toml")
    assert "says to change nothing (nobody waits)" in ran(*arguments(desk)).stderr
    assert not (desk / "out").exists()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("slurm.conf", CONF + "what is this\n", "slurm.conf:5: 'what is this' is not of the form"),
        ("slurm.conf", None, "slurm.conf: cannot be read: No such file"),
        ("plan.toml", 'schema = "zerowait-plan/7"\n', "plan.toml:1: schema = 'zerowait-plan/7'"),
        ("plan.toml", None, "plan.toml: cannot be read: No such file"),
    ],
)
def test_bad_files_are_one_line(desk: Path, name: str, text: str | None, expected: str) -> None:
    (desk / name).unlink()
    if text is not None:
        (desk / name).write_text(text)
    assert expected in refusal(*arguments(desk))
    assert not (desk / "out").exists()


def test_bad_options_are_one_line(desk: Path) -> None:
    assert "no such partition; batch" in refusal(*arguments(desk, "--partition", "nope"))
    assert "must be node or cpu" in refusal(*arguments(desk, "--server", "rack"))
    assert not (desk / "out").exists()
    (desk / "out").mkdir()
    (desk / "out" / "mine").write_text("kept")
    assert "is there already" in refusal(*arguments(desk))
    assert [path.name for path in (desk / "out").iterdir()] == ["mine"]
    assert "there is no folder" in refusal(*arguments(desk), "--out", desk / "a" / "b")


def test_a_folder_that_may_not_be_written(desk: Path) -> None:
    """Root may write everywhere, but not there."""
    assert "cannot be written" in refusal(*arguments(desk), "--out", "/proc/deployment")


def rehearsal(desk: Path, *more: object) -> tuple[object, ...]:
    (desk / "log.csv").write_text("arrival,need,service\n0,1,60\n1,2,60\n")
    return ("deploy", "rehearse", desk / "plan.toml", desk / "log.csv", *more)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (("--speed", "5000"), "speed = 5000.0: must be between 1 and 2000"),
        (("--jobs", "3"), "the log has 0 stretches of 3 jobs; ask for fewer --jobs"),
        (("--from", "tomorrow"), "from = 'tomorrow'"),
        (("--report", "page.txt"), "page.txt: unknown kind of file; name it .html"),
        (("--jobcomp", "/proc/none/run.txt"), "there is no folder /proc/none"),
    ],
)
def test_rehearsals_that_cannot_be(desk: Path, more: tuple[str, ...], expected: str) -> None:
    assert expected in refusal(*rehearsal(desk, *more))
    assert {path.name for path in desk.iterdir()} == {"plan.toml", "slurm.conf", "log.csv"}


def test_rehearsals_of_plans_that_cannot_be(desk: Path) -> None:
    (desk / "plan.toml").write_text('schema = "zerowait-plan/7"\n')
    assert "plan.toml:1: schema = 'zerowait-plan/7'" in refusal(*rehearsal(desk))
    save_plan(Plan(8, "easy", None, "nobody waits"), desk / "plan.toml")
    assert "there is nothing to rehearse" in ran(*rehearsal(desk)).stderr


def test_check_wants_a_folder_of_ours(desk: Path) -> None:
    assert "is not a folder" in refusal("deploy", "check", desk / "none")
    assert "has no deployment.toml" in refusal("deploy", "check", desk)


def test_check_says_what_is_missing_where_there_is_no_slurm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def install(missing: set[str]) -> None:
        found = "zerowait.deploy.cluster.processes.find_program"
        monkeypatch.setattr(found, lambda name: None if name in missing else name)

    install({"slurmd"})
    with pytest.raises(InputError, match=r"slurmd is missing; on Debian: apt-get install slurmct"):
        require_slurm()
    install({"cc", "gcc", "clang"})
    with pytest.raises(InputError, match=r"cc is missing; on Debian: apt-get install gcc"):
        require_slurm()
