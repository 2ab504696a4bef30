"""The user's own copy of a log that the paper used, and tables of its parameters."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import zerowait as zw
from zerowait.experiment.files.whole_file import whole_file
from zerowait.model.workloads import Row
from zerowait.traces.archive import cache_folder
from zerowait.traces.classes import power_below
from zerowait.traces.published import LARGEST_NEED, RECIPES, paper_table, table_samples

if TYPE_CHECKING:
    import polars

TABLES = (".csv", ".parquet")

Columns = tuple[tuple[str, str], ...]  # ours and theirs, of tables


@cache
def own_log(path: Path, columns: Columns = ()) -> zw.Log:
    """Read a copy of a log without rows that are no jobs: copies are of many kinds."""
    is_table = any(suffix in TABLES for suffix in path.suffixes)
    return zw.read_log(path, strict=False, columns=dict(columns) if is_table else None)


@cache
def resampled_workload(path: Path, columns: Columns = (), recipe: str = RECIPES[0]) -> zw.Workload:
    """Return the very jobs that the table is computed from, so that moments are the same."""
    samples = table_samples(own_log(path, columns), recipe)
    total = sum(one.jobs for one in samples)
    return zw.Workload(
        [
            zw.JobClass(
                one.need, one.jobs / total, zw.Empirical(np.sort(one.times)), f"need {one.need}"
            )
            for one in samples
        ]
    )


@cache
def table_jobs(path: Path, columns: Columns = ()) -> Path:
    """Return a file of the jobs that the paper's text describes (needs 1, 2, 4, ..., 64).

    They have their own submit times. The file is in the cache, for a point is a command that reads
    its jobs from one.
    """
    jobs = own_log(path, columns).jobs
    need, service = np.asarray(jobs.need, dtype=np.int64), np.asarray(jobs.service)
    keep = (service > 0) & (power_below(need) == need) & (need <= LARGEST_NEED)
    listed = zip(np.asarray(jobs.arrival)[keep], need[keep], service[keep], strict=True)
    text = "arrival,need,service\n" + "".join(f"{a!r},{n},{s!r}\n" for a, n, s in _plain(listed))
    digest = sha256(text.encode()).hexdigest()[:12]
    file = cache_folder() / "replays" / f"{path.name.partition('.')[0]}-{digest}.csv"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as part:
            part.write_text(text)
    return file


def _plain(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    return (tuple(one.item() for one in row) for row in rows)


def parameter_rows(
    printed: Sequence[Row], log: Path | None, columns: Columns
) -> "polars.DataFrame":
    """Return the printed rows, and those computed from a log by either recipe."""
    import polars

    names = ("mean", "std", "need", "share")
    rows: list[dict[str, object]] = [
        {"from": "printed", **dict(zip(names, row, strict=True)), "jobs": None} for row in printed
    ]
    if log is not None:
        found = own_log(log, columns)
        for recipe in RECIPES:
            rows += [{"from": recipe, **vars(row)} for row in paper_table(found, recipe)]
    return polars.DataFrame(rows, infer_schema_length=None)


def log_caption(log: Path | None, option: str, name: str) -> str:
    text = f"Means and standard deviations of the service times (s), needs and shares of {name}. "
    if log is None:
        return text + f"As printed in the paper; to compute it, name a copy of the log: {option}."
    return text + (
        f"As printed in the paper, and computed from {log.name} by the recipe that gives the "
        "printed digits of Table 2 ('published') and by the one that the paper's text describes "
        "('described')."
    )
