"""Who is better where: points against a baseline that saw the same jobs."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from zerowait.experiment.comparisons.comparison import holm
from zerowait.experiment.statistics.intervals import LEVEL
from zerowait.experiment.statistics.samples import Estimate
from zerowait.model.quantities import Floats

ALL = "all"  # classes together
PLACE = ("workload", "servers", "load")
LOWER, HIGHER, SAME = "lower", "higher", "no clear difference"
FIELDS = ("difference", "difference_half_width", "p_value", "verdict")

Row = dict[str, Any]
NOTHING: Row = dict.fromkeys(FIELDS)


def paired_verdicts(rows: Sequence[Row], baseline: str, place: Sequence[str] = PLACE) -> list[Row]:
    """Compare the mean response of each row with that of the baseline at the same place.

    `rows` are stored rows of points, not pooled over seeds. Points of one seed see the same jobs,
    so that differences are taken replication by replication, and seed by seed. Returned is for each
    row `difference` with its half-width (95%), `p_value` (Holm's over all places and policies), and
    `verdict`: is the row's mean response `lower` or `higher` than the baseline's? What diverges is
    higher. All is None for the baseline, for single classes, and where there is nothing to pair, as
    in replays of logs.
    """
    groups: dict[tuple[Any, ...], dict[Any, Row]] = {}  # by place and policy, then by seed
    keys = [
        (row.get("job_class", ALL), *(row.get(name) for name in place), row["policy"])
        for row in rows
    ]
    for key, row in zip(keys, rows, strict=True):
        if key[0] == ALL:
            groups.setdefault(key, {})[row.get("seed")] = row
    found = {
        key: _compared(own, {} if key[-1] == baseline else groups.get((*key[:-1], baseline), {}))
        for key, own in groups.items()
    }
    tested = [one for one in found.values() if one["p_value"] is not None]
    for one, p in zip(tested, holm([one["p_value"] for one in tested]), strict=True):
        one["p_value"] = float(p)
        if p < 1 - LEVEL:
            one["verdict"] = LOWER if one["difference"] < 0 else HIGHER
    return [found.get(key, NOTHING) for key in keys]


def _compared(own: dict[Any, Row], base: dict[Any, Row]) -> Row:
    """Compare two policies at one place; the p-value is not adjusted yet."""
    seeds = [one for one in own if one in base]
    if not seeds:
        return NOTHING
    lost, base_lost = (any(rows[one].get("diverging") for one in seeds) for rows in (own, base))
    if lost or base_lost:
        verdict = SAME if lost and base_lost else HIGHER if lost else LOWER
        return NOTHING | {"verdict": verdict}
    differences = _differences([(own[one], base[one]) for one in seeds])
    if len(differences) < 2:
        return NOTHING
    mean = float(np.mean(differences))
    estimate = Estimate(mean, differences - mean, len(differences) - 1.0, None)
    return {
        "difference": mean,
        "difference_half_width": estimate.interval(LEVEL).half_width,
        "p_value": estimate.p_value,
        "verdict": SAME,
    }


def _differences(pairs: Sequence[tuple[Row, Row]]) -> Floats:
    """Return the differences of the replications of all seeds, or else of the seeds' means."""
    runs = [(_replicates(own), _replicates(base)) for own, base in pairs]
    if not all(len(own) == len(base) > 0 for own, base in runs):
        # A log is one run, whatever the seed.
        of_logs = any(row.get("arrivals") is None for pair in pairs for row in pair)
        runs = [] if of_logs else [([a["response"]], [b["response"]]) for a, b in pairs]
    return np.asarray([a - b for own, base in runs for a, b in zip(own, base, strict=True)])


def _replicates(row: Row) -> list[float]:
    return [float(one) for one in json.loads(row.get("response_replicates") or "[]")]
