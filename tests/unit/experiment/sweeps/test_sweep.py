"""Sweeps: points by name, a store that resumes, code that makes results stale."""

import errno
import os
import signal
import socket
import stat
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import zerowait as zw
from tests.cli.running import FORKS, script
from zerowait.experiment.simulation.workload_setup import set_up_workload
from zerowait.experiment.sweeps import points
from zerowait.experiment.sweeps.logged_jobs import LoggedJobs
from zerowait.experiment.sweeps.points import LogPoint, SweepPoint
from zerowait.experiment.sweeps.results_version import _sources, results_version
from zerowait.experiment.sweeps.run import make_agenda
from zerowait.experiment.sweeps.store import Store
from zerowait.model.errors import WriteError

pytestmark = pytest.mark.slow

SETTINGS: dict[str, Any] = {
    "workloads": "figure1", "servers": [256, 2048], "policies": ["fcfs", "bs:fcfs"],
    "seeds": [1, 2], "arrivals": 5_000,
}  # fmt: skip
CHANGING = ["seconds", "finished_at"]


def numbers(folder: Path) -> pl.DataFrame:
    return zw.load(folder).drop(CHANGING)


def point(**changes: Any) -> SweepPoint:
    settings = SETTINGS | {"servers": 256, "policies": "fcfs", "seeds": 1} | changes
    (found,) = zw.Sweep(**settings).points()
    return found


def test_points_are_named_by_what_determines_their_numbers() -> None:
    same = [
        point(), point(workloads=zw.workloads.figure1(256)), point(policies="FCFS"),
        point(warmup="mser"), point(name="other"),
    ]  # fmt: skip
    others = [
        point(workloads="figure1,slack=0.6"), point(servers=257), point(policies="first-fit"),
        point(seeds=2), point(loads=0.5), point(arrival_rates=0.5), point(arrivals=5_001),
        point(warmup=0.2), point(replications=7), point(policies="bs"),
        point(policies="bs,slots=11/7/3/1"),
    ]  # fmt: skip
    assert {one.key for one in same} == {point().key}
    assert len({one.key for one in (point(), *others)}) == len(others) + 1


def test_a_point_is_set_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def counted(*given: Any) -> Any:
        seen.append(given)
        return set_up_workload(*given)

    monkeypatch.setattr(points, "set_up_workload", counted)
    told: list[int] = []
    sweep = zw.Sweep(**SETTINGS | {"seeds": 1})
    agenda = make_agenda(sweep, tmp_path)
    zw.sweep(agenda, progress=told.append)
    assert sum(told) == agenda.n_jobs == 4 * 4 * 5_000
    assert len(seen) == 4
    assert zw.sweep(sweep, tmp_path).finished == 0
    assert len(seen) == 4


def test_points_keep_their_names() -> None:
    """Results that are stored must be found again: these are names that an earlier version gave."""
    assert point().key == "ccc7b2dc16d98676ab99"
    assert point(policies="bs", loads=0.7).key == "c2c8f1c9ff23a5aad61c"
    jobs: Any = LoggedJobs("0" * 20, 200)
    replayed = LogPoint("jobs.swf", jobs, 8, "easy", load=0.5, options={"overruns": "as-recorded"})
    assert replayed.key == "dac0324ab91d2c30a6b4"


def test_a_stored_point_is_what_simulate_says(tmp_path: Path) -> None:
    outcome = zw.sweep(zw.Sweep(**SETTINGS, loads=0.7), tmp_path)
    assert (outcome.finished, outcome.failed) == (8, {})
    frame = zw.load(tmp_path)
    assert frame.equals(outcome.table().drop("sweep").select(frame.columns).sort(
        "workload", "servers", "load", "policy", "seed", "point", maintain_order=True
    ))  # fmt: skip
    expected = zw.simulate(
        zw.workloads.figure1(256), 256, "bs:fcfs", load=0.7, seed=2, arrivals=5_000
    )
    table = expected.table()
    chosen = frame.filter(servers=256, seed=2, policy="balanced-splitting:fcfs")
    for name in table.columns:
        assert chosen[name].cast(table[name].dtype).equals(table[name], null_equal=True), name
    assert chosen["version"].unique().to_list() == [zw.__version__]
    assert chosen["load"].unique().to_list() == [expected.parameters["load"]]
    assert chosen["split"].str.json_path_match("$.helpers").unique().to_list() == ["76"]
    # The same jobs under every policy.
    services = frame.filter(servers=256, seed=2, job_class="all").select(
        pl.col("response") - pl.col("wait")
    )
    assert services.to_series().to_list() == pytest.approx([expected.response - expected.wait] * 2)


