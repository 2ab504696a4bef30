"""Speed of back-filling in its orders, as ratios to EASY; a long log; the compile of a split."""

import os
import tempfile
from collections.abc import Callable

import zerowait as zw
from benchmarks.floor import N_JOBS, Figure1
from benchmarks.measuring import Check, best_times
from benchmarks.start_up import seconds

ORDERS = (
    "backfill",
    "backfill,order=need",
    "backfill,order=estimate",
    "backfill,order=area",
    "backfill,order=due,patience=10",
    "backfill,order=due,allowance=0/10/10/-10",
    "backfill,order=due,patience=10,by=class,reserve_after=20",
    "backfill,order=due,patience=10,reserve_after=never",
)
LEAST = 0.8  # of EASY's arrivals per second
GROWTH = 1.5  # cost per arrival at k = 32768 over that at k = 128
# Points of the family that have bodies, or names, of their own: not slower than by its spelling.
NAMED = {"easy": "backfill", "first-fit": "backfill,reserve_after=never"}
LOG_JOBS = 100_000
LOG_POLICY = "backfill,order=due,patience=10,reserve_after=20"


def orders(streams: dict[int, Figure1], check: Check) -> None:
    print("orders of back-filling against EASY at k = 2048, and their growth with k (kernel)")
    for policy in ORDERS:
        tasks = {"easy": _kernel(streams[2048], "easy")}
        for servers in (128, 2048, 32768):
            tasks[str(servers)] = _kernel(streams[servers], policy)
        best = best_times(tasks)
        check(policy, best["easy"] / best["2048"], LEAST)
        growth = best["32768"] / best["128"]
        check(f"{policy}, k = 32768 / k = 128"[:58], growth, GROWTH, at_least=False)
        print(f"       {policy}: {N_JOBS / best['2048'] / 1e6:.1f} million arrivals/s")
    for name, spelled in NAMED.items():
        best = best_times({one: _kernel(streams[2048], one) for one in (name, spelled)})
        check(f"{name} against {spelled}", best[spelled] / best[name], LEAST)
    log_of_many_jobs(streams[2048], check)
    compile_of_a_split(check)


def log_of_many_jobs(stream: Figure1, check: Check) -> None:
    """The whole call, with its measures, once compiled; intervals over weeks are apart."""
    kind = stream.kind[:LOG_JOBS]
    trace = zw.Jobs(stream.arrival[:LOG_JOBS], stream.need_of[kind], stream.service[:LOG_JOBS])

    def replay() -> None:
        result = zw.replay(trace, stream.servers, LOG_POLICY, resamples=0)
        assert result.overall.count == LOG_JOBS

    best = best_times({"replay": replay})
    check("a log of 10^5 jobs, seconds", best["replay"], 1.0, at_least=False)


def compile_of_a_split(check: Check) -> None:
    with tempfile.TemporaryDirectory() as cold:
        words = ["-m", "zerowait", "simulate", "figure1", "-k", "2048", "-p", "bs:backfill"]
        words += ["--replications", "1", "--arrivals", "1000", "--warmup", "0.1"]
        env = os.environ | {"NUMBA_CACHE_DIR": cold}
        cold_s, warm_s = seconds(words, env), seconds(words, env)
        print(
            f"       bs:backfill: {cold_s:.1f} s with a cold cache, {warm_s:.1f} s with a warm one"
        )
        check("bs:backfill, compiled, seconds", cold_s - warm_s, 10.0, at_least=False)


def _kernel(stream: Figure1, policy: str) -> Callable[[], float]:
    return lambda: stream.kernel(policy)
