"""What of the rule of back-filling `optimise` may try."""

import math

from zerowait.policies.ranges import Choice, Range

# Of patience and two weights one is too many: that of time is 1, or 0 beside a need's of 1.
BY_SIZE = {"order": ("estimate", "area", "due"), "time_weight": (1.0,)}
RESERVE_AFTER = {"search": Range(0.1, 100, "log", "mean service", first=(0.0,), last=(math.inf,))}
PATIENCE = {"search": Range(0.1, 100, "log", "mean service", when={"order": ("due",)})}
NEED_WEIGHT = {"search": Range(-0.5, 2, when={"order": ("due",), "time_weight": (1.0,)})}
TIME_WEIGHT = {"search": Choice((1.0, 0.0), when={"order": ("due",)})}
ALLOWANCE = {
    "search": Range(
        -50, 50, "symlog", "mean service", per_class=True, when={"order": ("due",)},
        instead_of=("patience", "need_weight", "time_weight", "by"),
    )
}  # fmt: skip
BY = {"search": Choice(("job", "class"), when=BY_SIZE)}


def among(words: tuple[str, ...]) -> dict[str, Choice]:
    return {"search": Choice(words)}
