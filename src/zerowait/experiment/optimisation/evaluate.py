"""The place where searches meet the engine: a candidate run on a sample, and what it measures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.run import Options, run
from zerowait.engine.seats import ROUTED, SERVED
from zerowait.experiment.measures import QUANTILES, split_column
from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.expressions import LONGEST, WEEKLY
from zerowait.experiment.optimisation.samples import Drawn, Sample
from zerowait.experiment.statistics.bootstrap import job_measure
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.model import Exponential, JobClass, Workload
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
    outcome = run(stream, policy, servers, Options(records=True))
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
    """Each statistic for all counted jobs and then for each class; NaN for a class without any."""
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
    """One evaluation; runs in any thread or process."""
    return values_of(run_jobs(sample, candidate, servers), len(sample.names), statistics)


def code_version(policy: Policy) -> str:
    """Changes with the code that a policy runs on."""
    return results_version(policy, ANY_WORKLOAD)
