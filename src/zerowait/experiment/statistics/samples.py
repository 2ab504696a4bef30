"""Every measure, in groups of jobs that are as good as independent.

Such groups are replications, long batches of one run, or weeks of a log. One log is one sample. Its
jobs depend on each other, as do its days, so that whole weeks are the groups that means,
differences and their errors are made from; what neighbouring weeks share counts as it does for the
batches of one run.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.batches import Batches
from zerowait.engine.sums import COUNT
from zerowait.experiment.measures import HALF_WIDTH, MEASURES, N_SUMS, Measure, measure_of
from zerowait.experiment.statistics import intervals
from zerowait.model.quantities import WEEK_S, Floats, Ints, positive, refuse

if TYPE_CHECKING:
    import polars

MEASURED = [one for one in MEASURES.values() if one.only != "replays"]


@dataclass(frozen=True)
class Stretch:
    """Consecutive batches of one run."""

    batches: Batches
    first: int
    end: int

    def parts(self, n: int) -> Iterator["Stretch"]:
        """Cut into `n` parts that are as equal as whole batches allow; fewer if too short."""
        n = min(n, self.end - self.first)
        edges = np.linspace(self.first, self.end, n + 1).round().astype(int)
        for first, end in pairwise(edges):
            yield Stretch(self.batches, int(first), int(end))


@dataclass(frozen=True)
class Estimate:
    """A mean and its residuals in the groups; those of other policies have the same groups."""

    mean: float
    off: Floats  # per group
    df: float
    runs: Ints | None  # per group, where groups are batches
    rounding: float = 0.0  # of quantiles, at most

    def __sub__(self, other: "Estimate") -> "Estimate":
        if math.isnan(self.mean) or math.isnan(other.mean):
            return NOTHING
        return replace(
            self,
            mean=self.mean - other.mean,
            off=self.off - other.off,
            df=min(self.df, other.df),
            rounding=self.rounding + other.rounding,
        )

    def __truediv__(self, other: "Estimate") -> "Estimate":
        """The ratio, linearised about the means (the delta method)."""
        if math.isnan(self.mean) or math.isnan(other.mean) or other.mean == 0:
            return NOTHING
        ratio = self.mean / other.mean
        off = (self.off - ratio * other.off) / other.mean
        rounding = (self.rounding + abs(ratio) * other.rounding) / abs(other.mean)
        df = min(self.df, other.df)
        return replace(self, mean=ratio, off=off, df=df, rounding=rounding)

    def scaled(self, factor: float) -> "Estimate":
        return replace(
            self,
            mean=self.mean * factor,
            off=self.off * factor,
            rounding=self.rounding * abs(factor),
        )

    def interval(self, level: float) -> intervals.Interval:
        width = math.nan
        if not math.isnan(self.mean) and len(self.off) > 1:
            width = float(intervals.half_widths(self.off[:, None], self.df, level, self.runs)[0])
            width += self.rounding
        return intervals.Interval(self.mean, width, level)

    def tested(self, level: float, equal: float = 0.0) -> intervals.Difference:
        """Return the interval with the p-value of the test that the mean is `equal`."""
        found = self.interval(level)
        p_value = replace(self, mean=self.mean - equal).p_value if found.known else math.nan
        return intervals.Difference(found.mean, found.half_width, level, p_value, equal)

    @property
    def p_value(self) -> float:
        """Return the p-value of Student's test that the mean is zero; 1 if nothing differs."""
        from scipy.special import stdtr

        if math.isnan(self.mean) or self.df <= 0:
            return math.nan
        beyond = abs(self.mean) - self.rounding
        if beyond <= 0:
            return 1.0
        half = self.interval(0.5).half_width - self.rounding
        if half == 0:
            return 0.0
        error = half / float(intervals.student(self.df, 0.5))
        return float(2 * stdtr(self.df, -beyond / error))


NOTHING = Estimate(math.nan, np.zeros(0), 0.0, None)  # of a system without a steady state


