"""A run made ready: everything but the policy is decided before anything runs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerowait.engine.batches import Tally
from zerowait.engine.run import CHUNK_SIZE, Outcome, Records, RunSettings
from zerowait.engine.stream import Kinds, Stream
from zerowait.experiment.options import Progress
from zerowait.experiment.results.result import Result
from zerowait.experiment.results.single_jobs import JobGroup, RecordedWaits
from zerowait.experiment.statistics.paired import Paired
from zerowait.experiment.statistics.samples import Stretch
from zerowait.model.quantities import Floats
from zerowait.policies import Policy


@dataclass(frozen=True)
class Replication:
    """One run, cut where its warm-up ends."""

    stretch: Stretch  # the batches that count, without their histograms
    tally: Tally  # of these batches; its histograms begin with the next block
    block_quantiles: Mapping[str, Floats]  # as "wait_p99": block x row; of single runs alone
    segments: Floats  # mean number in the system, in equal parts of the run
    dropped: int  # arrivals of the warm-up
    unsettled: bool  # MSER would have dropped more than half
    records: Records | None
    stream: Stream


@dataclass(frozen=True)
class Execution:
    """How replications are carried out; their numbers do not depend on it."""

    jobs: bool = False  # keep the single jobs
    jit: bool = True
    threads: int | None = None  # None: one per core
    progress: Progress | None = None
    chunk_size: int = CHUNK_SIZE  # arrivals between two calls of `progress`


class Setup(ABC):
    """Jobs on servers: those of a workload, drawn as often as one likes, or those of a log, once.

    Whoever runs, compares or draws asks a setup, and does not ask what its jobs are.
    """

    servers: int
    replications: int  # to begin with, where a precision is asked for
    in_seconds: bool  # are its times seconds of a calendar?
    keeps_jobs = False  # does a comparison need the single jobs?

    if TYPE_CHECKING:  # at run time a property would pass for the default of a field

        @property
        @abstractmethod
        def names(self) -> Sequence[str]:
            """Names of the classes."""

        @property
        @abstractmethod
        def measure(self) -> str:
            """The measure that policies are compared by."""

        @property
        @abstractmethod
        def level(self) -> float:
            """The level of intervals."""

    @property
    @abstractmethod
    def n_jobs(self) -> int:
        """Jobs that will come, in all replications to begin with."""

    @property
    def expected_jobs(self) -> int | None:
        """Jobs that will come in all, for a bar of progress; None where a precision decides."""
        return self.n_jobs

    @property
    @abstractmethod
    def offered_load(self) -> float | None:
        """Work that comes per server; None where all jobs come at once."""

    @property
    @abstractmethod
    def kinds(self) -> Kinds:
        """Classes and needs, as the engine knows them."""

    @abstractmethod
    def engine_options(self, how: Execution) -> RunSettings:
        """Return how the engine runs a stream."""

    @abstractmethod
    def stream(self, number: int, how: Execution) -> Stream:
        """Return the jobs of a replication; they do not depend on the policy."""

    @abstractmethod
    def replication(self, outcome: Outcome, stream: Stream) -> Replication:
        """Cut a run where its warm-up ends."""

    @abstractmethod
    def result(self, policy: Policy, runs: Sequence[Replication]) -> Result:
        """Put the replications of a policy together."""

    @abstractmethod
    def paired(self, runs: Sequence[Sequence[Replication]], results: Sequence[Result]) -> Paired:
        """Return each policy's measures in groups of jobs that all policies share."""

    @property
    @abstractmethod
    def mean_services(self) -> tuple[float, ...]:
        """Mean service time of each class, then of all jobs."""

    def with_replications(self, replications: int) -> "Setup":
        """Return the same with another number of replications, where there may be several."""
        return self

    def shortened(self, arrivals: int) -> "Setup | None":
        """Return one short replication for a first look; None where there is only the whole."""
        return None

    def wanted(self, result: Result) -> int:
        """Return the number of replications after the next round; unchanged if enough."""
        return len(result.replicates)

    def finished(self, result: Result) -> Result:
        """Add what is to be said of a result that gets no further replications."""
        return result

    def grouped(self, results: Sequence[Result]) -> tuple[tuple[JobGroup, ...], Paired | None]:
        """Return groups that single jobs fall into, and the measures in each (a row per group)."""
        return (), None

    def recorded(self, results: Sequence[Result]) -> RecordedWaits | None:
        """Return the waits that a log recorded, beside those of each policy."""
        return None
