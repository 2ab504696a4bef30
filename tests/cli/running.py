"""Run the command line as a user does: in a process of its own.

There are hundreds of such runs, and most of a second would go into imports each time. So processes
are forked from one that has imported what they need and has run nothing; those that are `started`
begin with nothing, as in a shell.
"""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.cli.imported"])


def zerowait(*arguments: object, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    words = ["zerowait", *map(str, arguments)]
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("out", "error")]
        place = cwd or Path.cwd()
        process = FORKS.Process(target=_command, args=(words, place, dict(os.environ), files))
        process.start()
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(
            words, process.exitcode, *(file.read_text() for file in files)
        )


def _command(words: list[str], place: Path, environment: dict[str, str], files: list[Path]) -> None:
    from zerowait.__main__ import main

    for number, file in enumerate(files, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words
    main()


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


def interrupted(process: "subprocess.Popen[str]") -> str:
    """What a command says after Ctrl-C, which ends it and all that it started in two seconds."""
    os.killpg(process.pid, signal.SIGINT)
    began = time.monotonic()
    out, error = process.communicate(timeout=60)  # until the last has closed its output
    assert time.monotonic() - began < 2
    assert (process.returncode, out) == (130, "")
    return error


def killed(*arguments: object, store: Path, lines: int) -> None:
    """Start a command that keeps evaluations in a store, and kill -9 it after so many of them."""
    running = started(*arguments, "--store", store)
    found = 0
    while found < lines and running.poll() is None:
        time.sleep(0.02)
        found = sum(one.read_bytes().count(b"\n") for one in store.glob("*.jsonl"))
    ended = running.poll()
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    assert ended is None  # it was in the middle
    assert found >= lines
