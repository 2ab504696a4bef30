"""How well each family fits a sample, and which is taken."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerowait.model import InputError, Law
from zerowait.model.display import json_ready
from zerowait.model.quantities import refuse
from zerowait.traces.fitting.families import FAMILIES, CannotFitError
from zerowait.traces.fitting.sample import Sample, log_likelihood

METHODS = ("both", "moments", "likelihood")
CRITERIA = ("aic", "ks")
# A law whose mean is further off than this changes the load, and is taken last.
MEAN_TOLERANCE = 0.05
# Waits grow with the variance: a law that misses the standard deviation by more than half is taken
# only where no other has the mean and comes nearer, and not in silence.
STD_TOLERANCE = 0.5


@dataclass(frozen=True)
class Goodness:
    """One row of the table: a family's member for one class, or why there is none."""

    family: str
    method: str
    law: Law | None
    log_likelihood: float
    aic: float  # 2 parameters - 2 log-likelihood; NaN for the empirical law
    ks: float  # largest distance between the distribution functions
    mean_error: float  # relative to the sample's
    std_error: float
    reason: str = ""  # why there is no law

    @property
    def keeps_mean(self) -> bool:
        return abs(self.mean_error) <= MEAN_TOLERANCE

    @property
    def keeps_std(self) -> bool:
        """Once the law is scaled to the right mean."""
        return keeps_std((1 + self.std_error) / (1 + self.mean_error) - 1)

    def as_dict(self) -> dict[str, Any]:
        names = ("family", "method", "log_likelihood", "aic", "ks", "mean_error", "std_error")
        row: dict[str, Any] = json_ready({name: getattr(self, name) for name in names})
        return row | {"law": repr(self.law) if self.law else None, "reason": self.reason or None}


def goodness_of(family: str, sample: Sample, method: str) -> Goodness:
    nan = math.nan
    if family not in FAMILIES:
        raise refuse("law", family, f"must be one of {', '.join(FAMILIES)}")
    known = FAMILIES[family]
    try:
        law = known.by_moments(sample) if method == "moments" else known.by_likelihood(sample)
    except (CannotFitError, InputError) as error:
        return Goodness(family, method, None, nan, nan, nan, nan, nan, str(error))
    if known.n_parameters is None:
        likelihood = float(np.dot(sample.counts, np.log(sample.counts / sample.size)))
        aic = nan
    else:
        likelihood = log_likelihood(law, sample)
        aic = 2 * known.n_parameters - 2 * likelihood
    return Goodness(
        family=family,
        method=method,
        law=law,
        log_likelihood=likelihood,
        aic=aic,
        ks=distance(law, sample),
        mean_error=relative_error(law.mean, sample.mean),
        std_error=relative_error(law.std, sample.std),
    )


def keeps_std(error: float) -> bool:
    return abs(error) <= STD_TOLERANCE


def relative_error(value: float, true: float) -> float:
    return value / true - 1 if true > 0 else (0.0 if value == true else math.inf)


def distance(law: Law, sample: Sample) -> float:
    """Kolmogorov and Smirnov's, between steps: a time of 7 s may be anything up to 7.5 s."""
    half = sample.resolution / 2
    seen = np.cumsum(sample.counts) / sample.size
    return float(np.abs(np.asarray(law.cdf(sample.values + half)) - seen).max())


def compare_families(
    sample: Sample, families: Sequence[str], method: str, criterion: str
) -> tuple[Goodness, ...]:
    """The families, best first: those that keep the mean and, about, the standard deviation, by the
    criterion; then those that keep the mean alone; then the others."""
    if method not in METHODS:
        raise refuse("by", method, f"must be one of {', '.join(METHODS)}")
    if criterion not in CRITERIA:
        raise refuse("criterion", criterion, f"must be one of {', '.join(CRITERIA)}")
    methods = ("likelihood", "moments") if method == "both" else (method,)
    rows: list[Goodness] = []
    for family in families:
        for one in methods:
            row = goodness_of(family, sample, one)
            # Some families come to the same law, or to none, either way.
            if not any(row.law == known.law for known in rows if known.family == family):
                rows.append(row)

    def rank(row: Goodness) -> tuple[bool, bool, bool, float]:
        value = row.aic if criterion == "aic" else row.ks
        misses = (row.law is None, not row.keeps_mean, not row.keeps_std)
        return *misses, math.inf if math.isnan(value) else value

    return tuple(sorted(rows, key=rank))
