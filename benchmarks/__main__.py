"""Speed as ratios measured in one process; exits with 1 where a target is missed.

Every task asserts that it ran all its jobs, so that none can measure nothing.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import zerowait as zw
from benchmarks.floor import N_JOBS, Figure1
from benchmarks.library import library
from benchmarks.policies import policies
from benchmarks.sweeps import sweeps
from benchmarks.timing import best_times

SIZES = (128, 2048, 32768)
missed: list[str] = []


def check(what: str, value: float, target: float, at_least: bool = True) -> None:
    good = value >= target if at_least else value <= target
    sign = ">=" if at_least else "<="
    print(f"  {'ok  ' if good else 'MISS'} {what:58s} {value:7.3f}  ({sign} {target})", flush=True)
    if not good:
        missed.append(what)


def mechanism(streams: dict[int, Figure1]) -> None:
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


def whole_call(streams: dict[int, Figure1]) -> None:
    print("whole simulate call against the bare hand-written FCFS loop (arrivals per second)")
    stream, workload = streams[2048], zw.workloads.figure1(2048)

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


def growth(streams: dict[int, Figure1]) -> None:
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


def start_up() -> None:
    print("seconds from starting Python, caches cold or warm")
    with tempfile.TemporaryDirectory() as cold:
        simulate = ["-m", "zerowait", "simulate", "figure1", "-k", "2048", "-p", "bs:fcfs"]
        simulate += ["--replications", "1"]
        env = os.environ | {"NUMBA_CACHE_DIR": cold}
        check("first simulate, cold cache", seconds(simulate, env), 5.0, at_least=False)
        warm = min(seconds(simulate, env) for _ in range(3))
        check("simulate of a million arrivals, warm", warm, 2.5, at_least=False)
        shown = min(seconds(["-m", "zerowait", "--help"], env) for _ in range(3))
        check("--help, warm", shown, 0.4, at_least=False)


def seconds(arguments: list[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, check=True)
    assert done.stdout
    return time.perf_counter() - began


def main() -> None:
    streams = {servers: Figure1.draw(servers) for servers in SIZES}
    mechanism(streams)
    whole_call(streams)
    growth(streams)
    policies(streams, check)
    library(check)
    sweeps(check)
    start_up()
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
