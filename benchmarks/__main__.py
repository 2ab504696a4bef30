"""Speed as ratios measured in one process; exits with 1 where a target is missed.

`python -m benchmarks` measures every part, `python -m benchmarks start-up` the one that is named.
Every task asserts that it ran all its jobs, so that none can measure nothing.
"""

import sys
from collections.abc import Callable

from benchmarks.kernels import figure1_streams, kernels
from benchmarks.library import library
from benchmarks.measuring import Check, Targets
from benchmarks.orders import orders
from benchmarks.policies import policies
from benchmarks.search import search
from benchmarks.start_up import start_up
from benchmarks.sweeps import sweeps

PARTS: dict[str, Callable[[Check], None]] = {
    "kernels": kernels,
    "policies": lambda check: policies(figure1_streams(), check),
    "orders": lambda check: orders(figure1_streams(), check),
    "library": library,
    "sweeps": sweeps,
    "search": search,
    "start-up": start_up,
}


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    targets = Targets()
    for name in names or PARTS:
        PARTS[name](targets.check)
    if targets.missed:
        sys.exit(f"missed: {', '.join(targets.missed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
