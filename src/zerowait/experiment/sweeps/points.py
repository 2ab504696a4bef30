"""The points of a sweep: what they are called, how they run, and the rows they leave.

The cost of an event was measured in single runs of Figures 1 to 3 on one machine, at high load,
where policies are slowest. It decides which points of a sweep come first, and what people are told
of the time that is left.
"""

import contextlib
import dataclasses
import json
import shlex
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zerowait._version import __version__
from zerowait.engine.run import run
from zerowait.engine.stream import JobStream, WorkloadStream
from zerowait.experiment.checks import OptionSet, entries_of
from zerowait.experiment.options import (
    Progress,
    ReplayOptions,
    RunOptions,
    SimulationOptions,
    SweptLogOptions,
)
from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.log_setup import set_up_log
from zerowait.experiment.simulation.setup import Execution, Setup
from zerowait.experiment.simulation.simulate import run_setup
from zerowait.experiment.simulation.workload_setup import set_up_workload, warn_if_unstable
from zerowait.experiment.sweeps.logged_jobs import parted, read_logged
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.experiment.sweeps.store import DONE, FAILED
from zerowait.model import InputError, Jobs
from zerowait.model.display import json_ready
from zerowait.policies import POLICIES, Policy, parse_policy
from zerowait.policies.base import load_policy_file, module_name

if TYPE_CHECKING:
    import polars

EACH_S = 0.03  # per point, whatever its length


@dataclass(frozen=True)
class PolicySource:
    """A policy file and its content: the same name elsewhere, or edited, is another one."""

    path: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "PolicySource":
        """Read the file; none of its code runs."""
        try:
            return cls(str(path), path.read_bytes().decode())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None

    @property
    def module(self) -> str:
        """Return the name of the module that the file becomes."""
        return module_name(self.path, self.text.encode())

    def load(self, file: Path | None = None) -> list[str]:
        """Run the file, or a copy where it may not exist, and register its policies."""
        if self not in _loaded:
            names = load_policy_file(file or self._copy(), self.path)
            _loaded[self] = {name: POLICIES[name] for name in names}
        # Another file may have taken the names meanwhile.
        POLICIES.update(_loaded[self])
        return list(_loaded[self])

    def _copy(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="zerowait-policies-")
        _copies.append(folder)
        copy = Path(folder.name) / Path(self.path).name
        copy.write_bytes(self.text.encode())
        return copy


# What has run in this process; folders of copies are removed at its end.
_loaded: dict[PolicySource, dict[str, type[Policy]]] = {}
_copies: list["tempfile.TemporaryDirectory[str]"] = []


class AbandonedError(Exception):
    """Raised inside a point that nobody waits for any more."""


@dataclass(frozen=True)
class SweepPoint:
    """One simulation of a sweep: everything that determines its numbers."""

    label: str  # what the workload is called in results
    workload: Any  # a Workload; LoggedJobs of a replay
    servers: int
    policy: str | Policy
    seed: int = 1
    load: float | None = None
    arrival_rate: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)  # of `simulate`, those not default
    sources: tuple[PolicySource, ...] = ()  # files of policies of the user's own
    spelling: str | None = None  # of the workload on the command line, where it has one

    options_taken: ClassVar[type[OptionSet]] = RunOptions
    verb: ClassVar[str] = "simulate"  # on the command line

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is cached: another process must find out by itself."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}

    @cached_property
    def chosen(self) -> Policy:
        return parse_policy(self.policy)

    @cached_property
    def key(self) -> str:
        """Return the point's name: a hash of all that determines its numbers, code apart."""
        text = json.dumps(self.asked | {"workload": described(self.workload)}, sort_keys=True)
        return sha256(text.encode()).hexdigest()[:20]

    @cached_property
    def results_version(self) -> str:
        return results_version(self.chosen, self.workload)

    @property
    def asked(self) -> dict[str, Any]:
        """Return what was asked for, without what was left open."""
        values = {
            "servers": self.servers, "load": self.load, "arrival_rate": self.arrival_rate,
            "policy": self.chosen.spec, "seed": self.seed, **self.options,
        }  # fmt: skip
        return {name: value for name, value in values.items() if value is not None}

    def set_up(self) -> Setup:
        """Make the jobs ready; refuse what cannot run."""
        return self._setup

    @cached_property
    def _setup(self) -> Setup:
        options = SimulationOptions(
            load=self.load, arrival_rate=self.arrival_rate, seed=self.seed, **self.options
        )
        return set_up_workload(self.workload, self.servers, options)

    @property
    def n_jobs(self) -> int:
        """Return the arrivals of all replications; none for a point that will be refused."""
        try:
            return self._setup.n_jobs
        except InputError:
            return 0

    @property
    def seconds(self) -> float:
        """Estimate how long the point takes on one core."""
        return EACH_S + self.chosen.seconds_per_million * self.n_jobs / 1e6

    @property
    def command(self) -> str | None:
        """Return the command that runs this point; None for a workload without a name."""
        if self.spelling is None:
            return None
        words = ["zerowait", self.verb, self.spelling]
        flags = {one.name: one.flags[0] for one in entries_of(self.options_taken)}
        for name, value in self.asked.items():
            on, _, off = flags.get(name, f"--{name.replace('_', '-')}").partition("/")
            words += {True: [on], False: [off]}.get(value, [on, str(value)])
        homes = {type(one).__module__ for one in (self.chosen, self.chosen.auxiliary)}
        for source in self.sources:
            if source.module in homes:
                words += ["--policy-file", source.path]
        return shlex.join(words)

    def result(self, tick: Progress | None) -> Result:
        """Run the point."""
        setup = self.set_up()
        warn_if_unstable(setup)
        return run_setup(setup, self.chosen, Execution(threads=1, progress=tick))

    def run_one_job(self) -> None:
        """Run one job, so that the kernel is compiled."""
        workload = self.workload.with_load(self.servers, 0.5)
        stream = WorkloadStream(workload, 1, np.random.SeedSequence(0))
        run(stream, self.chosen, self.servers)

    def __str__(self) -> str:
        values = self.asked | {"workload": self.label}
        names = ("workload", "servers", "load", "arrival_rate", "policy", "seed")
        return ", ".join(f"{name}={values[name]}" for name in names if name in values)


