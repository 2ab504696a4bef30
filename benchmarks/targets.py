"""What was measured against what is demanded."""

from collections.abc import Callable

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
