"""Logs in the Standard Workload Format of the Parallel Workloads Archive."""

from collections import Counter
from pathlib import Path

import numpy as np

from zerowait.model import InputError, Jobs
from zerowait.traces.log import Log, lines_of

# Columns of a line, counted from zero (format version 2.2); -1 stands for "not known".
SUBMIT, RUN_TIME, ALLOCATED, REQUESTED, REQUESTED_TIME = 1, 3, 4, 7, 8
N_COLUMNS = 18


def read_swf(path: str | Path) -> Log:
    """Arrival = submit time, service = run time, need = allocated (else requested) processors.

    Jobs without a run time or a number of processors are left out and counted; the others
    are put in order of submission, equal times in the order of the file.
    """
    header: dict[str, str] = {}
    rows: list[tuple[float, float, float, float, float]] = []
    for number, line in lines_of(path):
        if line.startswith(";"):
            key, colon, value = line[1:].partition(":")
            if colon:
                header.setdefault(key.strip(), value.strip())
        elif line.strip():
            rows.append(_row(path, number, line))
    if not rows:
        raise InputError(f"{path}: holds no jobs")
    submit, run_time, allocated, requested, requested_time = np.array(rows).T
    need = np.where(allocated > 0, allocated, requested)
    dropped: Counter[str] = Counter()
    keep = np.ones(len(rows), bool)
    for reason, bad in (
        ("no submit time", submit < 0),
        ("no run time", run_time < 0),
        ("no number of processors", need < 1),
    ):
        dropped[reason] = int((keep & bad).sum())
        keep &= ~bad
    if not keep.any():
        raise InputError(f"{path}: no job has a submit time, a run time and processors")
    order = np.flatnonzero(keep)
    order = order[np.argsort(submit[order], kind="stable")]
    estimate = np.where(requested_time > 0, requested_time, run_time)
    jobs = Jobs(submit[order], need[order], run_time[order], estimate=estimate[order])
    return Log(jobs, _max_procs(header), {why: n for why, n in dropped.items() if n})


def _row(path: str | Path, number: int, line: str) -> tuple[float, float, float, float, float]:
    words = line.split()
    if len(words) < N_COLUMNS:
        raise InputError(f"{path}: line {number}: has {len(words)} fields; SWF has {N_COLUMNS}")
    try:
        return (
            float(words[SUBMIT]), float(words[RUN_TIME]), float(words[ALLOCATED]),
            float(words[REQUESTED]), float(words[REQUESTED_TIME]),
        )  # fmt: skip
    except ValueError:
        for column in (SUBMIT, RUN_TIME, ALLOCATED, REQUESTED, REQUESTED_TIME):
            try:
                float(words[column])
            except ValueError:
                raise InputError(
                    f"{path}: line {number}: field {column + 1} = {words[column]!r}: not a number"
                ) from None
        raise


def _max_procs(header: dict[str, str]) -> int | None:
    for key in ("MaxProcs", "MaxNodes"):
        words = header.get(key, "").split()
        if words and words[0].isdigit() and int(words[0]) > 0:
            return int(words[0])
    return None
