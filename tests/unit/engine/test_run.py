import subprocess
import sys

import numpy as np
import pytest

import zerowait as zw
from zerowait.engine.run import RunSettings, run
from zerowait.engine.stream import JobStream
from zerowait.model import EngineError
from zerowait.policies.fcfs import Fcfs


class Idler(Fcfs):
    """Never starts anybody."""

    name = "idler"

    @staticmethod
    def next_start(state, jobs):  # type: ignore[no-untyped-def]
        return -1


@pytest.mark.parametrize("jit", [True, False])
def test_a_policy_that_leaves_jobs_waiting_is_found_out(jit: bool) -> None:
    jobs = JobStream(zw.Jobs([0.0, 1.0], [1, 1], [1.0, 1.0]))
    with pytest.raises(EngineError, match=r"idler, time 1: job 0 .*never started; 2 jobs wait"):
        run(jobs, Idler(), 4, RunSettings(jit=jit))


def test_warm_up_is_left_out_of_sums_and_integrals() -> None:
    """Ten jobs one after the other; the last five wait for nobody."""
    arrival = np.array([0.0, 0, 0, 0, 0, 10, 12, 14, 16, 18])
    jobs = zw.Jobs(arrival, np.ones(10), np.ones(10))
    result = zw.replay(jobs, 1, warmup=0.5)
    assert result.overall.count == 5
    assert result.wait == 0.0
    # From the last arrival of the warm-up, at 0, to the last completion, at 19.
    assert result.utilisation == pytest.approx(10 / 19)


PEAKS = """
import resource, sys, zerowait as zw
w = zw.workloads.figure1(2048)
arrivals = int(sys.argv[2])
for n in (arrivals, arrivals, 16 * arrivals):  # the first also pays for imports and the kernel
    zw.simulate(w, 2048, sys.argv[1], arrivals=n, replications=1)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "arrivals"),
    [("fcfs", 250_000), ("bs:first-fit", 250_000), ("sf-srpt", 125_000), ("sf-gittins", 50_000)],
)
def test_memory_does_not_grow_with_the_run(policy: str, arrivals: int) -> None:
    """3 MB are 0.8 to 4 bytes for each job more; a single number kept of it would be 8."""
    arguments = [sys.executable, "-c", PEAKS, policy, str(arrivals)]
    done = subprocess.run(arguments, capture_output=True, check=True)
    _, short, long = map(int, done.stdout.split())
    assert long - short < 3000  # in kilobytes
