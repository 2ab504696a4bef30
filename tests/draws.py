"""How many examples a test draws: in `make test` a quarter of what `make draws` tries."""

import os

from hypothesis import settings

ALL = os.environ.get("ZEROWAIT_DRAWS") == "all"
LEAST = 25


def draws(n: int) -> settings:
    """Settings of hypothesis; no deadline, for kernels are compiled in between."""
    return settings(max_examples=n if ALL else max(n // 4, min(n, LEAST)), deadline=None)
