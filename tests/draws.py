"""How many examples a test draws, and which: `make test` an eighth of them, the same every time, so
that it says the same of the same code; `make draws` all of them, and others each time.
"""

import os

from hypothesis import settings

ALL = os.environ.get("ZEROWAIT_DRAWS") == "all"
LEAST = 25

settings.register_profile("same", derandomize=True)
if not ALL:
    settings.load_profile("same")


def draws(n: int) -> settings:
    """Settings of hypothesis; no deadline, for kernels are compiled in between."""
    return settings(max_examples=n if ALL else max(n // 8, min(n, LEAST)), deadline=None)
