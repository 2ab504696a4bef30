"""What a simulation or a replay returns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from zerowait.experiment.results.summaries import MEASURES, Measures, Summary
from zerowait.experiment.statistics.intervals import LEVEL, Interval, check_level, student_interval
from zerowait.experiment.statistics.samples import Samples
from zerowait.model import Split
from zerowait.model.plain import plain
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars

__all__ = ["MEASURES", "ClassResult", "Interval", "Result", "mean_of", "student_interval"]

# Means that a system without a steady state has none of, and quantiles alike.
STEADY = ("response", "wait", "slowdown", "bounded_slowdown", "in_system")


@dataclass(frozen=True)
class ClassResult(Measures):
    """The measures of one class."""

    name: str = ""
    need: int = 0  # the largest of the class


@dataclass(frozen=True)
class Result:
    """Measures overall and per class, and everything needed to get them again.

    `result.response`, `result.p_wait`, ... are the overall means; `result.overall.response.p99`
    and `result.classes[0].wait.mean` say more.
    """

    policy: str
    servers: int
    overall: Measures
    classes: tuple[ClassResult, ...]
    replicates: tuple[Measures, ...]  # the overall measures of each replication
    parameters: Mapping[str, Any]  # as given: load, seed, arrivals, ...
    version: str
    command: str  # makes this result again
    diverging: bool = False  # the queue grew throughout: averages depend on the run's length
    notes: tuple[str, ...] = ()  # what the reader of this result should know
    split: Split | None = None  # of the policies that split the servers
    level: float = LEVEL  # of the intervals, unless another is asked for
    dropped: tuple[int, ...] = ()  # arrivals of the warm-up, per replication
    batches: int | None = None  # that each replication is cut into; None: it is one group
    samples: Samples | None = field(default=None, repr=False)  # what intervals are made from
    jobs: "polars.DataFrame | None" = field(default=None, repr=False)

    def __getattr__(self, name: str) -> float:
        if name in MEASURES:
            return mean_of(self.overall, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def interval(
        self,
        measure: str = "response",
        level: float | None = None,
        job_class: int | str | None = None,
    ) -> Interval:
        """The mean of a measure (or a quantile, as "wait_p99") and its half-width.

        For all jobs, or for a class by name or number. NaN where there is none: the half-width of
        a single group or a replay, both of a system without a steady state.
        """
        level = self.level if level is None else check_level(level)
        row = self.row(job_class)
        if self.diverging:
            return Interval(math.nan, math.nan, level)
        if self.samples is None:
            return Interval(_value(self._measures(row), measure), math.nan, level)
        if measure not in self.samples.numerators and measure not in self.samples.points:
            known = ", ".join([*self.samples.numerators, *self.samples.points])
            raise refuse("measure", measure, f"must be one of {known}")
        mean, width = self.samples.means(measure), self.samples.half_widths(measure, level)
        return Interval(float(mean[row]), float(width[row]), level)

    def table(self) -> "polars.DataFrame":
        """One row per class, then one for all jobs; half-widths where there are intervals."""
        import polars

        widths = self._half_widths()
        rows = []
        for at, measures in enumerate((*self.classes, self.overall)):
            name, need = ("all", None)
            if isinstance(measures, ClassResult):
                name, need = measures.name, measures.need
            row = {"job_class": name, "need": need, "count": measures.count}
            rows.append(row | _flat(self._known(measures), {k: w[at] for k, w in widths.items()}))
        return polars.DataFrame(rows, infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single jobs, ready for JSON (what is not a number becomes None)."""
        interval = self.interval()
        widths = self._half_widths()

        def measures(at: int) -> dict[str, Any]:
            known = self._known(self._measures(at))
            return _nested(known, {name: width[at] for name, width in widths.items()})

        everything: dict[str, Any] = plain(
            {
                "version": self.version,
                "command": self.command,
                "policy": self.policy,
                "servers": self.servers,
                "parameters": dict(self.parameters),
                "replications": len(self.replicates),
                "batches": self.batches,
                "dropped": list(self.dropped),
                "level": self.level,
                "diverging": self.diverging,
                "notes": list(self.notes),
                "split": self.split and self.split.as_dict(),
                "overall": measures(len(self.classes)),
                "response_interval": asdict(interval) if interval.known else None,
                "classes": [measures(at) for at in range(len(self.classes))],
            }
        )
        return everything

    def row(self, job_class: int | str | None) -> int:
        """The place of a class among classes; that of all jobs is after the last."""
        if job_class is None:
            return len(self.classes)
        names = [one.name for one in self.classes]
        if job_class in names:
            return names.index(str(job_class))
        if isinstance(job_class, int) and 0 <= job_class < len(names):
            return job_class
        raise refuse("job_class", job_class, f"must be one of {', '.join(names)}, or its number")

    def measures(self, job_class: int | str | None = None) -> Measures:
        """Of a class, or of all jobs."""
        return self._measures(self.row(job_class))

    def _measures(self, row: int) -> Measures:
        return (*self.classes, self.overall)[row]

    def _known(self, measures: Measures) -> dict[str, Any]:
        """As a dict of dicts; what hangs on a steady state is None where there is none."""
        found = asdict(measures)
        if not self.diverging:
            return found
        for name in STEADY:
            value = found[name]
            found[name] = dict.fromkeys(value) if isinstance(value, dict) else None
        return found

    def _half_widths(self) -> dict[str, Sequence[float | None]]:
        """By measure or quantile, per class and then for all; none for replays."""
        if self.samples is None:
            return {}
        names = [
            name
            for name in (*self.samples.numerators, *self.samples.points)
            if name != "bounded_slowdown" or self.overall.bounded_slowdown is not None
        ]
        if self.diverging:
            return {name: [None] * (len(self.classes) + 1) for name in names}
        widths = {name: self.samples.half_widths(name, self.level).tolist() for name in names}
        return {name: [w if w == w else None for w in rows] for name, rows in widths.items()}


def mean_of(measures: Measures, name: str) -> float:
    value = getattr(measures, name)
    if isinstance(value, Summary):
        return value.mean
    return math.nan if value is None else value


def _value(measures: Measures, measure: str) -> float:
    """A mean, or a quantile."""
    if measure in MEASURES:
        return mean_of(measures, measure)
    name, _, quantile = measure.rpartition("_")
    value = getattr(getattr(measures, name, None), quantile, None)
    if value is None:
        raise refuse("measure", measure, f"must be one of {', '.join(MEASURES)}, or as 'wait_p99'")
    return float(value)


def _nested(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """Half-widths beside the numbers that they belong to."""
    row: dict[str, Any] = {}
    for name, value in known.items():
        if isinstance(value, dict):
            row[name] = {}
            for key, part in value.items():
                row[name][key] = part
                full = name if key == "mean" else f"{name}_{key}"
                if full in widths:
                    row[name]["half_width" if key == "mean" else f"{key}_half_width"] = widths[full]
        else:
            row[name] = value
            if name in widths:
                row[f"{name}_half_width"] = widths[name]
    return row


def _flat(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """The same as columns of a table: response, response_half_width, response_p99, ..."""
    row: dict[str, Any] = {}
    for measure in MEASURES:
        value = known[measure]
        parts = value if isinstance(value, dict) else {"mean": value}
        for key, part in parts.items():
            name = measure if key == "mean" else f"{measure}_{key}"
            row[name] = part
            if name in widths:
                row[f"{name}_half_width"] = widths[name]
    return row
