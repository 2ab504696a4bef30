"""The job that waited longest: a mean may hide a wait of weeks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class LongestWait:
    """A wait, and whose it was; times in the log's own."""

    wait: float
    job: str  # as the log calls it, or its place in order of arrival
    need: int
    arrival: float
    user: str | None  # where the log says

    def __str__(self) -> str:
        whose = "" if self.user is None else f", user {self.user}"
        return f"job {self.job} (need {self.need}{whose})"


def longest_wait(rows: "polars.DataFrame", counted: tuple[int, int]) -> LongestWait:
    """Among the counted rows of a replay; the first of those that waited equally long."""
    first, end = counted
    waits = (rows["end"] - rows["arrival"] - rows["service"]).to_numpy()[first:end]
    at = first + int(np.argmax(waits))
    row = rows.row(at, named=True)
    user = row.get("user")
    return LongestWait(
        max(float(waits[at - first]), 0.0),
        str(row.get("job", at + 1)),
        int(row["need"]),
        float(row["arrival"]),
        None if user is None else str(user),
    )
