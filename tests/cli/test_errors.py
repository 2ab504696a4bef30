"""Bad input: one line that names the place and the value, exit code 2, no file left behind."""

import os
import time
from pathlib import Path

import pytest

from tests.cli.running import await_work, interrupted, ran, refusal, started, zerowait

pytestmark = pytest.mark.slow

FIGURE1 = ("simulate", "figure1", "-k", "2048")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((*FIGURE1, "--load", "1.2"), "load = 1.2"),
        ((*FIGURE1, "--load", "nan"), "load = nan"),
        ((*FIGURE1, "--load", "-1"), "load = -1.0"),
        ((*FIGURE1, "--load", "0.5", "--arrival-rate", "2"), "load = 0.5, arrival_rate = 2.0"),
        ((*FIGURE1, "--arrivals", "0"), "arrivals = 0"),
        ((*FIGURE1, "--warmup", "1"), "warmup = 1.0"),
        ((*FIGURE1, "--warmup", "long"), "warmup = 'long'"),
        ((*FIGURE1, "--precision", "0.01", "--replications", "1"), "replications = 1"),
        ((*FIGURE1, "--measure", "speed"), "measure = 'speed'"),
        ((*FIGURE1, "--replications", "0"), "replications = 0"),
        ((*FIGURE1, "-p", "nope"), "no policy 'nope'"),
        ((*FIGURE1, "-p", "fcfs:fcfs"), "fcfs takes no auxiliary"),
        ((*FIGURE1, "-p", "bs:mbs"), "modified-balanced-splitting cannot be an auxiliary"),
        ((*FIGURE1, "-p", "bs:fcfs,slots=1/x/3/4"), "slots=1/x/3/4"),
        ((*FIGURE1, "-p", "bs:fcfs,slots=1/2"), "slots = (1, 2)"),
        ((*FIGURE1, "-p", "bs,slots=900/0/0/0"), "slots = (900, 0, 0, 0)"),
        ((*FIGURE1, "-p", "mbs,slots=125/0/0/0"), "leaves jobs of need 64 to 48 helpers"),
        ((*FIGURE1, "-p", "mbs,slots=0/0/0/15,"), "option ''"),
        ((*FIGURE1, "-p", "bs:fcfs,size=3"), "unknown option 'size'"),
        ((*FIGURE1, "--jobs-out", "no-such-folder/jobs.csv"), "no folder no-such-folder"),
        ((*FIGURE1, "--jobs-out", "jobs.xls"), "jobs.xls"),
        ((*FIGURE1, "--policy-file", "none.py"), "none.py"),
        (("simulate", "nofigure", "-k", "4"), "workload 'nofigure'"),
        (("simulate", "figure1,colour=red", "-k", "4"), "option 'colour=red'"),
        (("simulate", "none.toml", "-k", "4"), "none.toml: cannot be read"),
        (("simulate", "sdsc-sp2", "-k", "32", "--load", "0.5"), "need 64"),
        (("simulate", "sdsc-sp2", "-k", "512"), "give a load"),
        ((*FIGURE1, "--threads", "-1"), "threads = -1"),
        ((*FIGURE1, "--threads", "0"), "threads = 0"),
        ((*FIGURE1, "--arrivals", "1" + 20 * "0"), "arrivals = 1" + 20 * "0"),
        ((*FIGURE1, "--replications", "1" + 20 * "0"), "replications = 1" + 20 * "0"),
        (("simulate", "figure1", "-k", "1" + 20 * "0"), "servers = 1" + 20 * "0"),
        (("replay", "none.csv", "-k", "4"), "none.csv: cannot be read"),
        (("replay", "log.txt", "-k", "4"), "log.txt"),
        (("split", "figure1", "-k", "0"), "servers = 0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_arguments(
    arguments: tuple[str, ...], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert named in refusal(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_arguments_of_replays(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("arrival,need,service,job_class\n0,1,1,12345678901234567890\n1,1,1,2\n")
    assert "seed = -1" in refusal("replay", log, "-k", "4", "--seed", "-1")
    assert "servers = 1000000" in refusal("replay", log, "-k", "1" + 20 * "0")
    assert "12345678901234567890" in ran("replay", log, "-k", "4").stdout


def test_a_policy_is_chosen_as_it_is_spelled(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "from zerowait.policies import register\nfrom zerowait.policies.fcfs import Fcfs\n"
        "@register\nclass PolA(Fcfs):\n    'Rule.'\n    name = 'polA'\n"
    )
    short = ("--policy-file", file, "--arrivals", "1000")
    for spelling in ("polA", "bs:polA"):
        ran(*FIGURE1, *short, "-p", spelling)
    assert "polA" in refusal(*FIGURE1, *short, "-p", "polB")


def test_what_is_text_stays_text_on_the_terminal(tmp_path: Path) -> None:
    message = refusal("simulate", tmp_path / "\x1b[31m.toml", "-k", "4")
    assert message.startswith(f"{tmp_path}/\\x1b[31m.toml: cannot be read")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("arrival,need\n0,1\n", "column 'service' is missing"),
        ("", "column 'arrival' is missing"),
        ("arrival,need,service\n", "holds no jobs"),
        ("arrival,need,service\n0,1,1\n1,2\n", "line 3: has 2 fields"),
        ("arrival,need,service\n0,1,1\n1,two,1\n", "line 3: need = 'two'"),
        ("arrival,need,service\n0,1.5,1\n", "line 2: need = '1.5'"),
        ("arrival,need,service\n0,0,1\n", "line 2: need = '0'"),
        ("arrival,need,service\n0,1,-1\n", "line 2: service = '-1'"),
        ("arrival,need,service\n0,1,nan\n", "line 2: service = 'nan'"),
        ("arrival,need,service\n5,1,1\n4,1,1\n", "line 3: arrival = 4"),
        ("arrival,need,service\n5,9,1\n", "1 jobs need more than the 8 servers (up to 9)"),
    ],
)
def test_csv_logs(text: str, named: str, tmp_path: Path) -> None:
    log, out = tmp_path / "log.csv", tmp_path / "out.csv"
    log.write_text(text)
    assert named in refusal("replay", log, "-k", "8", "--jobs-out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("1 2 3", "line 2: has 3 fields"),
        ("1 0 -1 ten 2 -1 -1 2 20 -1 1 1 1 1 1 -1 -1 -1", "line 2: field 4 (run_time) = 'ten'"),
        ("1 0 -1 -1 2 -1 -1 2 20 -1 1 1 1 1 1 -1 -1 -1", "1 dropped (no run time)"),
        ("", "holds no jobs"),
    ],
)
def test_swf_logs(line: str, named: str, tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(f"; MaxProcs: 4\n{line}\n")
    assert named in refusal("replay", tmp_path / "log.swf")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[class]\n", "not TOML"),
        ("", "class: is missing"),
        ("[[class]]\nneed = 1\n", "class[0].share: is missing"),
        ("[[class]]\nned = 1\n", "class[0].ned = 1: there is no such field"),
        ("[[class]]\nneed = 1.5\nshare = 1\nservice = 3\n", "class[0].need = 1.5"),
        (
            '[[class]]\nneed = 1\nshare = 1\nservice = { law = "expo", mean = 1 }\n',
            "class[0].service.law = 'expo'",
        ),
        (
            '[[class]]\nneed = 1\nshare = 0.5\nservice = { law = "exponential", mean = 1 }\n',
            "sum of shares = 0.5",
        ),
        (
            '[[class]]\nneed = 1\nshare = 1\nservice = { law = "exponential", mean = -1 }\n',
            "class[0]: mean = -1",
        ),
    ],
)
def test_workload_files(text: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    message = refusal("simulate", path, "-k", "8", "--load", "0.5")
    assert message.startswith(str(path))
    assert named in message


def test_unstable_loads_run_when_asked_for() -> None:
    done = ran(*FIGURE1, "--load", "1.2", "--allow-unstable", "--arrivals", "10000")
    assert "warning: load = 1.2: the system is not stable" in done.stderr


def test_ctrl_c_ends_at_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    process = started(*FIGURE1, "--arrivals", "2000000000", "--replications", "2")
    await_work(process, 3.0)
    assert interrupted(process) == NOTHING
    assert list(tmp_path.iterdir()) == []


NOTHING = "zerowait: interrupted; nothing was written\n"
# A hook that does not return once it is compiled: Python hears of nothing, as in a long chunk.
ENDLESS = """
from zerowait.policies.fcfs import Fcfs
from zerowait.policies import register

@register
class Endless(Fcfs):
    'Rule.'
    name = "endless"

    def initial_state(self, system):
        open("reached", "w").close()
        return super().initial_state(system)

    @staticmethod
    def on_arrival(state, jobs, job):
        while state.idle[0] > 0 and jobs.order[job] > 1000:
            state.idle[0] += 1
            state.idle[0] -= 1
"""


def test_ctrl_c_leaves_a_kernel_that_does_not_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("endless.py").write_text(ENDLESS)
    for threads in (1, 2):
        command = (*FIGURE1, "-p", "endless", "--policy-file", "endless.py", "--threads", threads)
        process = started(*command, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        reached = tmp_path / "reached"
        while not (reached.exists() and list(tmp_path.rglob("*event_loop*.nbi"))):
            assert process.poll() is None
            time.sleep(0.02)
        reached.unlink()
        await_work(process, 0.5)  # it is compiled, or found, and runs
        assert interrupted(process) == NOTHING


def test_ctrl_c_while_modules_are_imported(tmp_path: Path) -> None:
    """No traceback then either; some modules make something else of it."""
    reached = tmp_path / "reached"
    wait = f"import time, pathlib; pathlib.Path({str(reached)!r}).touch(); time.sleep(60)"
    hidden = f"try:\n    {wait}\nexcept BaseException:\n    raise ImportError('half')\n"
    for module, code in (("typer", wait), ("typer", hidden), ("polars", hidden)):
        (tmp_path / f"{module}.py").write_text(code)
        path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        process = started("results", tmp_path, PYTHONPATH=path)
        while not reached.exists():
            time.sleep(0.02)
        assert "interrupted" in interrupted(process)
        reached.unlink()
        (tmp_path / f"{module}.py").unlink()


def test_a_mistake_in_a_policy_is_told_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS.replace("state.idle[0] += 1", "state.idel[0] += 1"))
    done = zerowait(*FIGURE1, "-p", "endless", "--policy-file", file, cwd=tmp_path)
    assert done.returncode == 2
    what, line, remedy = done.stderr.splitlines()
    assert what.startswith(f"zerowait: error: policy endless: {file}:17: ")
    assert line.strip() == "state.idel[0] += 1"
    assert remedy.startswith("hooks work with numbers")
