"""What a simulation or a replay returns."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from zerowait.experiment.measures import Measures, Summary
from zerowait.model import Split
from zerowait.model.plain import plain

if TYPE_CHECKING:
    import polars

# The measures of a result, in the order of tables.
MEASURES = (
    "response",
    "wait",
    "slowdown",
    "bounded_slowdown",
    "p_wait",
    "utilisation",
    "in_system",
    "preemptions",
    "routed_to_helpers",
    "served_by_helpers",
)


@dataclass(frozen=True)
class ClassResult(Measures):
    """The measures of one class."""

    name: str = ""
    need: int = 0  # the largest of the class


@dataclass(frozen=True)
class Interval:
    """A mean and the half-width of its confidence interval."""

    mean: float
    half_width: float
    level: float

    def __str__(self) -> str:
        return f"{self.mean:.6g} ± {self.half_width:.2g}"


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
    diverging: bool = False  # the queue grew throughout: the means depend on the run's length
    notes: tuple[str, ...] = ()  # what the reader of this result should know
    split: Split | None = None  # of the policies that split the servers
    jobs: "polars.DataFrame | None" = field(default=None, repr=False)

    def __getattr__(self, name: str) -> float:
        if name in MEASURES:
            return mean_of(self.overall, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def interval(self, measure: str = "response", level: float = 0.95) -> Interval:
        """Student's interval for an overall mean from the replications; NaN for a single one."""
        return student_interval([mean_of(one, measure) for one in self.replicates], level)

    def table(self) -> "polars.DataFrame":
        """One row per class, then one for all jobs."""
        import polars

        rows = [_row(one.name, one.need, one) for one in self.classes]
        rows.append(_row("all", None, self.overall))
        return polars.DataFrame(rows, infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single jobs, ready for JSON (what is not a number becomes None)."""
        interval = self.interval() if len(self.replicates) > 1 and not self.diverging else None
        everything: dict[str, Any] = plain(
            {
                "version": self.version,
                "command": self.command,
                "policy": self.policy,
                "servers": self.servers,
                "parameters": dict(self.parameters),
                "diverging": self.diverging,
                "notes": list(self.notes),
                "split": self.split and self.split.as_dict(),
                "overall": asdict(self.overall),
                "response_interval": interval and asdict(interval),
                "classes": [asdict(one) for one in self.classes],
            }
        )
        return everything


def mean_of(measures: Measures, name: str) -> float:
    value = getattr(measures, name)
    if isinstance(value, Summary):
        return value.mean
    return math.nan if value is None else value


def student_interval(values: list[float], level: float) -> Interval:
    """The mean of independent values and the half-width of its interval."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return Interval(mean, math.nan, level)
    from scipy.special import stdtrit

    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return Interval(mean, float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(variance / n), level)


def _row(name: str, need: int | None, measures: Measures) -> dict[str, Any]:
    row: dict[str, Any] = {"job_class": name, "need": need, "count": measures.count}
    for measure in MEASURES:
        value = getattr(measures, measure)
        if isinstance(value, Summary):
            row[measure] = value.mean
            parts = asdict(value)
            row |= {f"{measure}_{key}": parts[key] for key in parts if key != "mean"}
        else:
            row[measure] = value
    return row
