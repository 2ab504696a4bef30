"""The fingerprint must change with anything that changes what a kernel does."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

import zerowait as zw
from tests.cli.running import script
from zerowait.engine import loop as service
from zerowait.engine.compile import compile_loop, fingerprint, hooks_of
from zerowait.engine.kernel import portable
from zerowait.policies import parse_policy

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kernels compiled anew")]

LIMIT = 3


def helper(x: int) -> int:
    return x + 1


def variants(source: str, **names: Any) -> FunctionType:
    space = {"np": np, "LIMIT": LIMIT, "helper": helper} | names
    exec(source, space)
    function = space["f"]
    assert isinstance(function, FunctionType)
    return function


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(s): return s.a - s.b", "def f(s): return s.b - s.a"),
        ("def f(s): return s + 1", "def f(s): return s + 1.0"),
        ("def f(s): return s + 1", "def f(s): return s + True"),
        ("def f(s, t=1): return s + t", "def f(s, t=2): return s + t"),
        ("def f(s): return helper(s)", "def f(s): return abs(s)"),
        ("def f(s): return s < LIMIT", "def f(s): return LIMIT < s"),
        ("def f(s): return g(s)\ng = min", "def f(s): return g(s)\ng = max"),
        ("def f(s): return g(s)\ng = np.floor", "def f(s): return g(s)\ng = np.ceil"),
        ("def f(s): return m.floor(s)\nimport math as m", "def f(s): return m.floor(s)\nm = np"),
    ],
)
def test_differences_are_seen(one: str, other: str) -> None:
    assert fingerprint(variants(one)) == fingerprint(variants(one))
    assert fingerprint(variants(one)) != fingerprint(variants(other))


def test_what_a_function_can_reach_counts() -> None:
    source = "def f(s): return helper(s) < LIMIT"
    known = fingerprint(variants(source))
    assert known != fingerprint(variants(source, LIMIT=4))
    assert known != fingerprint(variants(source, helper=lambda x: x + 2))


def test_recursion_ends() -> None:
    assert fingerprint(variants("def f(s): return f(s - 1)"))


def test_an_auxiliary_is_bound_inside_the_hooks() -> None:
    over_fcfs = compile_loop(parse_policy("bs:fcfs"))
    assert over_fcfs is compile_loop(parse_policy("bs:fcfs,slots=1/2"))
    assert over_fcfs is not compile_loop(parse_policy("bs:first-fit"))
    hooks = hooks_of(parse_policy("bs:first-fit"), lambda function: function)
    bound = hooks["next_start"].__globals__["auxiliary_next_start"]
    assert bound.__code__ is parse_policy("first-fit").next_start.__code__


def test_a_kernel_is_made_anew_where_a_name_means_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a notebook, where a cell with a policy's helper is run again."""
    policies = [parse_policy(name) for name in ("fcfs", "bs:fcfs")]
    before = [compile_loop(policy, jit=False) for policy in policies]
    assert [compile_loop(policy, jit=False) for policy in policies] == before
    with monkeypatch.context() as patch:
        patch.setattr(service, "count_busy", lambda *_: None)
        for policy, known in zip(policies, before, strict=True):
            assert compile_loop(policy, jit=False) is not known
            assert compile_loop(policy) is not compile_loop(policy, jit=False)
    for policy, known in zip(policies, before, strict=True):
        assert fingerprint(compile_loop(policy, jit=False)) == fingerprint(known)


class State(NamedTuple):
    idle: Any
    inner: Any


def test_portable_states_can_be_rebuilt_anywhere() -> None:
    state = portable(State(np.array([1]), State(np.array([2]), np.array([3]))))
    again = pickle.loads(pickle.dumps(state))
    assert again.inner.idle[0] == 2
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).inner.inner[0])"
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"3"


POLICY = """
from zerowait.kit import called, register
from zerowait.policies.fcfs import Fcfs

@called
def give_back(idle, need):
    idle[0] += need

@register
class Mine(Fcfs):
    '''First-come first-served, for fun.'''
    name = "mine"

    @staticmethod
    def on_departure(state, jobs, job):
        give_back(state.idle, jobs.need[job])
"""


REPLAY = """
import sys
import zerowait as zw
from zerowait.engine import compile as c
from zerowait.policies.base import load_policy_file

load_policy_file(sys.argv[1])
zw.replay(zw.Jobs([0.0], [1], [1.0]), 1, "mine")
kernel = next(iter(c._compiled.values()))
print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
"""


