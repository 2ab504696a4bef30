"""Evaluations: run on any executor, each once, and kept in a file as soon as they are known.

A line of the file is a checksum and a JSON object. Lines are only ever added, in one piece each; a
line that a kill has torn fails its checksum and is run again. So a search that was killed goes
through what it did before without running it, and comes to the same answer.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from hashlib import sha256
from pathlib import Path
from threading import Lock
from zlib import crc32

from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluate import code_version, evaluate
from zerowait.experiment.optimisation.expressions import Values
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.sweeps.awaiting import Awaited
from zerowait.model import EngineError, InputError
from zerowait.model.errors import WriteError

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
        """Per candidate the values in each sample; none for one that cannot run.

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
