"""What a simulation or a replay returns: measures per class and overall, from the sums of runs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from zerowait._version import __version__
from zerowait.engine.batches import MAXIMUM, Tally, merge
from zerowait.engine.policy import System
from zerowait.engine.stream import Kinds
from zerowait.engine.sums import COUNT, quantiles
from zerowait.experiment.measures import (
    ESTIMATED,
    HALF_WIDTH,
    MEASURES,
    N_SUMS,
    QUANTILES,
    Measure,
    needs_steady_state,
    split_column,
)
from zerowait.experiment.results.single_jobs import LongestWait, UserMeasures
from zerowait.experiment.statistics.intervals import LEVEL, Interval, check_level
from zerowait.experiment.statistics.samples import Samples
from zerowait.model import Split
from zerowait.model.display import Drawable, json_ready
from zerowait.model.quantities import Floats, Ints, refuse
from zerowait.policies import Policy

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Summary:
    """A measure over the counted jobs; quantiles are within 1%, the rest is exact.

    `std` is that of the jobs themselves (divided by their number), no error of the mean.
    """

    mean: float
    std: float
    max: float
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    p999: float | None = None


@dataclass(frozen=True)
class Measures:
    """What is measured, per class or overall: the register of measures says what each means."""

    count: int  # of jobs
    response: Summary
    wait: Summary
    slowdown: Summary
    bounded_slowdown: Summary | None  # of replays only
    p_wait: float
    utilisation: float
    in_system: float
    preemptions: float
    lost: float
    routed_to_helpers: float
    served_by_helpers: float

    def value(self, column: str) -> float:
        """A mean, or a quantile as "wait_p99"; NaN where there is none."""
        name, part = split_column(column)
        found = getattr(self, name)
        if isinstance(found, Summary):
            found = getattr(found, part or "mean")
        return math.nan if found is None else float(found)


def measures_of(tally: Tally, servers: int, bounded: bool, row: int | None = None) -> Measures:
    """Return what was measured of one class, or of all jobs."""
    rows = list(range(len(tally.counts))) if row is None else [row]
    counts = tally.counts[rows].sum(axis=0)
    pooled = _pooled(tally, rows)

    def measured(one: Measure) -> Summary | float | None:
        if one.only == "replays" and not bounded:
            return None
        if one.moment is not None:
            mean, variance, largest = pooled[one.moment // N_SUMS]
            if one.mean_alone:
                return mean
            std = math.sqrt(variance) if variance > 0 else variance * 0.0
            return Summary(mean, std, largest, **_quantiles(tally, rows, one, largest))
        if one.count is not None:
            return float(counts[one.count] / counts[COUNT]) if counts[COUNT] else math.nan
        return _time_average(tally, rows, one, servers)

    known: dict[str, Any] = {one.name: measured(one) for one in MEASURES.values()}
    return Measures(count=int(counts[COUNT]), **known)


def _histogram(tally: Tally, measure: Measure) -> Ints:
    histogram: Ints = getattr(tally, f"{measure.name}_histogram")
    return histogram


def _time_average(tally: Tally, rows: list[int], measure: Measure, servers: int) -> float:
    assert measure.area is not None
    if not tally.window > 0:
        return math.nan
    average = float(getattr(tally, measure.area)[rows].sum() / tally.window)
    return average / servers if measure.per_server else average


def _pooled(tally: Tally, rows: list[int]) -> list[list[float]]:
    """Mean, variance and maximum of each measure: the classes' moments, each about its own pivot,
    pooled (Chan, Golub and LeVeque 1983)."""
    counts = tally.counts[rows, COUNT]
    rows = [row for row, count in zip(rows, counts.tolist(), strict=True) if count]
    if not rows:
        return [[math.nan] * 3] * tally.pivots.shape[1]
    counts = tally.counts[rows, COUNT]
    # Measure x class, the classes side by side in memory: there NumPy adds up pairwise.
    total, squares, maximum = np.ascontiguousarray(tally.moments[rows].T)
    pivots = np.ascontiguousarray(tally.pivots[rows].T)
    with np.errstate(invalid="ignore", over="ignore"):  # an infinite slowdown has none
        means = pivots + total / counts
        mean = (means * counts).sum(axis=1) / counts.sum()
        within = squares - total * total / counts
        between = counts * (means - mean[:, None]) ** 2
        variance = (within + between).sum(axis=1) / counts.sum()
    found: list[list[float]] = np.array([mean, variance, maximum.max(axis=1)]).T.tolist()
    return found


def _quantiles(tally: Tally, rows: list[int], measure: Measure, largest: float) -> dict[str, float]:
    if not measure.has_quantiles or math.isnan(largest):
        return {}
    histogram = _histogram(tally, measure)[rows].sum(axis=0, keepdims=True)
    levels = tuple(QUANTILES.values())
    values = quantiles(histogram, tally.origin, levels, np.array([largest]))
    return dict(zip(QUANTILES, values[:, 0].tolist(), strict=True))


def tally_quantiles(tally: Tally) -> dict[str, Floats]:
    """Return quantiles by name, as "wait_p99": of each class, then of all jobs."""
    found: dict[str, Floats] = {}
    for one in MEASURES.values():
        if one.moment is None or not one.has_quantiles:
            continue
        histogram = _histogram(tally, one)
        rows = np.concatenate([histogram, histogram.sum(axis=0, keepdims=True)])
        largest = tally.moments[:, one.moment // N_SUMS, MAXIMUM]
        values = quantiles(
            rows, tally.origin, tuple(QUANTILES.values()), np.append(largest, largest.max())
        )
        found |= {f"{one.name}_{key}": row for key, row in zip(QUANTILES, values, strict=True)}
    return found


def flat(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """Columns of a table: response, response_half_width, response_std, response_p99, ..."""
    row: dict[str, Any] = {}
    for name in MEASURES:
        row |= _columns(name, known[name], widths)
    return row


def nested(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """A measure that has several parts is a table of its own: mean, half_width, std, p99, ..."""
    row: dict[str, Any] = {}
    for name, value in known.items():
        columns = _columns(name, value, widths)
        if isinstance(value, dict):
            row[name] = {key[len(name) + 1 :] or "mean": part for key, part in columns.items()}
        else:
            row |= columns
    return row


def _columns(name: str, value: Any, widths: dict[str, float | None]) -> dict[str, Any]:
    """Return the columns of one measure, each followed by its half-width where it has one."""
    row = {}
    for key, part in (value if isinstance(value, dict) else {"mean": value}).items():
        column = name if key == "mean" else f"{name}_{key}"
        row[column] = part
        if column in widths:
            row[column + HALF_WIDTH] = widths[column]
    return row


ClassKey = int | str | None  # a class by its name or number; None: all jobs


class MeanOf:
    """An attribute of a result that is the mean of the measure of its name, over all jobs."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.measure = name

    @overload
    def __get__(self, result: None, owner: type) -> "MeanOf": ...

    @overload
    def __get__(self, result: "Result", owner: type) -> float: ...

    def __get__(self, result: "Result | None", owner: type) -> "MeanOf | float":
        return self if result is None else result.mean(self.measure)


