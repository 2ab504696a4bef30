"""A log resampled: the classes of the paper's table, with the observed times as their laws."""

from functools import cache
from pathlib import Path

import numpy as np

from zerowait.model import Empirical, JobClass, Workload
from zerowait.traces import read_log
from zerowait.traces.published import RECIPES, table_samples


@cache
def resampled_workload(path: Path, recipe: str = RECIPES[0]) -> Workload:
    """The very jobs that the table of the log is computed from, so that moments are the same."""
    samples = table_samples(read_log(path), recipe)
    total = sum(one.jobs for one in samples)
    return Workload(
        [
            JobClass(one.need, one.jobs / total, Empirical(np.sort(one.times)), f"need {one.need}")
            for one in samples
        ]
    )
