"""From the jobs of a log to a workload: classes, a fitted law for each, an arrival process."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerowait.model import (
    ArrivalProcess,
    Empirical,
    InputError,
    JobClass,
    Jobs,
    Law,
    Mixture,
    Poisson,
    Renewal,
    Rhythm,
    Workload,
)
from zerowait.model.display import json_ready
from zerowait.model.quantities import HOUR_S, WEEK_S, Floats, Ints, refuse
from zerowait.traces.classes import Classes, group
from zerowait.traces.clock import Clock
from zerowait.traces.fitting.families import resample_times, scale_to_mean, thin_values
from zerowait.traces.fitting.goodness import (
    FAMILIES,
    Goodness,
    TimeSample,
    compare_families,
    keeps_std,
    relative_error,
)
from zerowait.traces.reading import Trace, log_of

HOURS = 168  # of a week


def poisson_arrivals(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """Make Poisson arrivals: nothing of the log but its rate."""
    return Poisson(rate)


def resampled_arrivals(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """Draw the log's own gaps, independently of each other and of the hour."""
    return Renewal(Empirical(thin_values(np.diff(arrival))), rate)


def rhythm_arrivals(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """Take the log's rates by the hour of the week, and its gaps on a clock that follows these."""
    # From Monday's midnight before the first arrival on; the clock change is not followed.
    minutes = (arrival[0] + (clock.origin or 0.0)) % HOUR_S
    time = arrival - arrival[0] + clock.hours_of_week(arrival[:1])[0] * HOUR_S + minutes
    hour = (time // HOUR_S).astype(np.int64)
    if hour[-1] - hour[0] < HOURS:
        raise refuse("arrivals", "rhythm", "the log covers less than a week; take another process")
    seen = np.bincount(np.arange(hour[0], hour[-1] + 1) % HOURS, minlength=HOURS)
    profile = np.bincount(hour % HOURS, minlength=HOURS) / seen
    gaps = np.diff(Rhythm(Empirical([1.0]), profile).on_clock(time))
    # In units of what comes in the mean: 1 is a usual gap, whatever the hour.
    return Rhythm(Empirical(thin_values(gaps * rate * WEEK_S)), profile, rate=rate)


ARRIVALS: dict[str, Callable[[Floats, float, Clock], ArrivalProcess]] = {
    "poisson": poisson_arrivals,
    "resampled": resampled_arrivals,
    "rhythm": rhythm_arrivals,
}


def arrival_process(jobs: Jobs, name: str, clock: Clock) -> ArrivalProcess:
    """Make an arrival process at a rate that brings the log's load.

    That is all its jobs in the time from the first to the last.
    """
    if name not in ARRIVALS:
        raise refuse("arrivals", name, f"must be one of {', '.join(ARRIVALS)}")
    arrival = np.asarray(jobs.arrival)
    span = float(arrival[-1] - arrival[0])
    if span <= 0:
        raise InputError("arrivals: all jobs arrive at one instant; their rate is not defined")
    return ARRIVALS[name](arrival, len(arrival) / span, clock)


# Percentiles tell the users of a class well enough, and every class of a file repeats them.
MOST_RATIOS = 100
DIGITS = 4


def overestimates(jobs: Jobs, estimated: NDArray[np.bool_] | None) -> Floats | None:
    """Return per job estimate / service, NaN where there is none.

    None where all estimates are exact. Jobs that outran their estimates have them raised, as a
    replay does.
    """
    service, estimate = np.asarray(jobs.service), np.asarray(jobs.estimate)
    known = (service > 0) & (True if estimated is None else estimated)
    ratio = np.full(len(service), np.nan)
    np.divide(np.maximum(estimate, service), service, out=ratio, where=known)
    return ratio if (ratio > 1).any() else None


def overestimate_law(ratios: Floats, spare: Floats) -> Law | None:
    """Draw the ratios of a need's own jobs again, or of its whole class where these are few."""
    own, others = ratios[np.isfinite(ratios)], spare[np.isfinite(spare)]
    taken = own if len(own) >= MOST_RATIOS else others
    if not (taken > 1).any():
        return None
    return Empirical([float(f"{ratio:.{DIGITS}g}") for ratio in thin_values(taken, MOST_RATIOS)])


POOR_KS = 0.1  # from here on a fit is called poor
ROUNDING = 1e-9


@dataclass(frozen=True)
class Asked:
    """What the fit of a class is to be chosen by."""

    laws: Sequence[str]
    by: str
    criterion: str
    needs: str  # real or rounded
    ratios: Floats | None  # per job of the log: estimate / service, where it is modelled


@dataclass(frozen=True)
class ClassFit:
    """A class, its jobs in numbers, and the table its law was taken from.

    The `parts` are what the workload has of it: its real needs, each with the law scaled to the
    mean of its own jobs, or one rounded need.
    """

    name: str
    need: int
    lowest: int
    highest: int
    jobs: int
    share: float
    mean: float
    std: float
    table: tuple[Goodness, ...]  # best first
    parts: tuple[JobClass, ...]

    @property
    def chosen(self) -> Goodness:
        return self.table[0]

    @property
    def law(self) -> Law:
        """Return the law of the whole class, before it is scaled to the means of its needs."""
        assert self.chosen.law is not None
        return self.chosen.law

    @property
    def is_poor(self) -> bool:
        return self.chosen.ks > POOR_KS

    @property
    def std_error(self) -> float:
        """Return the error of the spread of all parts together, relative to the jobs'."""
        weights = np.array([part.share for part in self.parts])
        mixed = Mixture((weights / weights.sum()).tolist(), [part.service for part in self.parts])
        # Means of parts that are all alike differ by rounding, and so have a spread.
        return relative_error(mixed.std if mixed.std > ROUNDING * self.mean else 0.0, self.std)

    @property
    def misses_std(self) -> bool:
        return not keeps_std(self.std_error)

    def as_dict(self) -> dict[str, Any]:
        names = ("name", "need", "lowest", "highest", "jobs", "share", "mean", "std", "std_error")
        numbers: dict[str, Any] = json_ready({name: getattr(self, name) for name in names})
        return numbers | {
            "needs": [part.need for part in self.parts],
            "law": self.chosen.family,
            "table": [row.as_dict() for row in self.table],
        }


class Members(NamedTuple):
    """The jobs of a class."""

    need: Ints  # as the workload will have it
    times: Floats
    ratios: Floats | None


def fit_class(jobs: Jobs, grouped: Classes, number: int, asked: Asked) -> ClassFit:
    """Fit the laws to one class, and make its part of the workload."""
    here = grouped.index == number
    need = np.asarray(jobs.need)[here]
    times = np.asarray(jobs.service)[here]
    if asked.needs == "rounded":
        need = np.full(len(need), grouped.needs[number])
    members = Members(need, times, None if asked.ratios is None else asked.ratios[here])
    own = TimeSample.of(times)
    name = grouped.names[number]
    table = _table(name, _of_one_need(need, times, own), asked)
    return ClassFit(
        name=name,
        need=int(grouped.needs[number]),
        lowest=int(grouped.lowest[number]),
        highest=int(grouped.highest[number]),
        jobs=len(times),
        share=len(times) / len(jobs),
        mean=own.mean,
        std=own.std,
        table=table,
        parts=tuple(_parts(name, members, table[0], len(jobs))),
    )


def _of_one_need(need: Ints, times: Floats, own: TimeSample) -> TimeSample:
    """Scale times as if all needs of the class had its mean.

    What the needs differ by comes back when the law is scaled to each, and must not count twice.
    """
    distinct, which, counts = np.unique(need, return_inverse=True, return_counts=True)
    if len(distinct) == 1 or own.mean == 0:
        return own
    means = (np.bincount(which, times) / counts)[which]
    level = np.divide(times, means, out=np.ones_like(times), where=means > 0) * own.mean
    unit = own.resolution
    return TimeSample.of(np.round(level / unit) * unit, unit)


def _table(name: str, sample: TimeSample, asked: Asked) -> tuple[Goodness, ...]:
    table = compare_families(sample, asked.laws, asked.by, asked.criterion)
    if table[0].law is not None:
        return table
    # One job, or all alike: no family but the constant has a member for it.
    spare = compare_families(sample, ("deterministic", "empirical"), asked.by, "ks")
    if sample.std > 0 or spare[0].law is None:
        reasons = "; ".join(f"{row.family}: {row.reason}" for row in table)
        raise InputError(f"{name}: no law of those asked for fits ({reasons}); ask for others")
    return (spare[0], *table)


def _parts(name: str, members: Members, chosen: Goodness, n_jobs: int) -> Iterator[JobClass]:
    distinct = np.unique(members.need)
    for one in distinct:
        own = members.need == one
        label = name if len(distinct) == 1 else f"need {one}"
        law, ratios = _service_law(members.times[own], chosen), members.ratios
        over = None if ratios is None else overestimate_law(ratios[own], ratios)
        yield JobClass(int(one), own.sum() / n_jobs, law, label, over)


def _service_law(times: Floats, chosen: Goodness) -> Law:
    """Draw a need's own times again, or scale the law of its class to the mean of these."""
    if chosen.family == "empirical":
        return resample_times(TimeSample.of(times))
    assert chosen.law is not None
    return scale_to_mean(chosen.law, float(times.mean()))


NEEDS = ("real", "rounded")
ESTIMATE_MODES = ("user", "exact")


@dataclass(frozen=True, repr=False)
class WorkloadFit:
    """The workload of a log, and how it came about."""

    workload: Workload
    classes: tuple[ClassFit, ...]
    grouping: str
    needs: str  # real or rounded
    waste: float  # work added by rounded needs, as a share of the log's; real ones add none
    method: str
    criterion: str
    estimates: str  # user, or exact where the log has none

    def __repr__(self) -> str:
        laws = ", ".join(f"{one.name}: {one.chosen.family}" for one in self.classes)
        return f"WorkloadFit({laws})"

    def as_dict(self) -> dict[str, Any]:
        return {
            "grouping": self.grouping,
            "needs": self.needs,
            "waste": self.waste,
            "method": self.method,
            "criterion": self.criterion,
            "estimates": self.estimates,
            "arrivals": self.workload.arrivals.name,
            "arrival_rate": self.workload.arrivals.rate,
            "classes": [one.as_dict() for one in self.classes],
        }


def fit_workload(
    trace: Trace,
    *,
    classes: str = "auto",
    needs: str = "real",
    laws: Sequence[str] | None = None,
    by: str = "both",
    criterion: str = "aic",
    arrivals: str = "poisson",
    estimates: str = "user",
) -> WorkloadFit:
    """Make a workload of a log: classes of needs, and for each the law that fits best.

    `trace` is a log, its file, or `zerowait.Jobs`; `classes` says how needs are grouped (`auto`,
    `exact`, `down`, `up` or `bins=1/4/16`), and `laws` which families are tried (all usual ones).

    Fitted `by` `moments` a law has the mean (and, where it can, the standard deviation) of its
    jobs; fitted by `likelihood` its shape is nearer, but its mean may be far off. The `criterion`
    (aic or ks) chooses among those with the right mean and about the right standard deviation.

    With `real` `needs` each need of a class is a class of the workload, with its own share and the
    law scaled to its own mean: the offered load is the log's. With `rounded` ones a class has one
    need, as splits want it; `waste` says what work that adds.

    `arrivals` are `poisson`, `resampled` (the log's gaps) or `rhythm` (its hours of the week).

    `user` `estimates` are announced as the log's users do: their ratios estimate / service are
    drawn again by class. With `exact` ones policies know the future.
    """
    if laws is None:
        laws = [family.name for family in FAMILIES.values() if family.usual]
    if not laws:
        raise refuse("laws", laws, "must name one family or more")
    if needs not in NEEDS:
        raise refuse("needs", needs, f"must be one of {', '.join(NEEDS)}")
    if estimates not in ESTIMATE_MODES:
        raise refuse("estimates", estimates, f"must be one of {', '.join(ESTIMATE_MODES)}")
    log = log_of(trace, "fit_workload")
    jobs = log.jobs
    process = arrival_process(jobs, arrivals, log.clock)
    grouped = group(jobs, classes)
    ratios = overestimates(jobs, log.has_estimate) if estimates == "user" else None
    asked = Asked(laws, by, criterion, needs, ratios)
    fitted = tuple(fit_class(jobs, grouped, number, asked) for number in range(len(grouped)))
    workload = Workload([part for one in fitted for part in one.parts], process)
    waste = grouped.waste if needs == "rounded" else 0.0
    modelled = "exact" if ratios is None else "user"
    return WorkloadFit(workload, fitted, classes, needs, waste, by, criterion, modelled)