def run_point(point: SweepPoint, version: str, tick: Progress | None = None) -> "polars.DataFrame":
    """Simulate a point; whatever goes wrong is written into its row."""
    began = time.perf_counter()
    for source in point.sources:
        source.load()
    try:
        if point.results_version != version:
            raise RuntimeError(
                "this worker runs another zerowait, NumPy or policy file than the sweep's own; "
                "install the same everywhere"
            )
        result = point.result(tick)
    except AbandonedError:
        raise
    except Exception as error:
        return failed_row(point, version, error, time.perf_counter() - began)
    return _rows(point, version, result, time.perf_counter() - began)


def compile_point(point: SweepPoint) -> None:
    """Compile the policy's kernel before many workers ask for it."""
    for source in point.sources:
        source.load()
    # Whatever is wrong with the point is reported when it runs.
    with contextlib.suppress(Exception):
        point.run_one_job()


def failed_row(
    point: SweepPoint, version: str, error: BaseException, seconds: float
) -> "polars.DataFrame":
    import polars

    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
    row = {"point": point.key, "status": FAILED, "error": f"{kind}{error}", "job_class": "all"}
    return polars.DataFrame(
        [row | _settings(point, {}) | _provenance(point, version, seconds, point.command)]
    )


def _rows(point: SweepPoint, version: str, result: Result, seconds: float) -> "polars.DataFrame":
    import polars

    table = result.table()
    before = {"point": point.key, "status": DONE} | _settings(point, result.parameters)
    after = {
        "diverging": result.diverging,
        "notes": "\n".join(result.notes),
        "response_replicates": _replicates(result),
        "split": json.dumps(json_ready(result.split.as_dict())) if result.split else None,
    } | _provenance(point, version, seconds, point.command or result.command)
    # A setting of the same name as a column of the table is the same thing.
    columns = {name: polars.lit(value) for name, value in before.items()}
    own = [name for name in table.columns if name not in before]
    rest = {name: polars.lit(value) for name, value in after.items() if name not in own}
    return table.with_columns(**columns, **rest).select(*columns, *own, *rest)


def _replicates(result: Result) -> str | None:
    """List the mean responses of the replications, which verdicts are paired by."""
    if result.diverging or len(result.replicates) < 2:
        return None
    return json.dumps([one.response.mean for one in result.replicates])


def _settings(point: SweepPoint, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked for, and what came of it: the load of a rate, the default arrivals."""
    known = {"workload": point.label, "servers": point.servers, "load": None,
             "arrival_rate": None, "policy": point.chosen.spec, "seed": point.seed}  # fmt: skip
    values = known | point.asked | dict(parameters)
    return {name: _scalar(value) for name, value in values.items()}


def _provenance(
    point: SweepPoint, version: str, seconds: float, command: str | None
) -> dict[str, Any]:
    return {
        "workload_spec": json.dumps(described(point.workload)),
        "version": __version__,
        "results_version": version,
        "command": command,
        "seconds": seconds,
        "finished_at": datetime.now(UTC),
    }


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return json.dumps(json_ready(value))


def described(value: Any) -> Any:
    """Return a workload with every bit of its numbers, ready for JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            one.name: described(getattr(value, one.name)) for one in dataclasses.fields(value)
        }
        return {"type": type(value).__name__} | fields
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    return value


@dataclass(frozen=True)
class LogPoint(SweepPoint):
    """One replay: `workload` are LoggedJobs, `spelling` is the path of the file."""

    options_taken: ClassVar[type[OptionSet]] = SweptLogOptions
    verb: ClassVar[str] = "replay"

    def set_up(self) -> Setup:
        """Read the log and make its jobs ready; nothing is kept, for logs are large."""
        assert self.spelling is not None
        of_file, of_replay = parted(self.options)
        log = read_logged(self.spelling, self.workload.digest, of_file)
        options = ReplayOptions(load=self.load, seed=self.seed, **of_replay)
        return set_up_log(log, self.servers, options)

    @property
    def n_jobs(self) -> int:
        return int(self.workload.n_jobs)

    def run_one_job(self) -> None:
        run(JobStream(Jobs(np.zeros(1), np.ones(1, np.int64), np.ones(1))), self.chosen, 1)
