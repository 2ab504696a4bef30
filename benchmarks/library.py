"""Seconds that parts besides the kernels take; each has a limit that users would feel."""

import tempfile
import time
from pathlib import Path

import numpy as np

import zerowait as zw
from benchmarks.measuring import Check
from zerowait.analysis.bounds import helper_bounds
from zerowait.analysis.small_system import solve_exactly
from zerowait.analysis.stability import stable_rates
from zerowait.model import split_from_slots
from zerowait.traces.reading import read_log


def library(check: Check) -> None:
    print("seconds of other parts")
    check("a million SWF lines", read_a_million_lines(), 5.0, at_least=False)
    check("split and bounds, 1,000 classes, k = 10^7", bound_many_classes(), 1.0, at_least=False)
    check("a chain of 98,000 states", solve_a_chain(), 30.0, at_least=False)


def read_a_million_lines() -> float:
    line = "3 197154 459987 35268 306 32792 -1 -1 35100 -1 0 97 -1 307 3 -1 -1 -1\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.swf"
        path.write_text(line * 1_000_000)
        began = time.perf_counter()
        assert len(read_log(path).jobs) == 1_000_000
        return time.perf_counter() - began


def bound_many_classes() -> float:
    rng = np.random.default_rng(2)
    rows = zip(
        rng.integers(1, 500, 1000), rng.dirichlet(np.ones(1000)), rng.uniform(0.1, 10, 1000),
        strict=True,
    )  # fmt: skip
    classes = [zw.JobClass(int(n), float(p), zw.Exponential(float(d))) for n, p, d in rows]
    workload = zw.Workload(classes).with_load(10**7, 0.95)
    stable_rates(zw.workloads.figure1(128), 128)  # imports, once
    began = time.perf_counter()
    split = zw.balanced_split(workload, 10**7)
    assert 0 < helper_bounds(workload, 10**7, split).bound < 1
    stable_rates(workload, 10**7, split)
    return time.perf_counter() - began


def solve_a_chain() -> float:
    classes = [zw.JobClass(1, 0.5, zw.Exponential(1.0)), zw.JobClass(2, 0.5, zw.Exponential(1.0))]
    workload = zw.Workload(classes).with_load(8, 0.5)
    split = split_from_slots([1, 2], [2, 2], 8)
    began = time.perf_counter()
    found = solve_exactly(workload, 8, "bs:first-fit", split=split, max_jobs=20, max_states=10**6)
    assert found.n_states > 98_000
    return time.perf_counter() - began
