"""Single jobs: their table, and what they tell of users, groups, the longest and recorded waits."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.loop import Chunk
from zerowait.engine.run import Records
from zerowait.engine.seats import SERVED
from zerowait.engine.stream import Kinds, Stream
from zerowait.experiment.measures import QUANTILES
from zerowait.experiment.statistics.samples import Mask, job_measures, week_numbers
from zerowait.model import Jobs
from zerowait.model.quantities import Floats
from zerowait.traces.classes import group

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


@dataclass(frozen=True)
class UserMeasures:
    """Means over the counted jobs of one user."""

    user: str
    jobs: int
    work: float  # share of the work
    response: float
    wait: float
    slowdown: float
    bounded_slowdown: float | None  # where it is measured
    p_wait: float


def user_measures(
    jobs: "polars.DataFrame", user: NDArray[Any], bound: float
) -> tuple[UserMeasures, ...]:
    """Measure each user, the biggest by work first; `user` has one entry per row of `jobs`."""
    names, which, counts = np.unique(user, return_inverse=True, return_counts=True)
    work = np.bincount(which, (jobs["need"] * jobs["service"]).to_numpy())
    total = float(work.sum()) or 1.0
    means = {
        name: np.bincount(which, values) / counts
        for name, values in job_measures(jobs, bound).items()
    }
    unknown: dict[str, Any] = {"bounded_slowdown": None}
    return tuple(
        UserMeasures(
            user=str(names[i]),
            jobs=int(counts[i]),
            work=float(work[i] / total),
            **unknown | {name: float(values[i]) for name, values in means.items()},
        )
        for i in np.argsort(-work, kind="stable")
    )


@dataclass(frozen=True)
class LongestWait:
    """A wait, and whose it was; times in the log's own."""

    wait: float
    job: str  # as the log calls it, or its place in order of arrival
    need: int
    arrival: float
    user: str | None  # where the log says

    def __str__(self) -> str:
        whose = "" if self.user is None else f", user {self.user}"
        return f"job {self.job} (need {self.need}{whose})"


def longest_wait(rows: "polars.DataFrame", counted: slice) -> LongestWait:
    """Return the longest wait of the counted rows, and the first job that waited as long."""
    first = counted.start
    waits = (rows["end"] - rows["arrival"] - rows["service"]).to_numpy()[counted]
    at = first + int(np.argmax(waits))
    row = rows.row(at, named=True)
    user = row.get("user")
    return LongestWait(
        max(float(waits[at - first]), 0.0),
        str(row.get("job", at + 1)),
        int(row["need"]),
        float(row["arrival"]),
        None if user is None else str(user),
    )


WELL, FAIRLY = 0.3, 0.6  # errors; a correlation falls as short of 1 by as much

Grade = Literal["well", "fairly", "poorly", "not known"]


@dataclass(frozen=True)
class Match:
    """How far the waits of a replay are from the recorded ones, week by week; NaN: not known."""

    error: float  # sum over weeks of |replayed - recorded| waiting time, by the recorded
    correlation: float  # of the ranks of weekly mean waits; NaN below three weeks, or if all alike

    @property
    def grade(self) -> Grade:
        """Grade by the worse of both measures.

        Waits as long as the recorded ones, but in other weeks, are long for another reason.
        """
        if math.isnan(self.error):
            return "not known"
        short = 0.0 if math.isnan(self.correlation) else 1 - self.correlation
        worse = max(self.error, short)
        return "well" if worse <= WELL else "fairly" if worse <= FAIRLY else "poorly"


def match(arrival: Floats, wait: Floats, recorded: Floats) -> Match:
    """Single jobs depend on what nobody recorded (nodes that were down, holds, dependencies);
    weeks tell whether queues were as long, and at the same times."""
    known = np.isfinite(recorded)
    if not known.any() or not recorded[known].any():
        return Match(math.nan, math.nan)
    week = week_numbers(arrival)[known]
    replayed, was = (np.bincount(week, one[known]) for one in (wait, recorded))
    error = float(np.abs(replayed - was).sum() / was.sum())
    counts = np.bincount(week)
    some = counts > 0
    means = np.asarray([one[some] / counts[some] for one in (replayed, was)])
    varies = some.sum() > 2 and (np.ptp(means, axis=1) > 0).all()
    return Match(error, _rank_correlation(*means) if varies else math.nan)


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's: the waits of one bad week must not decide it."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values share the middle of their places."""
    ordered = np.sort(values)
    places = [np.searchsorted(ordered, values, side=side) for side in ("left", "right")]
    return np.asarray(np.add(*places) / 2)


Kind = Literal["need", "estimate"]
HOUR_S = 3600.0
# Upper ends, in seconds: what fits into a coffee break, a working day, and what does not.
LENGTHS = (
    (HOUR_S, "short (up to 1 h)"),
    (8 * HOUR_S, "medium (1 to 8 h)"),
    (np.inf, "long (over 8 h)"),
)


@dataclass(frozen=True, eq=False)
class JobGroup:
    """Jobs that have something in common."""

    kind: Kind
    name: str
    jobs: int
    work: float  # share of all work
    mask: Mask  # per counted job


def groups_of(jobs: Jobs) -> tuple[JobGroup, ...]:
    """Group jobs by need, in few bins, and by what they asked for; leave out empty groups."""
    needs = group(jobs, "auto")
    ends = [end for end, _ in LENGTHS]
    length = np.searchsorted(ends, np.asarray(jobs.estimate))
    work = np.asarray(jobs.need) * np.asarray(jobs.service)
    return (
        *_groups("need", needs.index, needs.names, work),
        *_groups("estimate", length, [name for _, name in LENGTHS], work),
    )


def _groups(
    kind: Kind, index: NDArray[np.int64], names: list[str], work: NDArray[np.float64]
) -> Iterator[JobGroup]:
    total = float(work.sum()) or 1.0
    for number, name in enumerate(names):
        mask: Mask = index == number
        if mask.any():
            yield JobGroup(kind, name, int(mask.sum()), float(work[mask].sum()) / total, mask)


@dataclass(frozen=True)
class RecordedWaits:
    """Waits as the log recorded them, of the counted jobs whose start it knows; in seconds."""

    jobs: int
    wait: float
    quantiles: dict[str, float]
    longest: float
    bounded_slowdown: float | None
    matches: tuple[Match, ...]  # one per policy


def recorded_waits_of(
    jobs: Jobs, recorded: Floats, waits: Sequence[Floats], bound: float
) -> RecordedWaits | None:
    """Return what the log recorded of these jobs, beside the `waits` of each policy."""
    known = np.isfinite(recorded)
    if not known.any():
        return None
    arrival = np.asarray(jobs.arrival)
    service, found = np.asarray(jobs.service)[known], recorded[known]
    slowdown = None
    if bound > 0:
        slowdown = float(np.maximum(1.0, (found + service) / np.maximum(service, bound)).mean())
    shares = {key: share for key, share in QUANTILES.items() if key != "p999"}
    return RecordedWaits(
        jobs=int(known.sum()),
        wait=float(found.mean()),
        quantiles={key: float(np.quantile(found, share)) for key, share in shares.items()},
        longest=float(found.max()),
        bounded_slowdown=slowdown,
        matches=tuple(match(arrival, one, recorded) for one in waits),
    )
