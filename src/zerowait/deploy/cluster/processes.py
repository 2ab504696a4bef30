"""The programs of a Slurm on this machine: found, started, given a clock, and ended."""

import contextlib
import mmap
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from zerowait.model import InputError

PACKAGES = "slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge"
NEEDED_PROGRAMS = (
    "munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "sdiag", "setpriv",
)  # fmt: skip
COMPILERS = ("cc", "gcc", "clang")
# Daemons are not on the path of every user.
DAEMON_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")


def find_program(name: str) -> str | None:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *DAEMON_FOLDERS])
    return shutil.which(name, path=path)


def program_path(name: str) -> str:
    """Return the path of a program that `require_slurm` has found."""
    found = find_program(name)
    if found is None:
        raise InputError(_advice([name]))
    return found


def slurm_version() -> str:
    """Return the version as the controller prints it: `slurm-wlm 22.05.8`."""
    done = subprocess.run(
        [program_path("slurmctld"), "-V"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "Slurm"


def missing_programs() -> list[str]:
    missing = [name for name in NEEDED_PROGRAMS if find_program(name) is None]
    if not any(map(find_program, COMPILERS)):
        missing.append("cc")
    return missing


def require_slurm() -> None:
    """Refuse, before anything is started, where a real Slurm cannot be started."""
    missing = missing_programs()
    if missing:
        raise InputError(_advice(missing))


def _advice(missing: list[str]) -> str:
    packages = [] if missing == ["cc"] else [PACKAGES]
    if "cc" in missing:
        packages.append("gcc libc6-dev")  # for the clock that the controller is given
    return (
        f"a real Slurm cannot be started here: {', '.join(missing)} is missing; "
        f"on Debian: apt-get install {' '.join(packages)}"
    )


PATIENCE_S = 20.0  # for a process that is asked to end, before it is made to


class Daemon:
    """A process started in the foreground; the kernel ends it should our process be killed."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        guarded = [program_path("setpriv"), "--pdeathsig", "TERM", "--", *command]
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
    """End what is left of this configuration once its daemons have ended."""
    _kill(f"SLURM_CONF={conf}", "")


def _kill(exact: str, beginning: str) -> None:
    """Kill the processes with this in their environment, which they have from the daemons alone."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
        except OSError:  # gone, or another user's
            continue
        is_ours = exact.encode() in environment
        if is_ours and any(one.startswith(beginning.encode()) for one in environment):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(process.name), signal.SIGKILL)


# It reads from a pipe that only our process writes to, and that ends with it. The daemons then end
# by themselves; what runs jobs for them does not.
WATCHDOG_SCRIPT = """\
read -r _
sleep 5
for process in /proc/[0-9]*; do
  tr '\\0' '\\n' < "$process/environ" 2>/dev/null | grep -qxF "SLURM_CONF=$1/slurm.conf" &&
    kill -KILL "${process#/proc/}" 2>/dev/null
done
rm -rf -- "$1"
"""


class Watchdog:
    """A shell that outlives our process by seconds: it ends strays, and removes the folder."""

    def __init__(self, folder: Path) -> None:
        # In a session of its own: what ends our group must not end it.
        self._process = subprocess.Popen(
            [program_path("sh"), "-c", WATCHDOG_SCRIPT, "sh", str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
        )  # fmt: skip

    def dismiss(self) -> None:
        """End the shell, because everything has been cleaned up."""
        self._process.kill()
        self._process.communicate()


FACE = struct.Struct("4d")  # began, speed, offset, pace: as in clock.c


class SlurmClock:
    """The time that the controller sees: faster than real time, with shorter pauses.

    `environment` makes a process see it.
    """

    def __init__(self, folder: Path, speed: float = 1.0, pace: float = 1.0) -> None:
        self.library, self.face = folder / "clock.so", folder / "clock"
        _compile(self.library)
        self.began, self.speed, self.offset, self.pace = time.time(), speed, 0.0, pace
        self.face.write_bytes(self._shown())
        with self.face.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), FACE.size)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "ZEROWAIT_CLOCK": str(self.face)}

    def now(self) -> float:
        return self.began + (time.time() - self.began) * self.speed + self.offset

    def put_forward(self, seconds: float) -> None:
        """Make the controller's time later by so much."""
        self.offset += seconds
        self._map[:] = self._shown()

    def _shown(self) -> bytes:
        return FACE.pack(self.began, self.speed, self.offset, self.pace)

    def close(self) -> None:
        self._map.close()


def _compile(library: Path) -> None:
    compiler = next(filter(None, map(find_program, COMPILERS)), None)
    if compiler is None:
        raise InputError(f"no C compiler ({', '.join(COMPILERS)}): install gcc and libc6-dev")
    with as_file(files("zerowait.deploy.cluster") / "clock.c") as source:
        done = subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200]
        raise InputError(f"{compiler}: cannot compile the controller's clock: {reason}")


# Below the range from which the system takes ports of its own for outgoing connections.
LOWEST_PORT, HIGHEST_PORT = 10_000, 32_000


def free_ports(n: int) -> list[int]:
    """Find ports of the loopback interface that nobody listens on, from a random place on."""
    found: list[int] = []
    port = random.randrange(LOWEST_PORT, HIGHEST_PORT)
    while len(found) < n:
        if _is_free(port):
            found.append(port)
        port = port + 1 if port < HIGHEST_PORT else LOWEST_PORT
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
