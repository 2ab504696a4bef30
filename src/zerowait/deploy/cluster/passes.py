"""When the scheduler has last looked at the queue, as `sdiag` tells."""

import re
from dataclasses import dataclass

MAIN = re.compile(r"Main schedule statistics.*?Total cycles:\s*(\d+)", re.DOTALL)
BACKFILL = re.compile(r"Backfilling stats.*?Last cycle when:[^\n(]*\((\d+)\)", re.DOTALL)


ACTIVE = "in the middle of backfilling"


@dataclass(frozen=True)
class Passes:
    """How many main passes there were, when (controller's time) the last back-fill began, and
    whether it goes on still."""

    main: int
    last_backfill: float
    backfills: bool

    def has_backfilled_since(self, moment: float) -> bool:
        return self.last_backfill > moment and not self.backfills


def parse_passes(text: str) -> Passes:
    main, backfill = MAIN.search(text), BACKFILL.search(text)
    return Passes(
        int(main[1]) if main else 0, float(backfill[1]) if backfill else 0.0, ACTIVE in text
    )
