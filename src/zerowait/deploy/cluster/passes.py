"""When the scheduler has last looked at the queue, as `sdiag` tells."""

import re
from dataclasses import dataclass

MAIN = re.compile(r"Main schedule statistics.*?Total cycles:\s*(\d+)", re.DOTALL)
BACKFILL = re.compile(r"Backfilling stats.*?Last cycle when:[^\n(]*\((\d+)\)", re.DOTALL)


@dataclass(frozen=True)
class Passes:
    """How many main passes there were, and when (controller's time) the last back-fill began."""

    main: int
    last_backfill: float


def parse_passes(text: str) -> Passes:
    main, backfill = MAIN.search(text), BACKFILL.search(text)
    return Passes(int(main[1]) if main else 0, float(backfill[1]) if backfill else 0.0)
