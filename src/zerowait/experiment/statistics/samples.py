"""Every measure, in groups of jobs that are as good as independent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.statistics.batches import Batches
from zerowait.engine.statistics.sums import (
    BOUNDED_SLOWDOWN,
    COUNT,
    PREEMPTIONS,
    RESPONSE,
    ROUTED_TO_HELPERS,
    SERVED_BY_HELPERS,
    SLOWDOWN,
    WAIT,
    WAITED,
)
from zerowait.experiment.statistics.intervals import ratio_half_widths, ratios, section_half_widths

MOMENTS = {
    "response": RESPONSE, "wait": WAIT, "slowdown": SLOWDOWN,
    "bounded_slowdown": BOUNDED_SLOWDOWN,
}  # fmt: skip
COUNTS = {
    "p_wait": WAITED,
    "preemptions": PREEMPTIONS,
    "routed_to_helpers": ROUTED_TO_HELPERS,
    "served_by_helpers": SERVED_BY_HELPERS,
}


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
class Samples:
    """Numerators and denominators of the means, group x row: a row per class, the last for all."""

    numerators: Mapping[str, Floats]
    denominators: Mapping[str, Floats]
    quantiles: Mapping[str, Floats] = field(default_factory=dict)  # as "wait_p99": group x row
    points: Mapping[str, Floats] = field(default_factory=dict)  # quantiles of all groups: per row
    runs: Ints | None = None  # per group, where groups are batches: the replication
    quantile_runs: Ints | None = None

    @property
    def n_groups(self) -> int:
        return len(self.numerators["response"])

    def means(self, measure: str) -> Floats:
        """Per row; also of a quantile."""
        if measure in self.points:
            return self.points[measure]
        return ratios(self.numerators[measure], self.denominators[measure])

    def half_widths(self, measure: str, level: float) -> Floats:
        """Per row; NaN where there are too few groups."""
        if measure in self.points:
            values, points = self.quantiles[measure], self.points[measure]
            return section_half_widths(values, points, level, self.quantile_runs)
        numerators, denominators = self.numerators[measure], self.denominators[measure]
        return ratio_half_widths(numerators, denominators, level, self.runs)


def samples_of(stretches: Sequence[Stretch], servers: int, runs: Ints | None = None) -> Samples:
    """One group per stretch; without quantiles."""
    counts = np.array([one.batches.counts[one.first : one.end].sum(axis=0) for one in stretches])
    moments = np.array(
        [one.batches.moments[one.first : one.end, :, :, 0].sum(axis=0) for one in stretches]
    )
    jobs = counts[:, :, COUNT]
    moments = moments + stretches[0].batches.pivots * jobs[:, :, None]
    numerators = {name: _with_all(moments[:, :, at // 3]) for name, at in MOMENTS.items()}
    numerators |= {name: _with_all(counts[:, :, column]) for name, column in COUNTS.items()}
    denominators = dict.fromkeys(numerators, _with_all(jobs))

    def integral(areas: Sequence[Floats]) -> Floats:
        pairs = zip(areas, stretches, strict=True)
        return _with_all(np.array([area[one.end] - area[one.first] for area, one in pairs]))

    numerators["utilisation"] = integral([one.batches.busy_area for one in stretches]) / servers
    numerators["in_system"] = integral([one.batches.in_system_area for one in stretches])
    time = np.array([one.batches.time[one.end] - one.batches.time[one.first] for one in stretches])
    window = np.broadcast_to(time[:, None], numerators["in_system"].shape)
    denominators |= {"utilisation": window, "in_system": window}
    return Samples(numerators, denominators, runs=runs)


def _with_all(rows: Floats) -> Floats:
    """Group x class, with a last column for all classes together."""
    return np.concatenate([rows, rows.sum(axis=1, keepdims=True)], axis=1).astype(np.float64)
