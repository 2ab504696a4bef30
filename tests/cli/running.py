"""Run the command line as a user does: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def zerowait(*arguments: object, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "zerowait", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


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
