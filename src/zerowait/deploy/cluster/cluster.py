"""One real Slurm on this machine: munge, a controller and a daemon per virtual node."""

import getpass
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from zerowait.deploy.cluster.answers import (
    SchedulerPasses,
    SlurmJob,
    parse_passes,
    parse_slurm_jobs,
)
from zerowait.deploy.cluster.processes import (
    Daemon,
    SlurmClock,
    Watchdog,
    free_ports,
    kill_jobs,
    kill_strays,
    program_path,
    require_slurm,
)

TIMEOUT_S = 120.0  # for anything that takes a moment; machines may be busy
PAUSE_S = 0.1
ERROR = re.compile(r"error|fatal")
# What a clock that is put forward makes Slurm say.
OURS = re.compile(r"moved backwards|appear to not be synchronized")


class SlurmError(Exception):
    """Slurm did not do what it was asked; the message ends with what its log says."""


class RefusedError(SlurmError):
    """A command of Slurm was refused, as some must be."""


@dataclass(frozen=True)
class VirtualNode:
    """A node that is a process; `attributes` as in slurm.conf, `CPUs=4` for one."""

    name: str
    attributes: str = "CPUs=1"


@dataclass(frozen=True)
class SlurmSetup:
    """What to start."""

    nodes: Sequence[VirtualNode]
    conf: str  # the lines of slurm.conf about partitions and scheduling
    files: Mapping[str, str] = field(default_factory=dict)  # beside slurm.conf
    up: Collection[str] | None = None  # the nodes that are started; None: all
    speed: float = 1.0  # of the controller's clock
    pace: float = 1.0  # how many times shorter the controller's pauses are

    @property
    def running(self) -> list[str]:
        return [node.name for node in self.nodes if self.up is None or node.name in self.up]


