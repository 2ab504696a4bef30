"""A process that is started here, and does not outlive the one that started it."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from zerowait.deploy.cluster.programs import program

PATIENCE_S = 20.0  # for a process that is asked to end, before it is made to


class Daemon:
    """Runs in the foreground of its own; the kernel ends it should our process be killed."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        guarded = [program("setpriv"), "--pdeathsig", "TERM", "--", *command]
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                guarded,
                env=dict(environment),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def ask_to_end(self) -> None:
        if self.runs:
            self._process.terminate()

    def stop(self) -> None:
        self.ask_to_end()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def kill_jobs(conf: Path) -> None:
    """End the jobs that run on the nodes of this configuration."""
    _kill(f"SLURM_CONF={conf}", "SLURM_JOB_ID=")


def kill_strays(conf: Path) -> None:
    """End whatever is left of this configuration once its daemons have ended."""
    _kill(f"SLURM_CONF={conf}", "")


def _kill(exact: str, beginning: str) -> None:
    """By what stands in the environment of a process, which it has from the daemons alone."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
        except OSError:  # gone, or another user's
            continue
        is_ours = exact.encode() in environment
        if is_ours and any(one.startswith(beginning.encode()) for one in environment):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(process.name), signal.SIGKILL)