def test_a_users_file_is_compiled_once_for_all_processes(tmp_path: Path) -> None:
    """The second process finds the kernel on disk, from another folder and under another name."""
    (tmp_path / "replay.py").write_text(REPLAY)
    counts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / f"{name}_policy.py"
        path.write_text(POLICY)
        done = script(tmp_path / "replay.py", path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
        counts.append(done.stdout.split())
    assert counts == [["0", "1"], ["1", "0"]]


KERNEL = """
import warnings
import numpy as np
from zerowait.engine import compile as c

def double(values):
    for i in range(len(values)):
        values[i] *= 2.0

values = np.array([1.0, 2.5])
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for function in (double, lambda values: double(values)):
        c.compile_function(function)(values)
kernel = next(iter(c._compiled.values()))
print(values.tolist(), sum(kernel.stats.cache_hits.values()))
print(*(one.message for one in told), sep="\\n")
"""


def doubled(folder: Path, largest: int = 1 << 30, **environment: str) -> tuple[str, list[str]]:
    """What a process says that runs two kernels, and of what it warns."""
    (folder / "kernel.py").write_text(KERNEL)
    done = script(folder / "kernel.py", largest_file=largest, **environment)
    assert done.returncode == 0, done.stderr
    answer, *warned = done.stdout.splitlines()
    return answer, [line for line in warned if line]


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(content: bytes) -> bytes:
    return b""


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two kernels in its cache."""
    folder = tmp_path_factory.mktemp("kernels")
    cache = str(folder / "sound")
    assert doubled(folder, NUMBA_CACHE_DIR=cache) == ("[4.0, 10.0] 0", [])
    assert doubled(folder, NUMBA_CACHE_DIR=cache) == ("[4.0, 10.0] 1", [])
    return folder


@pytest.mark.parametrize("files", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("damage", [truncated, emptied, flipped])
def test_a_damaged_kernel_is_compiled_again(files: str, damage: Any, sound: Path) -> None:
    cache = shutil.copytree(sound / "sound", sound / f"{damage.__name__} {files[2:]}")
    kept = list(cache.rglob(files))
    assert len(kept) == 2
    for file in kept:
        file.write_bytes(damage(file.read_bytes()))
    assert doubled(sound, NUMBA_CACHE_DIR=str(cache)) == ("[4.0, 10.0] 0", [])
    assert doubled(sound, NUMBA_CACHE_DIR=str(cache)) == ("[4.0, 10.0] 1", [])


def test_without_a_place_for_kernels_they_are_compiled_in_memory(tmp_path: Path) -> None:
    """A read-only home, as in a container; then a disk with no room for more than an index."""
    no_folder = tmp_path / "file"
    no_folder.touch()
    (tmp_path / "__pycache__").touch()  # in the way of a folder beside the source
    answer, warned = doubled(tmp_path, NUMBA_CACHE_DIR=str(no_folder), HOME=str(no_folder))
    assert answer == "[4.0, 10.0] 0"
    assert warned == [
        "compiled kernels are not kept (no folder for them can be written), so that each run "
        "compiles them anew; NUMBA_CACHE_DIR names another folder"
    ]
    for _ in range(2):
        answer, warned = doubled(tmp_path, 1000, NUMBA_CACHE_DIR=str(tmp_path / "full"))
        assert answer == "[4.0, 10.0] 0"
        assert len(warned) == 1
        assert "compiled kernels are not kept" in warned[0]
        assert "File too large" in warned[0]
    assert not list((tmp_path / "full").rglob("*.tmp.*"))


def test_policies_of_one_body_share_their_kernel() -> None:
    """Compiling takes seconds: three names of one rule must not take them three times."""
    kernels = {name: compile_loop(parse_policy(name)) for name in ("easy", "saf", "backfill")}
    assert len(set(map(id, kernels.values()))) == 1
    assert compile_loop(parse_policy("bs:easy")) is compile_loop(parse_policy("bs:saf"))
    assert compile_loop(parse_policy("bs:easy")) is not kernels["easy"]
    assert compile_loop(parse_policy("fcfs")) is not compile_loop(parse_policy("first-fit"))


def test_where_numba_is_switched_off_the_numbers_are_the_same() -> None:
    code = "import zerowait as zw; print(zw.simulate('figure1', 256, 'bs:fcfs', arrivals=200).wait)"
    off = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=off, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{zw.simulate('figure1', 256, 'bs:fcfs', arrivals=200).wait}\n"
