"""How things are measured: side by side, so that a noisy machine disturbs all alike, and against
what is demanded of them.
"""

import time
from collections.abc import Callable, Mapping

# check(what, value, target, at_least=True): tell, and remember where a target is missed.
Check = Callable[..., None]


class Targets:
    """Tells each figure beside its target as soon as it is known."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def check(self, what: str, value: float, target: float, at_least: bool = True) -> None:
        good = value >= target if at_least else value <= target
        sign = ">=" if at_least else "<="
        word = "ok  " if good else "MISS"
        print(f"  {word} {what:58s} {value:7.3f}  ({sign} {target})", flush=True)
        if not good:
            self.missed.append(what)


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
