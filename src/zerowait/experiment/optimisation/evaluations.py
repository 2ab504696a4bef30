"""Evaluations: a candidate run on a sample, on any executor, each once, and kept in a file.

A line of the file is a checksum and a JSON object. Lines are only ever added, in one piece each; a
line that a kill has torn fails its checksum and is run again. So a search that was killed goes
through what it did before without running it, and comes to the same answer.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from zlib import crc32

import numpy as np

from zerowait.engine.run import RunSettings, run
from zerowait.engine.seats import ROUTED, SERVED
from zerowait.experiment.measures import QUANTILES, split_column
from zerowait.experiment.optimisation.problem import LONGEST, WEEKLY, Values
from zerowait.experiment.optimisation.samples import Drawn, Sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.statistics.samples import job_measure
from zerowait.experiment.sweeps.executors import Awaited
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.model import EngineError, Exponential, InputError, JobClass, Workload
from zerowait.model.errors import WriteError
from zerowait.model.quantities import Floats, Ints
from zerowait.policies import Policy

ON_HELPERS = {"routed_to_helpers": ROUTED, "served_by_helpers": SERVED}
# Whichever: laws are no part of what runs a list of jobs.
ANY_WORKLOAD = Workload([JobClass(1, 1.0, Exponential(1.0))])


@dataclass(frozen=True, eq=False)
class JobTimes:
    """What became of each job of a sample."""

    drawn: Drawn
    bound: float
    start: Floats
    end: Floats
    helpers: Ints
    preemptions: Ints

    @property
    def wait(self) -> Floats:
        return self.measure("wait")

    @property
    def bounded_slowdown(self) -> Floats:
        return self.measure("bounded_slowdown")

    def measure(self, name: str) -> Floats:
        """DESIGN's measures of single jobs."""
        if name in ON_HELPERS:
            return np.asarray((self.helpers & ON_HELPERS[name]) != 0, dtype=np.float64)
        if name == "preemptions":
            return np.asarray(self.preemptions, dtype=np.float64)
        drawn = self.drawn
        return job_measure(name, drawn.arrival, drawn.service, self.start, self.end, self.bound)


def run_jobs(sample: Sample, candidate: Candidate, servers: int) -> JobTimes:
    """Every job of the sample under the candidate."""
    drawn = sample.drawn()
    stream = drawn.stream(candidate.cut)
    policy = _on_present_classes(candidate, drawn)
    outcome = run(stream, policy, servers, RunSettings(records=True))
    records = outcome.records
    assert records is not None
    return JobTimes(
        drawn, sample.bound, records.start, records.end, records.helpers, records.preemptions
    )


def _on_present_classes(candidate: Candidate, drawn: Drawn) -> Policy:
    """A stream of jobs knows only the classes that it has; so must tables per class."""
    policy = candidate.policy
    if drawn.kinds is not None and candidate.cut is None:
        return policy
    index, cut = drawn.classes(candidate.cut), candidate.cut
    present = np.unique(index).tolist()
    if len(present) == (int(index.max()) + 1 if cut is None else cut.n_classes):
        return policy
    return _with_tables(policy, present)


def _with_tables(policy: Policy, present: Sequence[int]) -> Policy:
    changes: dict[str, object] = {}
    for name in ("slots", "allowance"):
        table = getattr(policy, name, None)
        if table is not None and len(table) > len(present):
            changes[name] = tuple(table[at] for at in present)
    if policy.auxiliary is not None:
        changes["auxiliary"] = _with_tables(policy.auxiliary, present)
    return replace(policy, **changes) if changes else policy  # type: ignore[type-var]


def values_of(
    times: JobTimes, n_classes: int, statistics: Iterable[str]
) -> dict[str, tuple[float, ...]]:
    """Compute each statistic for all counted jobs, then for each class; NaN for an empty class."""
    first, index = times.drawn.first, times.drawn.index[times.drawn.first :]
    counts = np.bincount(index, minlength=n_classes)
    found = {}
    for statistic in sorted(statistics):
        measure, reduce = _reduction(statistic)
        values = times.measure(measure)[first:]
        if reduce is None:
            sums = np.bincount(index, values, n_classes)
            with np.errstate(invalid="ignore"):
                every = [values.mean(), *(sums / np.where(counts > 0, counts, np.nan))]
        else:
            week = times.drawn.week
            own = (index == one for one in range(n_classes))
            parts = [(values[mask], week[mask]) for mask in own]
            every = [reduce(values, week), *(reduce(*p) if p[0].size else np.nan for p in parts)]
        found[statistic] = tuple(float(one) for one in every)
    return found


Reduction = Callable[[Floats, Ints], float]  # of values and the weeks of their jobs


def _reduction(statistic: str) -> tuple[str, Reduction | None]:
    """The measure that a statistic is of, and what is made of it; None: the mean."""
    if statistic.startswith(LONGEST):
        return statistic.removeprefix(LONGEST), lambda values, _: float(values.max())
    if statistic.startswith(WEEKLY):
        return statistic.removeprefix(WEEKLY), _weekly_longest
    measure, quantile = split_column(statistic)
    if quantile not in QUANTILES:
        return statistic, None
    share = QUANTILES[quantile]
    return measure, lambda values, _: float(np.quantile(values, share, method="inverted_cdf"))