class SlurmCluster:
    """`with Cluster(setup) as cluster:`; whatever happens inside, nothing is left running."""

    def __init__(self, setup: SlurmSetup) -> None:
        require_slurm()
        self.setup = setup
        self.daemons: dict[str, Daemon] = {}

    def __enter__(self) -> Self:
        self._before = _ended_by_term()
        # Users other than ours must reach the socket and the configuration.
        self.folder = Path(tempfile.mkdtemp(prefix="zerowait-slurm-"))
        self.folder.chmod(0o755)
        self.conf = self.folder / "slurm.conf"
        self.watchdog = Watchdog(self.folder)
        try:
            self._lay_out()
            self.clock = SlurmClock(self.folder, self.setup.speed, self.setup.pace)
            self._start()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        try:
            self.stop()
        finally:
            if self._before is not None:
                signal.signal(signal.SIGTERM, self._before)

    @property
    def environment(self) -> dict[str, str]:
        """Return all that commands and daemons see; times are in UTC."""
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": path, "SLURM_CONF": str(self.conf), "TZ": "UTC", "LC_ALL": "C"}

    def _lay_out(self) -> None:
        for name in ("munge", "state", "spool", "log"):
            (self.folder / name).mkdir(mode=0o755)
        for name, text in self.setup.files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        key = self.folder / "munge" / "key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        ports = free_ports(1 + len(self.setup.nodes))
        base = base_conf(self.folder, self.setup.nodes, ports)
        self.conf.write_text(base + self.setup.conf, encoding="utf-8")

    def _start(self) -> None:
        munge = self.folder / "munge"
        options = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log",
                   "seed-file": "seed"}  # fmt: skip
        places = [f"--{option}={munge / name}" for option, name in options.items()]
        self._run("munged", [program_path("munged"), "--foreground", "--num-threads=2", *places])
        self.wait(lambda: (munge / "socket").exists(), "munge to open its socket")
        self._start_controller("-c")
        for name in self.setup.running:
            (self.folder / "spool" / name).mkdir(exist_ok=True)
            self._run(name, [program_path("slurmd"), "-D", "-f", str(self.conf), "-N", name])
        self.wait(self.is_idle, "the nodes to be idle")

    def _start_controller(self, *options: str) -> None:
        command = [program_path("slurmctld"), "-D", "-f", str(self.conf), *options]
        self._run("slurmctld", command, self.clock.environment)
        self.wait(self._answers, "the controller to answer")

    def _run(self, name: str, command: list[str], more: Mapping[str, str] | None = None) -> None:
        environment = self.environment | dict(more or {})
        self.daemons[name] = Daemon(command, environment, self.folder / "log" / f"{name}.out")

    def _answers(self) -> bool:
        return self._command("scontrol", "ping").stdout.strip().endswith("is UP")

    def is_idle(self) -> bool:
        wanted = set(self.setup.running)
        lines = self._command("scontrol", "--oneliner", "show", "nodes").stdout.splitlines()
        return wanted == {
            line.split()[0].removeprefix("NodeName=")
            for line in lines
            if " State=IDLE " in line or " State=IDLE+PLANNED " in line
        }

    def restart_controller(self) -> None:
        """Stop it as an operator would, and start it again with what it saved."""
        self.daemons.pop("slurmctld").stop()
        self._start_controller()

    def restart_with_care(self) -> tuple[float, float]:
        """Restart the controller with all nodes closed to new jobs until each has answered.

        Until then Slurm takes them for down, and a job may start that delays the one with the
        reservation. Return from when to when they were closed, in the controller's time.
        """
        # The controller's time, which scontrol does not know; soon, because the past is refused.
        begin = datetime.fromtimestamp(self.clock.now() + self.setup.speed, UTC)
        self.call(
            "scontrol", "create", "reservation", "ReservationName=restart",
            f"StartTime={begin:%Y-%m-%dT%H:%M:%S}", "Duration=UNLIMITED", "Nodes=ALL",
            f"Users={getpass.getuser()}", "Flags=MAINT,IGNORE_JOBS",
        )  # fmt: skip
        self.wait(lambda: self.clock.now() > begin.timestamp() + 1, "the nodes to be closed")
        self.restart_controller()
        self.wait(self.all_answer, "the nodes to answer")
        self.call("scontrol", "delete", "ReservationName=restart")
        return begin.timestamp(), self.clock.now()

    def all_answer(self) -> bool:
        """Tell whether the controller hears from every node that is up; a star marks the others."""
        lines = self.call("scontrol", "--oneliner", "show", "nodes").splitlines()
        states = {line.split()[0].removeprefix("NodeName="): line for line in lines if line}
        silent = re.compile(r" State=\S*(\*|NOT_RESPONDING|UNKNOWN)")
        return not any(silent.search(states[name]) for name in self.setup.running)

    def stop(self) -> None:
        """End jobs, nodes, controller and munge in this order, and remove the files."""
        # While the nodes' daemons live, so that they collect them.
        kill_jobs(self.conf)
        last = [self.daemons.pop(name, None) for name in ("slurmctld", "munged")]
        for daemon in self.daemons.values():
            daemon.ask_to_end()
        for daemon in (*self.daemons.values(), *filter(None, last)):
            daemon.stop()
        self.daemons = {}
        kill_strays(self.conf)
        if hasattr(self, "clock"):
            self.clock.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.watchdog.dismiss()

    def wait(self, condition: Callable[[], bool], what: str, timeout: float = TIMEOUT_S) -> None:
        """Wait until a condition holds; machines may be too busy for fixed pauses."""
        end = time.monotonic() + timeout
        while not condition():
            dead = [name for name, daemon in self.daemons.items() if not daemon.runs]
            if dead:
                raise SlurmError(f"{dead[0]} has ended: {self.last_words(dead[0])}")
            if time.monotonic() > end:
                raise SlurmError(f"waited {timeout:.0f} s for {what}: {self.last_words()}")
            time.sleep(PAUSE_S)

    def last_words(self, name: str = "slurmctld") -> str:
        """Return the last errors in a daemon's log on one line."""
        for log in (self.folder / "log" / name, self.folder / "log" / f"{name}.out"):
            if log.exists():
                lines = log.read_text(errors="replace").splitlines()
                errors = [line for line in lines if ERROR.search(line) and not OURS.search(line)]
                if errors:
                    return "; ".join(errors[-2:])
        return "its log has no error"

    def call(self, name: str, *arguments: str, user: str | None = None) -> str:
        """Run a command of Slurm, as root or as another user; return what it prints."""
        done = self._command(name, *arguments, user=user)
        if done.returncode != 0:
            reason = " ".join(done.stderr.split()) or " ".join(done.stdout.split())
            raise RefusedError(f"{name} {' '.join(arguments)}: {reason}")
        return done.stdout

    def run_script(self, name: str) -> None:
        """Run one of the setup's files with a shell."""
        done = self._run_to_end(["sh", str(self.folder / name)])
        if done.returncode != 0:
            raise RefusedError(f"{name}: {' '.join(done.stderr.split())}")

    def _command(
        self, name: str, *arguments: str, user: str | None = None
    ) -> "subprocess.CompletedProcess[str]":
        command = [program_path(name), *arguments]
        if user is not None:
            command = [program_path("setpriv"), f"--reuid={user}", "--clear-groups", "--", *command]
        return self._run_to_end(command)

    def _run_to_end(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, env=self.environment, cwd="/", capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
        )  # fmt: skip

    def submit(self, command: str, *options: str, user: str | None = None) -> int:
        """Submit a shell command as a job, with more options of sbatch; return its number."""
        answer = self.call(
            "sbatch", "--parsable", "--output=/dev/null", "--chdir=/", *options,
            f"--wrap={command}", user=user,
        )  # fmt: skip
        return int(answer.strip().partition(";")[0])

    def jobs(self) -> dict[int, SlurmJob]:
        """Return every job since the start, by its number."""
        text = self.call("scontrol", "--oneliner", "show", "jobs")
        return {job.id: job for job in parse_slurm_jobs(text)}

    def passes(self) -> SchedulerPasses:
        return parse_passes(self.call("sdiag"))

    def wait_for_start(self, numbers: Iterable[int]) -> None:
        self._wait_for(list(numbers), lambda job: job.has_started, "start")

    def wait_for_end(self, numbers: Iterable[int]) -> None:
        self._wait_for(list(numbers), lambda job: job.has_ended, "end")

    def _wait_for(
        self, numbers: list[int], condition: Callable[[SlurmJob], bool], what: str
    ) -> None:
        def holds() -> bool:
            jobs = self.jobs()
            return all(condition(jobs[one]) for one in numbers)

        self.wait(holds, f"jobs {numbers} to {what}")


