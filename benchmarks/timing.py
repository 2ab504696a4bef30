"""Times of several things side by side, so that a noisy machine disturbs all alike."""

import time
from collections.abc import Callable, Mapping

ROUNDS = 7


def best_times(tasks: Mapping[str, Callable[[], float | None]]) -> dict[str, float]:
    """Shortest of several rounds, the tasks taking turns; a task may return its own time."""
    best = dict.fromkeys(tasks, float("inf"))
    for task in tasks.values():
        task()  # compile, touch memory
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            began = time.perf_counter()
            own = task()
            spent = time.perf_counter() - began if own is None else own
            best[name] = min(best[name], spent)
    return best