@dataclass(frozen=True)
class Samples:
    """Numerators and denominators of the means, group x row: a row per class, the last for all."""

    numerators: Mapping[str, Floats]
    denominators: Mapping[str, Floats]
    quantiles: Mapping[str, Floats] = field(default_factory=dict)  # as "wait_p99": group x row
    points: Mapping[str, Floats] = field(default_factory=dict)  # quantiles of all groups: per row
    runs: Ints | None = None  # per group, where groups are batches: the replication
    quantile_runs: Ints | None = None
    fewest: int = 2  # groups; of fewer there is no interval

    @property
    def names(self) -> tuple[str, ...]:
        """Measures, and quantiles."""
        return (*self.numerators, *self.points)

    @property
    def n_groups(self) -> int:
        return len(self.numerators["response"])

    def means(self, measure: str) -> Floats:
        """Return the mean, or quantile, of each row."""
        if measure in self.points:
            return self.points[measure]
        return intervals.ratios(self.numerators[measure], self.denominators[measure])

    def estimate(self, measure: str, row: int) -> Estimate:
        """The mean, or quantile, of a row, and what each group adds to its error."""
        if measure in self.points:
            values = self.quantiles[measure][:, row]
            point = float(self.points[measure][row])
            df = float(intervals.quantile_df(len(values)))
            return Estimate(
                point, values - point, df, self.quantile_runs, intervals.ROUNDING * abs(point)
            )
        if measure not in self.numerators:
            known = ", ".join(self.names)
            raise refuse("measure", measure, f"these groups of jobs have means of {known}")
        numerators, denominators = self.numerators[measure], self.denominators[measure]
        mean = float(intervals.ratios(numerators, denominators)[row])
        off = intervals.residuals(numerators, denominators)[:, row]
        if not np.isfinite(mean):  # a job of no service that waited is slowed down for ever
            return Estimate(mean, np.zeros(len(off)), 0.0, self.runs)
        known_groups = int((denominators[:, row] > 0).sum())
        df = known_groups - 1.0 if known_groups >= self.fewest else 0.0
        return Estimate(mean, off, df, self.runs)

    def half_widths(self, measure: str, level: float) -> Floats:
        """Return the half-width of each row; NaN where there are too few groups."""
        if self.n_groups < self.fewest:
            return np.full(self.denominators["response"].shape[1], math.nan)
        if measure in self.points:
            values, points = self.quantiles[measure], self.points[measure]
            return intervals.section_half_widths(values, points, level, self.quantile_runs)
        numerators, denominators = self.numerators[measure], self.denominators[measure]
        return intervals.ratio_half_widths(numerators, denominators, level, self.runs)