def _ended_by_term() -> signal.Handlers | Callable[..., object] | int | None:
    """Turn SIGTERM into SystemExit, so that `__exit__` runs; return the previous handler."""
    if threading.current_thread() is not threading.main_thread():
        return None

    def end(number: int, _: object) -> NoReturn:
        raise SystemExit(128 + number)

    return signal.signal(signal.SIGTERM, end)


def base_conf(folder: Path, nodes: Sequence[VirtualNode], ports: Sequence[int]) -> str:
    """Return slurm.conf but for partitions and scheduling; the first port is the controller's."""
    user = getpass.getuser()
    host = socket.gethostname().partition(".")[0]
    lines = [
        "ClusterName=zerowait",
        f"SlurmctldHost={host}(127.0.0.1)",
        f"SlurmctldPort={ports[0]}",
        # Without these the daemons listen on every interface of the machine.
        "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny",
        "AuthType=auth/munge",
        f"AuthInfo=socket={folder}/munge/socket",
        f"SlurmUser={user}",
        f"SlurmdUser={user}",
        f"StateSaveLocation={folder}/state",
        f"SlurmdSpoolDir={folder}/spool/%n",
        f"SlurmctldPidFile={folder}/slurmctld.pid",
        f"SlurmdPidFile={folder}/spool/%n.pid",
        f"SlurmctldLogFile={folder}/log/slurmctld",
        f"SlurmdLogFile={folder}/log/%n",
        "MailProg=/bin/true",
        "ProctrackType=proctrack/linuxproc",
        "TaskPlugin=task/none",
        "SwitchType=switch/none",
        "MpiDefault=none",
        "AccountingStorageType=accounting_storage/none",
        "JobAcctGatherType=jobacct_gather/none",
        "JobCompType=jobcomp/filetxt",
        f"JobCompLoc={folder}/jobcomp.txt",
        # Nodes have the CPUs that the configuration says, not those of this machine.
        "SlurmdParameters=config_overrides",
        "ReturnToService=2",
        # A clock that is put forward must not make nodes look dead, nor jobs be forgotten.
        "SlurmdTimeout=0",
        "MinJobAge=400000000",
        "MaxJobCount=50000",
        "MessageTimeout=60",
        # With an epilog nodes come back in 0.03 s; without one, Slurm waits for a second.
        "Epilog=/bin/true",
    ]
    return "\n".join([*lines, *_node_lines(nodes, ports[1:], host)]) + "\n"


def _node_lines(nodes: Sequence[VirtualNode], ports: Sequence[int], host: str) -> Iterator[str]:
    for node, port in zip(nodes, ports, strict=True):
        yield (
            f"NodeName={node.name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
            f"{node.attributes} State=UNKNOWN"
        )
