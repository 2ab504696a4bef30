"""Time limits as slurm.conf and sbatch spell them."""

import math

NO_LIMIT = ("infinite", "unlimited", "none", "")


def minutes(text: str) -> float:
    """`90`, `1:30:00`, `2-12` or `2-12:30:00`; infinite where there is no limit."""
    if text.lower() in NO_LIMIT:
        return math.inf
    days, dash, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    # After days come hours; without them a single number is minutes, and two end in seconds.
    weights = [60.0, 1.0, 1 / 60] if dash or len(parts) == 3 else [1.0, 1 / 60]
    whole = sum(part * weight for part, weight in zip(parts, weights, strict=False))
    return whole + (int(days) * 1440 if dash else 0)
