"""Claims: one process has a point, until it gives it back or is dead."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import zerowait as zw
from tests.unit.experiment.sweeps.test_sweep import SETTINGS
from zerowait.experiment.sweeps import store
from zerowait.experiment.sweeps.store import Claims


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_claim_excludes_others_until_released(tmp_path: Path) -> None:
    one, other = Claims(tmp_path), Claims(tmp_path)
    assert one.take("a")
    assert not other.take("a")
    assert other.take("b")
    one.give_back("a")
    assert other.take("a")
    other.give_all_back()
    assert not list(tmp_path.iterdir())


def test_a_claim_dies_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / ".a.claim"
    path.write_text(f"{os.getppid()}.{socket.gethostname()}")
    assert not Claims(tmp_path).take("a")
    path.write_text(f"{dead_pid()}.{socket.gethostname()}")
    assert Claims(tmp_path).take("a")


def test_a_claim_of_another_machine_dies_when_nobody_touches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(store.time, "monotonic", lambda: clock[0])
    path = tmp_path / ".a.claim"
    path.write_text(f"{dead_pid()}.another.machine")
    ours = Claims(tmp_path)
    for clock[0] in (0.0, 30.0, 59.0):
        assert not ours.take("a")
    os.utime(path, ns=(1, 1))  # alive; that machine's clock may say anything
    for clock[0] in (61.0, 100.0, 120.0):
        assert not ours.take("a")
    clock[0] = 121.0
    assert ours.take("a")
    ours.beat()
    touched = path.stat().st_mtime_ns
    os.utime(path, ns=(1, 1))
    clock[0] = 130.0
    ours.beat()
    assert path.stat().st_mtime_ns == 1  # not yet
    clock[0] = 132.0
    ours.beat()
    assert path.stat().st_mtime_ns >= touched


def test_a_claim_without_a_name_is_soon_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever made it was killed before it could write who it is."""
    clock = [100.0]
    monkeypatch.setattr(store.time, "monotonic", lambda: clock[0])
    (tmp_path / ".a.claim").touch()
    ours = Claims(tmp_path)
    assert not ours.take("a")  # perhaps it is being written
    clock[0] += 1.9
    assert not ours.take("a")
    clock[0] += 0.2
    assert ours.take("a")


def test_points_that_another_has_claimed_are_waited_for(tmp_path: Path) -> None:
    """Here until its process is seen to be gone: then they are run."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (key,) = {one.key for one in zw.Sweep(**SETTINGS).points() if str(one).endswith(WANTED)}
    path = tmp_path / f".{key}.claim"
    path.write_text(f"{process.pid}.{socket.gethostname()}")
    order: list[str] = []

    def on_point(point: object) -> None:
        order.append(str(point))
        if len(order) == 7:
            process.communicate(b"\n")

    outcome = zw.sweep(zw.Sweep(**SETTINGS), tmp_path, on_point=on_point)
    assert (outcome.finished, outcome.by_others) == (8, 0)
    assert order[-1].endswith(WANTED)
    assert len(list(tmp_path.iterdir())) == 8


WANTED = "servers=2048, policy=fcfs, seed=1"
