"""The error of the approximate responses, measured over a grid of workloads.

    python docs/explanation/approximation_error.py docs/explanation/approximation_error.csv

writes the table of docs/explanation/approximations.md anew.
"""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.analysis import approximate_response, helper_traffic
from zerowait.experiment.simulation.simulate import simulate
from zerowait.model import Exponential, JobClass, Workload, balanced_split, workloads

if TYPE_CHECKING:
    import polars

ARRIVALS = 500_000
REPLICATIONS = 8
SEED = 7


def _small_and_large() -> Workload:
    return Workload([JobClass(1, 0.8, Exponential(1.0)), JobClass(8, 0.2, Exponential(1.0))])


GRID: dict[str, tuple[Callable[[int], Workload], tuple[int, ...], tuple[float, ...]]] = {
    "figure1": (lambda k: workloads.figure1(k, load=0.5), (256, 2048, 32768), (0.6, 0.8, 0.9)),
    "needs 1 and 8": (lambda k: _small_and_large(), (64, 256, 1024), (0.6, 0.8, 0.9, 0.95)),
    "sdsc-sp2": (lambda k: workloads.sdsc_sp2("exponential"), (512, 1024), (0.6, 0.8, 0.9)),
    "sdsc-sp2, lognormal": (lambda k: workloads.sdsc_sp2(), (1024,), (0.6, 0.8)),
}


def cases() -> Iterator[tuple[str, Workload, int, float, str]]:
    """Name, workload, servers, load and policy; mbs only where its helpers are not overloaded."""
    for name, (make, sizes, loads) in GRID.items():
        for servers in sizes:
            for load in loads:
                workload = make(servers).with_load(servers, load)
                yield name, workload, servers, load, "bs"
                traffic = helper_traffic(workload, servers)
                fits = balanced_split(workload, servers).helpers >= workload.max_need
                if traffic.load < 1 and fits:
                    yield name, workload, servers, load, "mbs"


def measure_errors(
    arrivals: int = ARRIVALS, replications: int = REPLICATIONS, seed: int = SEED
) -> "polars.DataFrame":
    """One row per case: simulated, approximate, relative error. A half-width beyond a tenth of the
    mean says that the simulation has not settled, or never would."""
    import polars

    rows: list[dict[str, Any]] = []
    for name, workload, servers, load, policy in cases():
        result = simulate(
            workload, servers, f"{policy}:fcfs", arrivals=arrivals, replications=replications,
            seed=seed,
        )  # fmt: skip
        found = result.interval()
        guess = approximate_response(workload, servers, policy)
        finite = math.isfinite(guess.response)
        rows.append(
            {
                "workload": name,
                "servers": servers,
                "load": load,
                "policy": f"{policy}:fcfs",
                "helper_load": helper_traffic(workload, servers).load,
                "mean_service": workload.mean_service,
                "simulated": found.mean,
                "half_width": found.half_width,
                "approximate": guess.response if finite else None,
                "error": guess.response / found.mean - 1 if finite else None,
                "p_wait_simulated": result.p_wait,
                "p_wait_approximate": guess.p_wait,
            }
        )
    return polars.DataFrame(rows)


def main() -> None:
    measure_errors().write_csv(Path(sys.argv[1]), float_precision=5)


if __name__ == "__main__":
    main()