IN_SHORT = ("response", "wait", "p_wait", "utilisation")  # what a result's own line tells


@dataclass(frozen=True)
class ClassResult(Measures):
    """The measures of one class."""

    name: str = ""
    need: int = 0  # the largest of the class


@dataclass(frozen=True, repr=False)
class Result(Drawable):
    """Measures overall and per class, and everything needed to get them again.

    `result.response`, `result.p_wait`, ... are the overall means; `result.overall.response.p99`
    and `result.classes[0].wait.mean` say more. These two are what the very runs had, also in a
    system without a steady state: `mean`, `interval`, `table` and the attributes have no number
    there, because one of a longer run would be another.
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
    samples: Samples | None = None  # what intervals are made from
    jobs: "polars.DataFrame | None" = None
    # Of logs:
    own_load: float | None = None  # of the jobs on these servers, before any stretching
    excluded: int | None = None  # jobs that need more than there is
    users: tuple[UserMeasures, ...] = ()
    longest: LongestWait | None = None  # where single jobs were recorded

    response = MeanOf()
    wait = MeanOf()
    slowdown = MeanOf()
    bounded_slowdown = MeanOf()
    p_wait = MeanOf()
    utilisation = MeanOf()
    in_system = MeanOf()
    preemptions = MeanOf()
    lost = MeanOf()
    routed_to_helpers = MeanOf()
    served_by_helpers = MeanOf()

    def __repr__(self) -> str:
        told = "diverging"
        if not self.diverging:
            told = ", ".join(f"{MEASURES[name].label} {self.interval(name)}" for name in IN_SHORT)
        return f"<{type(self).__name__} of {self.policy} on {self.servers} servers: {told}>"

    def mean(self, measure: str = "response", job_class: ClassKey = None) -> float:
        """The mean of a measure (or a quantile, as "wait_p99") in these runs.

        For all jobs, or for a class by name or number. NaN where there is none: of what needs a
        steady state in a system that has none, and of what was not measured.
        """
        if measure not in ESTIMATED:
            raise refuse("measure", measure, f"must be one of {', '.join(ESTIMATED)}")
        measures = self.measures(job_class)
        lost = self.diverging and needs_steady_state(measure)
        return math.nan if lost else measures.value(measure)

    def interval(
        self, measure: str = "response", level: float | None = None, job_class: ClassKey = None
    ) -> Interval:
        """The mean, and the half-width of its confidence interval: NaN where there is none, as of
        a single group, a replay, or a system without a steady state."""
        level = self.level if level is None else check_level(level)
        mean, samples = self.mean(measure, job_class), self.samples
        if self.diverging or samples is None or measure not in samples.names:
            return Interval(mean, math.nan, level)
        row = self.row(job_class)
        means, widths = samples.means(measure), samples.half_widths(measure, level)
        return Interval(float(means[row]), float(widths[row]), level)

    def table(self) -> "polars.DataFrame":
        """Return the rows of the result as a table."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per class, then one for all jobs; half-widths where there are any."""
        widths = self._half_widths()
        rows = []
        for at, measures in enumerate((*self.classes, self.overall)):
            name, need = ("all", None)
            if isinstance(measures, ClassResult):
                name, need = measures.name, measures.need
            row = {"job_class": name, "need": need, "count": measures.count}
            rows.append(row | flat(self._known(measures), {k: w[at] for k, w in widths.items()}))
        return rows

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single jobs, ready for JSON (what is not a number becomes None)."""
        interval = self.interval()
        widths = self._half_widths()

        def measures(at: int) -> dict[str, Any]:
            known = self._known(self._measures(at))
            return nested(known, {name: width[at] for name, width in widths.items()})

        everything: dict[str, Any] = json_ready(
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
        if self.excluded is not None:
            everything |= {
                "own_load": self.own_load,
                "excluded": self.excluded,
                "users": json_ready([asdict(one) for one in self.users]) or None,
                "longest": self.longest and json_ready(asdict(self.longest)),
            }
        return everything

    def row(self, job_class: ClassKey) -> int:
        """The place of a class among classes; that of all jobs is after the last."""
        if job_class is None:
            return len(self.classes)
        names = [one.name for one in self.classes]
        if job_class in names:
            return names.index(str(job_class))
        if isinstance(job_class, int) and 0 <= job_class < len(names):
            return job_class
        raise refuse("job_class", job_class, f"must be one of {', '.join(names)}, or its number")

    @property
    def n_groups(self) -> int:
        """How many groups of jobs intervals are made from (replications, batches, weeks)."""
        return 0 if self.samples is None else self.samples.n_groups

    def measures(self, job_class: ClassKey = None) -> Measures:
        """Return the measures of a class, or of all jobs."""
        return self._measures(self.row(job_class))

    def _measures(self, row: int) -> Measures:
        return (*self.classes, self.overall)[row]

    def _known(self, measures: Measures) -> dict[str, Any]:
        """Return measures as a dict; what hangs on a steady state is None where there is none."""
        found = asdict(measures)
        for name in MEASURES if self.diverging else ():
            if needs_steady_state(name):
                value = found[name]
                found[name] = dict.fromkeys(value) if isinstance(value, dict) else None
        return found

    def _half_widths(self) -> dict[str, Sequence[float | None]]:
        """Return half-widths by measure or quantile, for each class and then for all jobs."""
        if self.samples is None:
            return {}
        if self.diverging:
            return {name: [None] * (len(self.classes) + 1) for name in self.samples.names}
        found = {
            name: self.samples.half_widths(name, self.level).tolist() for name in self.samples.names
        }
        return {name: [w if w == w else None for w in rows] for name, rows in found.items()}


Replay = Result  # what results of logs were called when they were of another class


@dataclass(frozen=True)
class Setting:
    """What ran where: all that the runs do not know themselves."""

    policy: Policy
    servers: int
    kinds: Kinds
    names: Sequence[str]  # of the classes
    parameters: dict[str, Any]
    command: str

    @property
    def system(self) -> System:
        return self.kinds.system(self.servers, 1)


def assembled(
    setting: Setting,
    tallies: Sequence[Tally],
    *,
    bounded: bool = False,
    notes: tuple[str, ...] = (),
    **known: Any,
) -> Result:
    """Return the result of runs from their sums, and what else is known of them."""
    total, servers, policy = merge(tallies), setting.servers, setting.policy
    classes = zip(setting.names, setting.kinds.class_needs, strict=True)
    overall = measures_of(total, servers, bounded)
    return Result(
        policy=policy.spec,
        servers=servers,
        overall=overall,
        classes=tuple(
            ClassResult(
                **vars(measures_of(total, servers, bounded, row)), name=name, need=int(need)
            )
            for row, (name, need) in enumerate(classes)
        ),
        replicates=(overall,)
        if len(tallies) == 1
        else tuple(measures_of(one, servers, bounded) for one in tallies),
        parameters=setting.parameters,
        version=__version__,
        command=setting.command,
        split=policy.split_of(setting.system),
        notes=policy.notes_on(setting.system) + notes,
        **known,
    )
