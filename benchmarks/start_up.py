"""Seconds until a command answers, from starting Python."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.measuring import Check


def start_up(check: Check) -> None:
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
