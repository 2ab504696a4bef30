"""The splitting kernels and whole calls, against the same work written by hand."""

from collections.abc import Callable
from functools import cache

import zerowait as zw
from benchmarks.floor import N_JOBS, Figure1
from benchmarks.measuring import Check, best_times

SIZES = (128, 2048, 32768)


@cache
def figure1_streams() -> dict[int, Figure1]:
    """By the number of servers."""
    return {servers: Figure1.draw(servers) for servers in SIZES}


def kernels(check: Check) -> None:
    streams = figure1_streams()
    mechanism(streams, check)
    whole_call(streams[2048], check)
    growth(streams, check)


def mechanism(streams: dict[int, Figure1], check: Check) -> None:
    print("compiled kernel against the same work written by hand (hand / kernel)")
    for servers, stream in streams.items():
        best = best_times(
            {
                "full fcfs": stream.full_fcfs,
                "fcfs": lambda stream=stream: stream.kernel("fcfs"),
                "full bs": stream.full_balanced_splitting,
                "bs:fcfs": lambda stream=stream: stream.kernel("bs:fcfs"),
            }
        )
        check(f"fcfs, k = {servers}", best["full fcfs"] / best["fcfs"], 1 / 1.2)
        check(f"bs:fcfs, k = {servers}", best["full bs"] / best["bs:fcfs"], 1 / 1.2)


def whole_call(stream: Figure1, check: Check) -> None:
    print("whole simulate call against the bare hand-written FCFS loop (arrivals per second)")
    workload = zw.workloads.figure1(2048)

    def simulate(policy: str) -> Callable[[], None]:
        def task() -> None:
            result = zw.simulate(
                workload, 2048, policy, arrivals=N_JOBS, warmup=0.0, replications=1
            )
            assert result.overall.count == N_JOBS

        return task

    policies = {"fcfs": 0.35, "bs:fcfs": 0.28, "first-fit": 0.2}
    tasks = {"bare": stream.bare_fcfs, "bare bs": stream.bare_balanced_splitting}
    best = best_times(tasks | {policy: simulate(policy) for policy in policies})
    for policy, target in policies.items():
        check(policy, best["bare"] / best[policy], target)
    for name in ("bare", "bare bs"):
        print(f"       {name} loop: {N_JOBS / best[name] / 1e6:.1f} million arrivals/s")
    for policy in policies:
        print(f"       simulate {policy}: {N_JOBS / best[policy] / 1e6:.1f} million arrivals/s")


def growth(streams: dict[int, Figure1], check: Check) -> None:
    print("cost per arrival at k = 32768 over that at k = 128 (kernel)")
    for policy in ("fcfs", "first-fit", "bs:fcfs", "bs:first-fit"):
        small, large = streams[128], streams[32768]
        best = best_times(
            {
                "small": lambda stream=small, policy=policy: stream.kernel(policy),
                "large": lambda stream=large, policy=policy: stream.kernel(policy),
            }
        )
        check(policy, best["large"] / best["small"], 1.6, at_least=False)