def test_a_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    first = zw.sweep(zw.Sweep(**SETTINGS), tmp_path)
    stamps = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert (first.finished, len(stamps)) == (8, 8)
    again = zw.sweep(zw.Sweep(**SETTINGS | {"seeds": [1, 2, 3]}), tmp_path)
    assert (again.finished, len(again.agenda.kept)) == (4, 8)
    assert {file: file.stat().st_mtime_ns for file in stamps} == stamps
    assert len(zw.load(tmp_path)) == 12 * 5


def test_the_longest_points_run_first() -> None:
    sweeps = [
        zw.Sweep(
            **SETTINGS | {"arrivals": arrivals, "policies": ["fcfs", "sf"], "seeds": 1},
            replications=1,
        )
        for arrivals in (1_000, 9_000)
    ]
    order = [(one.n_jobs, one.chosen.name, one.servers) for one in make_agenda(sweeps, "x").to_run]
    assert order == [
        (n_jobs, policy, servers)
        for n_jobs in (9_000, 1_000)
        for policy in ("server-filling", "fcfs")
        for servers in (2048, 256)
    ]


def test_a_point_that_fails_is_recorded_and_the_others_go_on(tmp_path: Path) -> None:
    settings = SETTINGS | {"workloads": "sdsc-sp2", "servers": [32, 128], "loads": 0.5}
    outcome = zw.sweep(zw.Sweep(**settings), tmp_path)
    assert (outcome.finished, len(outcome.failed)) == (4, 4)
    failed = zw.load(tmp_path).filter(status="failed")
    assert failed["error"].str.contains("exceeds the 32 servers").all()
    assert set(failed["point"]) == set(outcome.failed)
    assert failed["load"].to_list() == [0.5] * 4
    again = zw.sweep(zw.Sweep(**settings), tmp_path)  # tried again, and replaced
    assert (again.finished, len(again.failed)) == (0, 4)
    assert len(list(tmp_path.iterdir())) == 8


POLICY = '''
"""A policy."""
from zerowait.policies.fcfs import Fcfs
from zerowait.policies import register

@register
class Mine(Fcfs):
    """First-come first-served."""
    name = "mine"

    @staticmethod
    def on_departure(state, jobs, job):
        state.idle[0] += jobs.need[job]  # freed
'''


def test_an_edited_policy_makes_its_points_stale(tmp_path: Path) -> None:
    file, policy, out = tmp_path / "exp.toml", tmp_path / "mine.py", tmp_path / "out"
    file.write_text(
        'policy_files = ["mine.py"]\nworkloads = "figure1"\nservers = 256\narrivals = 2000\n'
        'policies = ["mine", "fcfs"]\n'
    )
    policy.write_text(POLICY)
    assert zw.sweep(file, out).finished == 2
    rows = zw.load(out).filter(job_class="all")
    assert rows["response"].n_unique() == 1  # it is FCFS
    needed = rows["command"].str.ends_with(f"--policy-file {policy}")
    assert needed.to_list() == [name == "mine" for name in rows["policy"]]
    policy.write_text(POLICY.replace("# freed", "# set free").replace("A policy", "Ours"))
    assert zw.sweep(file, out).finished == 0
    policy.write_text(
        POLICY.replace("state.idle[0] += jobs.need[job]", "state.idle[0] += 1 * jobs.need[job]")
    )
    kept = zw.sweep(file, out, keep_stale=True)
    assert (kept.finished, [one.policy for one in kept.agenda.stale]) == (0, ["mine"])
    again = zw.sweep(file, out)
    assert (again.finished, [one.policy for one in again.agenda.stale]) == (1, ["mine"])
    assert len(list(out.iterdir())) == 2


def test_files_of_one_name_are_two(tmp_path: Path) -> None:
    file, out = tmp_path / "exp.toml", tmp_path / "out"
    file.write_text(
        'policy_files = ["a/mine.py", "b/mine.py"]\nworkloads = "figure1"\nservers = 256\n'
        'arrivals = 2000\npolicies = ["mine-a", "mine-b"]\n'
    )
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(POLICY.replace('"mine"', f'"mine-{name}"'))
    assert zw.sweep(file, out).finished == 2
    rows = zw.load(out).filter(job_class="all")
    for name in "ab":
        (command,) = rows.filter(policy=f"mine-{name}")["command"]
        assert command.endswith(f"--policy-file {tmp_path / name / 'mine.py'}")
    edited = POLICY.replace('"mine"', '"mine-a"').replace("+= jobs", "+= 1 * jobs")
    (tmp_path / "a/mine.py").write_text(edited)
    again = zw.sweep(file, out)
    assert [one.policy for one in again.agenda.to_run] == ["mine-a"]
    (tmp_path / "b/mine.py").write_text(edited)
    message = r"exp.toml:1: policy_files\[1\] = 'b/mine.py': a/mine.py registers 'mine-a' as well"
    with pytest.raises(zw.InputError, match=message):
        make_agenda(file, out)


