"""Run the command line as a user does: in a process of its own.

There are hundreds of such runs, and most of a second would go into imports each time. So processes
are forked from one that has imported what they need and has run nothing; those that are `started`
begin with nothing, as in a shell.
"""

import contextlib
import json
import multiprocessing
import os
import resource
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import numba

from tests.conditions import GIVE_UP_S

ROOT = Path(__file__).parents[2]
IMPORTED = "tests.cli.imported"
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([IMPORTED])


@dataclass(frozen=True)
class Begun:
    """A process that was forked, and what it says."""

    words: list[str]
    process: ForkServerProcess
    pipes: tuple[Connection, Connection]

    @property
    def runs(self) -> bool:
        return self.process.is_alive()

    def kill(self) -> None:
        self.process.kill()

    def ended(self) -> "subprocess.CompletedProcess[str]":
        with ThreadPoolExecutor(2) as readers:  # both at once: a full pipe holds its writer up
            told = list(readers.map(_all_of, self.pipes))
        self.process.join()
        assert self.process.exitcode is not None
        return subprocess.CompletedProcess(self.words, self.process.exitcode, *told)


def zerowait(
    *arguments: object, cwd: Path | None = None, largest_file: int = resource.RLIM_INFINITY
) -> "subprocess.CompletedProcess[str]":
    """With `largest_file`, a disk that is full: no file can grow beyond so many bytes."""
    return begun(*arguments, cwd=cwd, largest_file=largest_file).ended()


def begun(
    *arguments: object, cwd: Path | None = None, largest_file: int = resource.RLIM_INFINITY
) -> Begun:
    """The same, left to run."""
    words = ["zerowait", *map(str, arguments)]
    return _forked(_command, words, cwd or Path.cwd(), dict(os.environ), largest_file)


def script(
    file: Path, *arguments: object, largest_file: int = resource.RLIM_INFINITY, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """A Python file, run in the same way."""
    words = [str(file), *map(str, arguments)]
    return _forked(_script, words, file.parent, os.environ | environment, largest_file).ended()


def _forked(
    run: Callable[[], None],
    words: list[str],
    place: Path,
    environment: dict[str, str],
    largest_file: int,
) -> Begun:
    (out, to_out), (error, to_error) = FORKS.Pipe(duplex=False), FORKS.Pipe(duplex=False)
    process = FORKS.Process(
        target=_run, args=(run, words, place, environment, (to_out, to_error), largest_file)
    )
    start_server()
    process.start()
    to_out.close()
    to_error.close()
    return Begun(words, process, (out, error))


def start_server() -> None:
    """The process that others are forked from, unless it runs."""
    with contextlib.chdir(ROOT):  # where it finds what it imports
        forkserver.ensure_running()


def _all_of(pipe: Connection) -> str:
    with pipe, open(pipe.fileno(), closefd=False) as text:
        return text.read()


def _run(
    run: Callable[[], None],
    words: list[str],
    place: Path,
    environment: dict[str, str],
    pipes: tuple[Connection, Connection],
    largest_file: int,
) -> None:
    assert IMPORTED in sys.modules
    for number, pipe in enumerate(pipes, start=1):
        os.dup2(pipe.fileno(), number)
        pipe.close()
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    numba.core.config.reload_config()  # it has read the environment before
    sys.argv = words
    run()


def _command() -> None:
    from zerowait.__main__ import main

    main()


def _script() -> None:
    runpy.run_path(sys.argv[0], run_name="__main__")


def ran(*arguments: object, code: int = 0) -> "subprocess.CompletedProcess[str]":
    """The same, with the exit code that is expected."""
    done = zerowait(*arguments)
    assert done.returncode == code, done.stderr
    return done


def answer(*arguments: object) -> Any:
    """What a command prints with --json."""
    done = zerowait(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments: object) -> str:
    """The one line with which bad input is refused, and exit code 2."""
    done = zerowait(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("zerowait: error:")]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0].removeprefix("zerowait: error: ")


def started(*arguments: object, **environment: str) -> "subprocess.Popen[str]":
    """A command that is left to run, with all that it starts in one group, as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "zerowait", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | environment,
    )  # fmt: skip


def await_work(process: "subprocess.Popen[str]", core_s: float) -> None:
    """Wait until a command has had so many more seconds of a core: imports and compilers are behind
    it then, whatever else the machine does.
    """
    until = _core_seconds(process) + core_s
    while _core_seconds(process) < until:
        assert process.poll() is None
        time.sleep(0.02)


def _core_seconds(process: "subprocess.Popen[str]") -> float:
    """Return what a command and all in its group have had of the cores, as Linux counts it."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            _, _, group, *others = file.read_text().rpartition(")")[2].split()
            if int(group) == process.pid:
                ticks += sum(map(int, others[8:12]))  # user and system, and of children that ended
    return ticks / os.sysconf("SC_CLK_TCK")


def _core_seconds_of_ended() -> float:
    """Return what all that has been started and has ended has had of the cores."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def interrupted(process: "subprocess.Popen[str]") -> str:
    """Return what a command says after Ctrl-C, which ends it and all that it started at once: with
    two more seconds of a core at most, whatever else the machine does.
    """
    before = _core_seconds(process) + _core_seconds_of_ended()
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=GIVE_UP_S)  # until the last has closed its output
    assert _core_seconds_of_ended() - before < 2
    assert (process.returncode, out) == (130, "")
    return error


def killed(*arguments: object, store: Path, lines: int) -> None:
    """Start a command that keeps evaluations in a store, and kill -9 it after so many of them."""
    running = begun(*arguments, "--store", store)
    found = 0
    while found < lines and running.runs:
        time.sleep(0.02)
        found = sum(one.read_bytes().count(b"\n") for one in store.glob("*.jsonl"))
    running.kill()
    assert running.ended().returncode == -signal.SIGKILL  # it was in the middle
    assert found >= lines
