"""The user's own copy of a log that the paper used, and its jobs resampled."""

from functools import cache
from pathlib import Path

import numpy as np

from zerowait.model import Empirical, JobClass, Workload
from zerowait.traces import Log, read_log
from zerowait.traces.published import RECIPES, table_samples

TABLES = (".csv", ".parquet")

Columns = tuple[tuple[str, str], ...]  # ours and theirs, of tables


@cache
def own_log(path: Path, columns: Columns = ()) -> Log:
    """Rows that are no jobs are left out, of tables too: copies of logs are of many kinds."""
    return read_log(path, strict=False, columns=dict(columns) if is_table(path) else None)


def is_table(path: Path) -> bool:
    return any(suffix in TABLES for suffix in path.suffixes)


@cache
def resampled_workload(path: Path, columns: Columns = (), recipe: str = RECIPES[0]) -> Workload:
    """The very jobs that the table of the log is computed from, so that moments are the same."""
    samples = table_samples(own_log(path, columns), recipe)
    total = sum(one.jobs for one in samples)
    return Workload(
        [
            JobClass(one.need, one.jobs / total, Empirical(np.sort(one.times)), f"need {one.need}")
            for one in samples
        ]
    )