def test_invalid_sweeps_are_refused() -> None:
    for what in (3, [3], ["exp.toml"]):
        with pytest.raises(zw.InputError, match=r"must be a sweep file .TOML., a Sweep, or a list"):
            zw.sweep(what)  # type: ignore[arg-type]


def test_results_depend_on_the_code_they_use_and_no_other() -> None:
    def version(policy: str, law: zw.Law) -> str:
        workload = zw.Workload([zw.JobClass(1, 1.0, law)])
        return results_version(zw.parse_policy(policy), workload)

    class OwnLaw(zw.Exponential):
        """A law that is in no file of the package."""

    one = zw.Exponential(1.0)
    versions = [
        version("fcfs", one), version("first-fit", one), version("bs:fcfs", one),
        version("bs:first-fit", one), version("fcfs", OwnLaw(1.0)),
        version("fcfs", zw.Mixture([0.5, 0.5], [zw.Uniform(0.0, 1.0), OwnLaw(1.0)])),
    ]  # fmt: skip
    assert len(set(versions)) == len(versions) - 1  # the law counts, wherever it stands
    assert versions[4] == versions[5]
    jobs: Any = LoggedJobs("0" * 20, 200)  # what reads logs counts, what stores points does not
    fcfs = zw.parse_policy("fcfs")
    assert results_version(fcfs, jobs) not in versions
    sources = _sources(((LoggedJobs.__module__, b""),))
    assert "def read_log(" in sources
    assert "class Store" not in sources
    assert version("fcfs", zw.Exponential(2.0)) == versions[0]
    assert version("bs:fcfs,slots=1", one) == versions[2]


def test_a_policy_without_a_file_counts_by_what_is_compiled(tmp_path: Path) -> None:
    def made(factor: int) -> type[zw.Policy]:
        space: dict[str, Any] = {"__name__": "notebook"}
        exec(POLICY.replace("@register", "").replace("jobs.need", f"{factor} * jobs.need"), space)
        kind: type[zw.Policy] = space["Mine"]
        return kind

    one, same, other = (zw.Sweep(**SETTINGS | {"policies": made(n)}) for n in (1, 1, 2))
    assert zw.sweep(one, tmp_path).finished == 4
    assert len(make_agenda(same, tmp_path).kept) == 4
    assert len(make_agenda(other, tmp_path).stale) == 4


def test_the_same_bits_on_one_thread_two_threads_and_processes(tmp_path: Path) -> None:
    sweep = zw.Sweep(**SETTINGS)
    zw.sweep(sweep, tmp_path / "one", threads=1)
    with ThreadPoolExecutor(2) as threads:
        zw.sweep(sweep, tmp_path / "two", executor=threads)
    with ProcessPoolExecutor(2, mp_context=FORKS) as processes:
        zw.sweep(sweep, tmp_path / "processes", executor=processes)
    assert numbers(tmp_path / "one").equals(numbers(tmp_path / "two"))
    assert numbers(tmp_path / "one").equals(numbers(tmp_path / "processes"))


KILLED_AT_SYNC = """
import os, signal, sys
import zerowait as zw
real, left = os.fsync, int(sys.argv[2])
def fsync(handle):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    real(handle)
os.fsync = fsync
zw.sweep(zw.Sweep(workloads="figure1", servers=256, policies="fcfs", seeds=[1, 2, 3],
                  arrivals=5000), sys.argv[1], threads=1)
"""


@pytest.mark.parametrize(("sync", "n_kept"), [(1, 0), (2, 1), (3, 1)])
def test_killed_while_writing(sync: int, n_kept: int, tmp_path: Path) -> None:
    """Before a file is moved into place it is nothing, afterwards it is whole."""
    file, out = tmp_path / "killed.py", tmp_path / "out"
    file.write_text(KILLED_AT_SYNC)
    assert script(file, out, sync).returncode == -signal.SIGKILL
    assert len(list(out.glob("*.parquet"))) == n_kept
    assert len(list(out.glob(".*.part"))) == sync % 2
    if n_kept:
        assert len(zw.load(out)) == 5 * n_kept
    settings = SETTINGS | {"servers": 256, "policies": "fcfs", "seeds": [1, 2, 3]}
    assert zw.sweep(zw.Sweep(**settings), out).finished == 3 - n_kept
    assert len(list(out.iterdir())) == 3  # what the killed one left half-written is gone