def _weekly_longest(values: Floats, week: Ints) -> float:
    """The mean over weeks with a job of the longest in each."""
    longest = longest_by_week(values, week, int(week[-1]) + 1)
    return float(longest.sum() / len(np.unique(week)))


def longest_by_week(values: Floats, week: Ints, n: int) -> Floats:
    """Zero in a week without a job."""
    longest = np.zeros(n)
    np.maximum.at(longest, week, values)
    return longest


def evaluate(
    sample: Sample, candidate: Candidate, servers: int, statistics: tuple[str, ...]
) -> dict[str, tuple[float, ...]]:
    """Run one evaluation, in any thread or process."""
    return values_of(run_jobs(sample, candidate, servers), len(sample.names), statistics)


def code_version(policy: Policy) -> str:
    """Changes with the code that a policy runs on."""
    return results_version(policy, ANY_WORKLOAD)


Tick = Callable[[int], None]  # hears of jobs that were run


class Book:
    """Values by key, in memory and perhaps in a file."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._known: dict[str, Values] = {}
        self._lock = Lock()
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            torn = path.exists() and path.stat().st_size > 0 and _last_byte(path) != b"\n"
            with path.open("a", encoding="utf-8") as file:
                if torn:
                    file.write("\n")
            self._known.update(_lines(path))
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: str) -> Values | None:
        return self._known.get(key)

    def add(self, key: str, values: Values) -> None:
        with self._lock:
            self._known[key] = values
            if self.path is not None:
                text = json.dumps({"key": key, "values": values})
                _append(self.path, f"{crc32(text.encode()):08x} {text}\n")


def _append(path: Path, line: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        raise WriteError(
            f"{path}: cannot be written: {error.strerror}; evaluations before are kept, the same "
            "search goes on from there"
        ) from None


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)


def _lines(path: Path) -> Iterator[tuple[str, Values]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        checksum, _, text = line.partition(" ")
        if checksum == f"{crc32(text.encode()):08x}":
            found = json.loads(text)
            yield found["key"], {name: tuple(v) for name, v in found["values"].items()}


class Evaluator:
    """Runs candidates on samples; a candidate that cannot run has no values."""

    def __init__(
        self,
        servers: int,
        statistics: Sequence[str],
        executor: Executor,
        book: Book | None = None,
        tick: Tick | None = None,
    ) -> None:
        self.servers, self.statistics = servers, tuple(sorted(statistics))
        self._executor, self._tick = executor, tick
        self._book = Book() if book is None else book
        self._versions: dict[tuple[str, str], str] = {}

    def __call__(
        self,
        candidates: Sequence[Candidate],
        samples: Sequence[Sample],
        done: Callable[[int], None] | None = None,
    ) -> list[list[Values]]:
        """Return the values of each candidate in each sample; none for one that cannot run.

        `done` hears how many runs are over, again and again.
        """
        missing = {
            self._key(candidate, sample): (candidate, sample)
            for candidate in candidates
            for sample in samples
            if self._book.get(self._key(candidate, sample)) is None
        }
        self._run(missing, done)
        return [
            [values for sample in samples if (values := self._found(candidate, sample))]
            for candidate in candidates
        ]

    def required(self, candidate: Candidate, samples: Sequence[Sample]) -> list[Values]:
        """The same of a candidate that must run, such as the baseline."""
        found = self([candidate], samples)[0]
        if len(found) < len(samples):
            evaluate(samples[0], candidate, self.servers, self.statistics)  # says why
            raise InputError(f"policy {candidate.spelling!r}: cannot run here")
        return found

    def _found(self, candidate: Candidate, sample: Sample) -> Values | None:
        return self._book.get(self._key(candidate, sample))

    def _run(
        self,
        missing: dict[str, tuple[Candidate, Sample]],
        done: Callable[[int], None] | None,
    ) -> None:
        futures: dict[Future[Values], tuple[str, Sample]] = {}
        try:
            for key, (candidate, sample) in missing.items():
                future: Future[Values] = self._executor.submit(
                    _evaluate, sample, candidate, self.servers, self.statistics
                )
                futures[future] = key, sample
            for number, future in enumerate(Awaited(self._executor).each(futures), start=1):
                key, sample = futures[future]
                self._book.add(key, future.result())
                if self._tick is not None:
                    self._tick(sample.n_jobs)
                if done is not None:
                    done(number)
        finally:
            for future in futures:
                future.cancel()

    def _key(self, candidate: Candidate, sample: Sample) -> str:
        parts = (
            candidate.policy.name,
            candidate.policy.auxiliary and candidate.policy.auxiliary.name,
        )
        kind = (str(parts[0]), str(parts[1]))
        if kind not in self._versions:
            self._versions[kind] = code_version(candidate.policy)
        asked = (
            candidate.spelling, sample.key, self.servers, self.statistics, self._versions[kind],
        )  # fmt: skip
        return sha256(repr(asked).encode()).hexdigest()[:20]


def _evaluate(
    sample: Sample, candidate: Candidate, servers: int, statistics: tuple[str, ...]
) -> Values:
    try:
        return evaluate(sample, candidate, servers, statistics)
    except (InputError, EngineError):
        return {}
