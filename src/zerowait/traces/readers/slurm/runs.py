"""Runs of jobs put together: heterogeneous jobs, requeued runs, duplicates."""

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from zerowait.model.quantities import Floats
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.clock import Clock
from zerowait.traces.log import Draft
from zerowait.traces.readers.base import Reading


class Run(NamedTuple):
    """One allocation of one job, as accounted; NaN is "not known"."""

    line: int
    job: str
    user: str
    state: str
    submit: float
    eligible: float
    start: float
    end: float
    elapsed: float
    need: float
    limit: float
    partition: str
    qos: str
    account: str
    cluster: str  # a dump of several clusters has the same numbers for different jobs


def draft_of(
    runs: list[Run], format: str, wanted: Reading, words: Mapping[str, str], book: CleaningBook
) -> Draft:
    """The jobs that the runs are, ready for the rules that hold for every log."""
    import polars

    runs = assemble(runs, book)
    if not runs:
        raise book.nothing_left()

    def column(name: str) -> Floats:
        return np.array([getattr(run, name) for run in runs], np.float64)

    submit, eligible = column("submit"), column("eligible")
    first, second = (submit, eligible) if wanted.arrival == "submit" else (eligible, submit)
    arrival = np.where(np.isnan(first), second, first)
    origin = float(np.nanmin(arrival)) if not np.isnan(arrival).all() else 0.0
    names = ("job", "user", "state", "partition", "qos", "account")
    texts = {name: [getattr(run, name) for run in runs] for name in names}
    times = {name: polars.Series(column(name), nan_to_null=True)
             for name in ("submit", "eligible", "start", "end", "elapsed", "limit")}  # fmt: skip
    labels = {name: np.array(texts[name]) if any(texts[name]) else None for name in names}
    return Draft(
        format=format,
        line=np.array([run.line for run in runs], np.int64),
        values={
            "arrival": arrival - origin,
            "service": column("elapsed"),
            "need": column("need"),
            "estimate": column("limit"),
            "start": column("start") - origin,
            "id": labels["job"],
            **{name: labels[name] for name in ("user", "account", "partition", "qos")},
        },
        columns=polars.DataFrame(texts | times),
        unit=wanted.need,
        clock=Clock(origin, zone=wanted.zone, printed=wanted.zone is None),
        words={**words, "arrival": wanted.arrival.capitalize()},
    )


def assemble(runs: list[Run], book: CleaningBook) -> list[Run]:
    """Jobs that hold servers as one are one; runs of a job one after the other stay apart."""
    return _arrive_after_the_run_before(_join_components(_drop_copies(runs, book), book), book)


def _drop_copies(runs: list[Run], book: CleaningBook) -> list[Run]:
    """Dumps of overlapping periods, put together, hold some jobs twice."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for run in runs:
        # As text, because NaN is not equal to itself.
        key = (run.cluster, run.job, str(run.submit), str(run.start), str(run.end), run.state)
        if key in seen:
            book.add("dropped", "the same row again", run.line, f"JobID = {run.job}")
        else:
            seen.add(key)
            kept.append(run)
    return kept


def _join_components(runs: list[Run], book: CleaningBook) -> list[Run]:
    """`17+0`, `17+1`, ... are one heterogeneous job: its parts start together."""
    together: dict[tuple[str, str, str], list[Run]] = defaultdict(list)
    for run in runs:
        leader, plus, _ = run.job.partition("+")
        if plus:
            together[leader, run.cluster, str(run.start)].append(run)
    joined: dict[int, Run] = {}
    parts: set[int] = set()
    for (leader, *_), group in together.items():
        if len(group) < 2:
            continue
        first = group[0]
        joined[first.line] = first._replace(
            job=leader,
            submit=-_largest([-run.submit for run in group]),
            end=_largest([run.end for run in group]),
            elapsed=_largest([run.elapsed for run in group]),
            need=math.fsum(run.need for run in group if run.need == run.need) or math.nan,
            limit=_largest([run.limit for run in group]),
        )
        for run in group[1:]:
            detail = f"JobID = {run.job}"
            book.add("joined", "part of a heterogeneous job, joined to its first", run.line, detail)
            parts.add(run.line)
    return [joined.get(run.line, run) for run in runs if run.line not in parts]


def _largest(values: list[float]) -> float:
    """Of those that are known."""
    return max((value for value in values if value == value), default=math.nan)


def _arrive_after_the_run_before(runs: list[Run], book: CleaningBook) -> list[Run]:
    """A requeued job has a row per run (`--duplicates`), all perhaps with the first submit time.

    Each run held servers, so each is a job; it cannot have been waiting before the run in front
    of it had ended.
    """
    by_job: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in runs:
        by_job[run.cluster, run.job].append(run)
    moved: dict[int, Run] = {}
    for group in by_job.values():
        if len(group) < 2:
            continue
        group = sorted(group, key=lambda run: (run.start, run.line))
        for before, run in pairwise(group):
            detail = f"JobID = {run.job}"
            book.add("noted", "a further run of a requeued job; a job of its own", run.line, detail)
            if run.submit < before.end or run.eligible < before.end:
                moved[run.line] = run._replace(
                    submit=max(run.submit, before.end), eligible=max(run.eligible, before.end)
                )
                reason = "requeued; arrives when its run before had ended"
                book.add("repaired", reason, run.line, detail)
    return [moved.get(run.line, run) for run in runs]