def test_the_half_written_files_of_others_are_left_alone(tmp_path: Path) -> None:
    alive = tmp_path / f".12345678.{os.getppid()}.{socket.gethostname()}.part"
    elsewhere = tmp_path / ".12345678.1.another.machine.part"
    for part in (alive, elsewhere):
        part.write_bytes(b"PAR1")
    zw.sweep(zw.Sweep(**SETTINGS), tmp_path)
    assert alive.exists()
    assert elsewhere.exists()
    assert len(zw.load(tmp_path)) == 40


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(zw.InputError, match="holds no results"):
        zw.load(tmp_path / "none")


def test_damaged_points_are_named_set_aside_and_run_again(tmp_path: Path) -> None:
    zw.sweep(zw.Sweep(**SETTINGS), tmp_path)
    before = numbers(tmp_path)
    cut, flipped, empty = (one.path for one in Store(tmp_path).points()[2:5])
    cut.write_bytes(cut.read_bytes()[:-100])
    content = bytearray(flipped.read_bytes())
    content[len(content) // 3] ^= 1
    flipped.write_bytes(content)
    empty.write_bytes(b"")
    with pytest.warns(UserWarning, match=f"{cut}, {flipped}, {empty}: damaged and left out"):
        rest = numbers(tmp_path)
    assert rest.equals(before.filter(pl.col("point").is_in(rest["point"].unique().implode())))
    assert rest["point"].n_unique() == 5
    with pytest.warns(UserWarning, match=f"{cut}, {flipped}, {empty}: damaged; set aside"):
        again = zw.sweep(zw.Sweep(**SETTINGS), tmp_path)
    assert (again.finished, len(again.agenda.kept)) == (3, 5)
    assert numbers(tmp_path).equals(before)
    aside = {path.name for path in tmp_path.glob("*.damaged")}
    assert aside == {f"{path.name}.damaged" for path in (cut, flipped, empty)}


def test_every_flipped_bit_is_seen(tmp_path: Path) -> None:
    settings = SETTINGS | {"servers": 256, "policies": "fcfs", "seeds": 1}
    zw.sweep(zw.Sweep(**settings), tmp_path)
    (point,) = Store(tmp_path).points()
    whole = point.path.read_bytes()
    assert point.is_whole
    assert pl.read_parquet(point.path).equals(zw.load(tmp_path))  # by any reader
    for place in range(0, len(whole), 7):
        point.path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert not point.is_whole, place


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "folder"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.ESTALE])
def test_a_disk_that_fails_ends_the_sweep_which_goes_on_later(
    call: str, error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_calls = 0

    def failing(real: Any, step: int) -> Any:
        def call(*arguments: Any) -> Any:
            nonlocal n_calls
            n_calls += 1
            if n_calls == step:
                raise OSError(error, os.strerror(error))
            return real(*arguments)

        return call

    with monkeypatch.context() as patch:
        if call == "write":
            patch.setattr(Path, "write_bytes", failing(Path.write_bytes, 3))
        elif call == "replace":
            patch.setattr(Path, "replace", failing(Path.replace, 3))
        else:  # twice for each point: the file, then its folder
            patch.setattr(os, "fsync", failing(os.fsync, 5 if call == "fsync" else 6))
        with pytest.raises(
            WriteError, match=f"{tmp_path}: cannot be written: {os.strerror(error)}"
        ):
            zw.sweep(zw.Sweep(**SETTINGS), tmp_path, threads=1)
    n_kept = 3 if call == "folder" else 2
    assert len(list(tmp_path.iterdir())) == n_kept  # and nothing half-written
    assert zw.sweep(zw.Sweep(**SETTINGS), tmp_path).finished == 8 - n_kept


def test_a_folder_that_cannot_be_synced_is_no_reason_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    assert zw.sweep(zw.Sweep(**SETTINGS), tmp_path).finished == 8


def test_bad_settings_are_refused_before_anything_runs(tmp_path: Path) -> None:
    for changes in ({"policies": ["fcfs", "nope"]}, {"servers": []}, {"workloads": "nope"}):
        with pytest.raises(zw.InputError):
            zw.sweep(zw.Sweep(**SETTINGS | changes), tmp_path / "out")
    assert not (tmp_path / "out").exists()
