"""Throughput of a sweep on two threads against one."""

import os
import tempfile
from collections.abc import Callable

import zerowait as zw
from benchmarks.measuring import Check, best_times

N_POINTS = 8
ARRIVALS = 1_000_000


def sweeps(check: Check) -> None:
    print("points of a sweep per second, two threads over one (needs two idle cores)")
    if (os.cpu_count() or 1) < 2:
        print("       one core: not measured")
        return
    for workload, servers, load in (("figure1", 2048, ()), ("sdsc-sp2", 512, 0.8)):
        sweep = zw.Sweep(
            workloads=workload,
            servers=servers,
            loads=load,
            policies=["fcfs", "bs:fcfs"],
            seeds=range(1, N_POINTS // 2 + 1),
            arrivals=ARRIVALS,
        )
        best = best_times({str(n): _task(sweep, n) for n in (1, 2)})
        check(f"{workload}, k = {servers}", best["1"] / best["2"], 1.7)


def _task(sweep: zw.Sweep, threads: int) -> Callable[[], None]:
    def task() -> None:
        with tempfile.TemporaryDirectory() as folder:
            outcome = zw.sweep(sweep, folder, threads=threads)
            assert (outcome.finished, outcome.failed) == (N_POINTS, {})

    return task
