"""How many examples a test draws, and which: `make test` an eighth of them, the same every time, so
that it says the same of the same code; `make draws` all of them, and others each time.
"""

import os

from hypothesis import settings

ALL = os.environ.get("ZEROWAIT_DRAWS") == "all"
LEAST = 25

# No deadlines: kernels are compiled in between, and other work may share the machine.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("all", deadline=None)
settings.load_profile("all" if ALL else "same")


def draws(n: int) -> settings:
    """Return settings of hypothesis that draw so many examples."""
    return settings(max_examples=n if ALL else max(n // 8, min(n, LEAST)))