def samples_of(stretches: Sequence[Stretch], servers: int, runs: Ints | None = None) -> Samples:
    """Make one group of each stretch; without quantiles."""
    counts = np.array([one.batches.counts[one.first : one.end].sum(axis=0) for one in stretches])
    moments = np.array(
        [one.batches.moments[one.first : one.end, :, :, 0].sum(axis=0) for one in stretches]
    )
    jobs = counts[:, :, COUNT]
    moments = moments + stretches[0].batches.pivots * jobs[:, :, None]
    time = np.array([one.batches.time[one.end] - one.batches.time[one.first] for one in stretches])

    def numerator(one: Measure) -> Floats:
        if one.area is not None:
            total = _integrals(stretches, one.area)
            return total / servers if one.per_server else total
        if one.moment is not None:
            return _with_all(moments[:, :, one.moment // N_SUMS])
        return _with_all(counts[:, :, one.count])

    numerators = {one.name: numerator(one) for one in MEASURED}
    everybody = _with_all(jobs)
    window = np.broadcast_to(time[:, None], everybody.shape)
    denominators = {one.name: everybody if one.area is None else window for one in MEASURED}
    return Samples(numerators, denominators, runs=runs)


def samples_of_parts(stretches: Sequence[Stretch], n: int, servers: int) -> Samples:
    """Cut each stretch, which is of a run of its own, into `n` groups."""
    parts = [list(one.parts(n)) for one in stretches]
    return samples_of([part for one in parts for part in one], servers, numbered(parts))


def numbered(groups: Sequence[Sized]) -> Ints:
    """For each member of each group the number of the group."""
    return np.repeat(np.arange(len(groups)), [len(one) for one in groups])


def _integrals(stretches: Sequence[Stretch], area: str) -> Floats:
    """Over the time of each stretch."""
    pairs = [(getattr(one.batches, area), one) for one in stretches]
    return _with_all(np.array([known[one.end] - known[one.first] for known, one in pairs]))


def _with_all(rows: Floats) -> Floats:
    """Group x class, with a last column for all classes together."""
    return np.concatenate([rows, rows.sum(axis=1, keepdims=True)], axis=1).astype(np.float64)


Row = dict[str, Any]


def over_seeds(rows: Iterable[Row], same: Callable[[Row], Hashable]) -> list[Row]:
    """Pool rows that are the `same`: means, and intervals over the seeds.

    What the runs themselves say of their noise gives way to how they differ.
    """
    groups: dict[Hashable, list[Row]] = {}
    for row in rows:
        groups.setdefault(same(row), []).append(row)
    return [group[0] if len(group) == 1 else _pooled(group) for group in groups.values()]


def _pooled(rows: list[Row]) -> Row:
    pooled = dict(rows[0])
    for name in rows[0]:
        if name.endswith(HALF_WIDTH) or measure_of(name) is None:
            continue
        pooled[name] = pooled[name + HALF_WIDTH] = None
        values = [row[name] for row in rows]
        if all(value is not None and math.isfinite(value) for value in values):
            found = intervals.student_interval(values, intervals.LEVEL)
            pooled |= {name: found.mean, name + HALF_WIDTH: found.half_width}
    return pooled | {
        "diverging": any(row.get("diverging") for row in rows),
        "replications": sum(row.get("replications", 1) for row in rows),
    }


OF_JOBS = {"response", "wait", "slowdown", "bounded_slowdown", "p_wait"}
FEWEST_WEEKS = 4  # with fewer there is next to nothing to tell an error from

Mask = NDArray[np.bool_]


def week_numbers(arrival: Floats) -> NDArray[np.int64]:
    """Return per job the week of its arrival, counted from that of the first job."""
    return np.asarray((arrival - arrival[0]) // WEEK_S, dtype=np.int64)


def present_weeks(arrival: Floats, length: float = WEEK_S) -> tuple[Ints, int]:
    """Return per job the place of its week among those with a job, and how many there are."""
    number = ((arrival - arrival[0]) // positive("week", length)).astype(np.int64)
    present, place = np.unique(number, return_inverse=True)
    return place, len(present)


def samples_of_weeks(values: Mapping[str, Floats], week: Ints, rows: Iterable[Mask]) -> Samples:
    """Return the sums of each week, in the rows given and a last one for all jobs.

    `values` are the measures of each job, `week` is its week; a row says which jobs it has. Rows
    are taken one at a time: a log may have hundreds of classes, and a mask is as long as the log.
    """
    n_weeks = int(week.max()) + 1
    counts: list[Ints] = []
    sums: dict[str, list[Floats]] = {name: [] for name in values}
    for row in chain(rows, [np.ones(len(week), bool)]):
        own = week[row]
        counts.append(np.bincount(own, minlength=n_weeks))
        for name, one in values.items():
            sums[name].append(np.bincount(own, one[row], n_weeks).astype(np.float64))
    return Samples(
        {name: np.array(found).T for name, found in sums.items()},
        dict.fromkeys(values, np.array(counts, dtype=np.float64).T),
        runs=np.zeros(n_weeks, np.int64),  # neighbours are of one run
        fewest=FEWEST_WEEKS,
    )


def job_measures(jobs: "polars.DataFrame", bound: float) -> dict[str, Floats]:
    """The measures of each single job, in the order of the register."""
    arrival, service, start, end = (
        jobs[name].to_numpy().astype(np.float64) for name in ("arrival", "service", "start", "end")
    )
    measured = OF_JOBS if bound > 0 else OF_JOBS - {"bounded_slowdown"}
    return {
        name: job_measure(name, arrival, service, start, end, bound)
        for name in MEASURES
        if name in measured
    }


def job_measure(
    name: str, arrival: Floats, service: Floats, start: Floats, end: Floats, bound: float
) -> Floats:
    """Compute a measure that times alone tell.

    A job of no service that waited is slowed down for ever.
    """
    assert name in OF_JOBS, name
    response = end - arrival
    if name == "wait":
        return response - service
    if name == "p_wait":
        return (start > arrival).astype(np.float64)
    if name == "bounded_slowdown":
        return np.maximum(1.0, response / np.maximum(service, bound))
    if name == "slowdown":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(service > 0, response / service, np.where(response > 0, np.inf, 1.0))
    return response
