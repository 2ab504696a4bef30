"""The paper's tables of real workloads, computed from the logs by either recipe.

`published` gives every printed digit for SDSC SP2 (found by trying: docs/decisions/0204 says how);
`described` is what the paper's text says.
"""

from dataclasses import dataclass

import numpy as np

from zerowait.model import InputError
from zerowait.model.quantities import Floats, refuse
from zerowait.traces.classes import power_below
from zerowait.traces.log import Log

RECIPES = ("published", "described")
LARGEST_NEED = 64
FIRST_JOBS = 20_000


@dataclass(frozen=True)
class TableRow:
    """A row of the paper's tables: E[D_i], std(D_i), n_i, alpha_i."""

    mean: float
    std: float
    need: int
    share: float
    jobs: int


@dataclass(frozen=True)
class ClassSample:
    """The jobs of one need, and the service times that count."""

    need: int
    jobs: int
    times: Floats


def paper_table(log: Log, recipe: str = "published") -> tuple[TableRow, ...]:
    """Compute the paper's table of a log: needs 1, 2, 4, ..., 64, run times above zero, any status.

    As published: other needs rounded down, above 64 dropped; means and standard deviations over
    the first 20,000 jobs, shares over all. As described: other needs removed, and all jobs count.
    """
    samples = table_samples(log, recipe)
    total = sum(one.jobs for one in samples)
    return tuple(
        TableRow(
            mean=float(one.times.mean()),
            std=float(one.times.std(ddof=1)),
            need=one.need,
            share=one.jobs / total,
            jobs=one.jobs,
        )
        for one in samples
    )


def table_samples(log: Log, recipe: str = "published") -> tuple[ClassSample, ...]:
    """Select the jobs that a table is computed from, by need."""
    if recipe not in RECIPES:
        raise refuse("recipe", recipe, f"must be one of {', '.join(RECIPES)}")
    need = np.asarray(log.jobs.need, dtype=np.int64)
    service = np.asarray(log.jobs.service)
    rounded = power_below(need)
    keep = (service > 0) & (rounded <= LARGEST_NEED)
    if recipe == "described":
        keep &= rounded == need
    need, service = rounded[keep], service[keep]
    timed = slice(FIRST_JOBS) if recipe == "published" else slice(None)
    samples = []
    for value in np.unique(need):
        times = service[timed][need[timed] == value]
        if len(times) < 2:
            raise InputError(f"{log.path}: fewer than two jobs of need {value}; no table")
        samples.append(ClassSample(int(value), int((need == value).sum()), times))
    return tuple(samples)
