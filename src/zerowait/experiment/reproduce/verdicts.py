"""Who is better, where? Paired differences on common random numbers, adjusted by Holm.

All policies at one place of a figure see the same jobs, replication by replication. So the
differences of their replications are tested, not whether two intervals overlap: these are wide with
noise that both policies share.
"""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zerowait.experiment.comparisons.ranking import holm
from zerowait.experiment.statistics.intervals import LEVEL, student_interval

if TYPE_CHECKING:
    import polars

BASELINE = "balanced-splitting:fcfs"
PLACE = ("panel", "servers", "load")
LOWER, HIGHER, SAME = "lower", "higher", "no clear difference"

Row = dict[str, Any]


def with_verdicts(frame: "polars.DataFrame", baseline: str = BASELINE) -> "polars.DataFrame":
    """Of the mean response, against the baseline at the same place.

    `difference` with its half-width, `p_value` (adjusted over all tests of the table), `verdict`:
    is the mean response of the row lower or higher than the baseline's? What diverges is higher.
    """
    import polars

    rows = frame.to_dicts()
    known = {_place(row): row for row in rows if row["policy"] == baseline}
    found = [_compared(row, known.get(_place(row))) for row in rows]
    tested = [one for one in found if one["p_value"] is not None]
    for one, p in zip(tested, holm([one["p_value"] for one in tested]), strict=True):
        one["p_value"] = float(p)
        if p < 1 - LEVEL:
            one["verdict"] = LOWER if one["difference"] < 0 else HIGHER
    schema = {
        "difference": polars.Float64, "difference_half_width": polars.Float64,
        "p_value": polars.Float64, "verdict": polars.String,
    }  # fmt: skip
    return polars.concat([frame, polars.DataFrame(found, schema=schema)], how="horizontal")


def _place(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in PLACE)


def _compared(row: Row, base: Row | None) -> Row:
    """Of one row; its p-value as it is."""
    nothing = dict.fromkeys(("difference", "difference_half_width", "p_value", "verdict"))
    if base is None or base is row:
        return nothing
    if row["diverging"] or base["diverging"]:
        both = bool(row["diverging"]) == bool(base["diverging"])
        return nothing | {"verdict": SAME if both else HIGHER if row["diverging"] else LOWER}
    own, other = replicates(row), replicates(base)
    if len(own) != len(other) or len(own) < 2:
        return nothing
    differences = [a - b for a, b in zip(own, other, strict=True)]
    interval = student_interval(differences, LEVEL)
    return {
        "difference": interval.mean,
        "difference_half_width": interval.half_width,
        "p_value": p_value(differences),
        "verdict": SAME,
    }


def replicates(row: Row) -> list[float]:
    """The mean response of each replication; none of a row that has them not."""
    return [float(one) for one in json.loads(row.get("response_replicates") or "[]")]


def p_value(differences: Sequence[float]) -> float:
    """Of Student's two-sided test; 1 where nothing differs at all."""
    from scipy.special import stdtr

    n = len(differences)
    mean = math.fsum(differences) / n
    variance = math.fsum((one - mean) ** 2 for one in differences) / (n - 1) / n
    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(n - 1, -abs(mean) / math.sqrt(variance)))
