"""Speed of every policy, as ratios to the bare FCFS loop written by hand."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.floor import N_JOBS, Figure1
from benchmarks.measuring import Check, best_times
from zerowait.engine.run import run
from zerowait.engine.stream import WorkloadStream
from zerowait.engine.sums import COUNT
from zerowait.model.workloads import figure1
from zerowait.policies import parse_policy

# Least ratio of the bare FCFS loop's time at k = 2048 to the kernel's. Exact estimates.
TARGETS = {
    "easy": 0.06,
    "smallest-area-first": 0.06,
    "maxweight-myopic": 0.06,
    "most-servers-first": 0.2,
    "least-servers-first": 0.2,
    "server-filling": 0.2,
    "first-fit-srpt": 0.06,
    "greedy-srpt": 0.06,
    "server-filling-srpt": 0.06,
    "maxweight": 0.02,
}
GROWTH = 2.5  # cost per arrival at k = 32768 over that at k = 128

# Needs that divide the servers, and laws in place of samples: random streams at these k. Nothing
# is demanded of them; their growth is told.
BY_LAW = ("df", "df-srpt", "sf-gittins", "df-gittins")
DIVISIBLE = (256, 2048, 16384)
N_BY_LAW = 200_000


def policies(streams: dict[int, Figure1], check: Check) -> None:
    print("policies against the bare FCFS loop at k = 2048, and their growth with k (kernel)")
    for policy, target in TARGETS.items():
        tasks = {"bare": streams[2048].bare_fcfs}
        for servers in (128, 2048, 32768):
            tasks[str(servers)] = _kernel(streams[servers], policy)
        best = best_times(tasks)
        check(f"{policy}, k = 2048", best["bare"] / best["2048"], target)
        check(f"{policy}, k = 32768 / k = 128", best["32768"] / best["128"], GROWTH, at_least=False)
        print(f"       {policy}: {N_JOBS / best['2048'] / 1e6:.1f} million arrivals/s")

    print("policies of needs that divide the servers, whole runs of random streams")
    for policy in BY_LAW:
        best = best_times({str(servers): _run(servers, policy) for servers in DIVISIBLE})
        growth = best["16384"] / best["256"]
        rate = N_BY_LAW / best["2048"] / 1e6
        print(f"       {policy}: {rate:.2f} million arrivals/s, k = 16384 / k = 256: {growth:.2f}")


def _run(servers: int, policy: str) -> Callable[[], float]:
    def timed() -> float:
        stream = WorkloadStream(figure1(servers), N_BY_LAW, np.random.SeedSequence(1))
        began = time.perf_counter()
        outcome = run(stream, parse_policy(policy), servers)
        spent = time.perf_counter() - began
        assert outcome.tally.counts[:, COUNT].sum() == N_BY_LAW
        return spent

    return timed


def _kernel(stream: Figure1, policy: str) -> Callable[[], float]:
    return lambda: stream.kernel(policy)
