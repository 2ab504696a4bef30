"""One row per job: what a result's `.jobs` and `--jobs-out` hold."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.engine.loop import Chunk
from zerowait.engine.run import Records
from zerowait.engine.seats import SERVED
from zerowait.engine.stream import Kinds, Stream

if TYPE_CHECKING:
    import polars


class RecordingStream:
    """Passes a stream on and remembers its jobs."""

    def __init__(self, stream: Stream) -> None:
        self.kinds: Kinds = stream.kinds
        self.n_jobs: int = stream.n_jobs
        self._stream = stream
        self._parts: list[tuple[Any, ...]] = []

    def fill(self, chunk: Chunk, n: int) -> int:
        n = self._stream.fill(chunk, n)
        self._parts.append(tuple(column[:n].copy() for column in chunk[:4]))
        return n

    @property
    def estimate(self) -> Any:
        return np.concatenate([estimate for _, _, estimate, _ in self._parts])

    def columns(self) -> dict[str, Any]:
        arrival, service, _, kind = map(np.concatenate, zip(*self._parts, strict=True))
        return {
            "arrival": arrival,
            "need": self.kinds.need_of[kind],
            "service": service,
            "job_class": self.kinds.class_of[kind],
        }


def job_rows(columns: dict[str, Any], records: Records) -> "polars.DataFrame":
    import polars

    helpers = (records.helpers & SERVED) != 0
    served = {"start": records.start, "end": records.end, "helpers": helpers}
    return polars.DataFrame(columns | served | {"preemptions": records.preemptions})


def job_table(recorded: Sequence[tuple[RecordingStream, Records]]) -> "polars.DataFrame":
    """The jobs of all replications, in stream order; several are told apart by a first column."""
    import polars

    frames = []
    for number, (stream, known) in enumerate(recorded):
        rows = job_rows(stream.columns(), known)
        if len(recorded) > 1:
            rows = rows.insert_column(0, polars.lit(number).alias("replication"))
        frames.append(rows)
    return polars.concat(frames)
