"""Gather what searches found: searches.py front | sizes [LOG ...] | plans [LOG ...].

`front` searches Figure 1's orders for two objectives. `sizes` asks whether classes cut by size beat
the best order without a split: on Figure 1's workload, and on logs. `plans` makes a plan for each
log. Every part writes one CSV beside this file; a log whose row is there already is left alone.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

import zerowait as zw

HERE = Path(__file__).parent
SERVERS = 2048
VARIATION = 4  # coefficient of variation of the highly variable law
SHORT = {"arrivals": 100_000, "replications": 3, "scored_arrivals": 400_000, "seed": 1}
NEVER = "reserve_after=never"
# What is searched, for whom sizes are known or not.
RULES = {
    "order, sizes unknown": {"policies": f"backfill,by=class,{NEVER}"},
    "order, sizes known": {"policies": f"backfill,by=job,{NEVER}"},
    "split by need": {"policies": "bs:first-fit"},
    "split by need and size": {"policies": "bs:first-fit", "cut": True},
    "split by need and size, helpers in order of size": {
        "policies": f"bs:backfill,order=estimate,by=job,{NEVER}", "cut": True,
    },
}  # fmt: skip
# Of the part of KIT FH2 that could be had: a table, which does not say how many servers there are.
KIT_COLUMNS = (
    "arrival=submit_rel,need=alloc_procs,service=run_clipped_at_request,estimate=requested_time"
)
KIT_SERVERS = 24_048
LARGEST = 4  # of a log jobs that need more than one server in so many are left out, to be split


def front() -> None:
    found = zw.optimise(
        zw.workloads.figure1(SERVERS), SERVERS, policies=f"backfill,by=class,{NEVER}",
        minimise=("wait", "wait[worst]"), evaluations=250, **SHORT,
    )  # fmt: skip
    rows = [
        {
            "policy": one.candidate.spelling, "knee": one.knee,
            **{f"{name}{part}": value
               for name, score in zip(("wait", "worst"), one.scores[:2], strict=True)
               for part, value in (("", score.ratio), ("_low", score.low), ("_high", score.high))},
        }
        for one in found.front
    ]  # fmt: skip
    write("front", rows)


def sizes(*logs: str) -> None:
    rows = known("sizes")
    for name, search in [*workload_searches(), *(log_search(path) for path in logs)]:
        if any(row["jobs"] == name for row in rows):
            continue
        for rule, what in RULES.items():
            found = search(**what)
            score = found.objectives[0]
            rows.append({
                "jobs": name, "rule": rule, "measure": score.text, "baseline": found.baseline,
                "ratio": score.ratio, "low": score.low, "high": score.high,
                "policy": found.choice.candidate.spelling,
            })  # fmt: skip
        write("sizes", rows)


Search = Callable[..., zw.Optimisation]


def workload_searches() -> Iterator[tuple[str, Search]]:
    exponential = zw.workloads.figure1(SERVERS)
    classes = [
        replace(one, service=zw.Hyperexponential.from_mean_std(m, VARIATION * m))
        for one in exponential.classes
        for m in [one.service.mean]
    ]
    variable = zw.Workload(classes).with_load(SERVERS, exponential.load(SERVERS))
    for name, workload in (("exponential", exponential), ("highly variable", variable)):
        yield f"Figure 1, {name}", searcher(workload, SERVERS, evaluations=80, **SHORT)


def log_search(path: str) -> tuple[str, Search]:
    log, servers = read(path)
    log = log.select(np.asarray(log.jobs.need) <= servers // LARGEST)
    need = np.sort(np.asarray(log.jobs.need))
    bins = f"bins={need[len(need) // 2]}/{need[-1]}"
    name = Path(path).name.partition("-cln")[0].partition(".first")[0]
    return name, searcher(log, servers, evaluations=80, classes=bins, seed=1)


def read(path: str) -> tuple[zw.Log, int]:
    """A log and its servers."""
    is_kit = Path(path).name.startswith("KIT")
    log = zw.read_log(path, columns=KIT_COLUMNS if is_kit else None)
    servers = KIT_SERVERS if is_kit else log.servers
    assert servers is not None
    return log, servers


def searcher(what: zw.Workload | zw.Log, servers: int, **options: object) -> Search:
    return lambda **rule: zw.optimise(what, servers, **rule, **options)


def plans(*logs: str) -> None:
    rows = known("plans")
    for path in logs:
        name = Path(path).name.partition(".swf")[0].partition(".first")[0]
        if any(row["log"] == name for row in rows):
            continue
        advice = zw.plan(*read(path), baseline="easy")
        assert advice.choice is not None
        for tuned_on in ("first", "second"):
            for one in advice.choice.unseen(tuned_on):
                longest = next(s for s in one.protections if s.text.startswith("longest"))
                worst = max(s.ratio for s in one.protections if s.text.startswith("wait["))
                rows.append({
                    "log": name, "scored_on": one.half, "policy": one.candidate.spelling,
                    "ratio": one.goal.ratio, "low": one.goal.low, "high": one.goal.high,
                    "longest": longest.ratio, "worst_class": worst,
                })  # fmt: skip
        write("plans", rows)


def known(name: str) -> list[dict[str, object]]:
    path = HERE / f"{name}.csv"
    return pl.read_csv(path).to_dicts() if path.exists() else []


def write(name: str, rows: list[dict[str, object]]) -> None:
    frame = pl.DataFrame(rows, infer_schema_length=None)
    floats = [name for name, kind in frame.schema.items() if kind.is_float()]
    frame.with_columns(pl.col(floats).round_sig_figs(5)).write_csv(HERE / f"{name}.csv")


if __name__ == "__main__":
    {"front": front, "sizes": sizes, "plans": plans}[sys.argv[1]](*sys.argv[2:])
