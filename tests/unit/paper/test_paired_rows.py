"""Differences are taken seed by seed, and tested together."""

from dataclasses import dataclass
from typing import Any, cast

import polars as pl
import pytest
from scipy import stats

from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.paper.paired_rows import paired_rows

WAITS = {"first-fit": (1.0, 2.0, 4.0), "need": (0.5, 1.4, 3.7), "srpt": (0.1, 1.2, 2.9)}


@dataclass
class Stored:
    """An outcome, so far as rows are made from it."""

    rows: list[dict[str, Any]]

    def table(self) -> pl.DataFrame:
        return pl.DataFrame(self.rows, infer_schema_length=None)


def found(*diverging: str, failed: str = "") -> pl.DataFrame:
    # The last seeds come first: pairs are by seed, not by place.
    rows = [
        {
            "sweep": "Critical load", "workload": "figure1", "servers": 32, "load": 0.9,
            "status": "failed" if f"{policy}{seed}" == failed else "done",
            "arrivals": 1000, "warmup": 0.2, "version": "0", "results_version": "v",
            "point": f"{policy}{seed}", "policy": policy, "seed": seed, "job_class": "all",
            "preemption_cost": None, "diverging": policy in diverging, "wait": wait,
            "response": wait + 2, "p_wait": 0.5, "preemptions": 0.0, "lost": 0.0,
        }
        for policy, waits in WAITS.items()
        for seed, wait in sorted(enumerate(waits), reverse=policy == "need")
    ]  # fmt: skip
    return paired_rows(cast(SweepOutcome, Stored(rows)), ["first-fit"])


def test_differences_are_paired_and_tests_are_holm_s() -> None:
    rows = {row["policy"]: row for row in found().to_dicts()}
    p_values = {}
    for policy in ("need", "srpt"):
        changes = [a - b for a, b in zip(WAITS[policy], WAITS["first-fit"], strict=True)]
        test = stats.ttest_1samp(changes, 0.0)
        interval = test.confidence_interval(0.95)
        assert rows[policy]["difference"] == pytest.approx(sum(changes) / 3)
        assert rows[policy]["difference_half_width"] == pytest.approx(
            (interval.high - interval.low) / 2
        )
        assert rows[policy]["ratio"] == pytest.approx(sum(WAITS[policy]) / 7)
        p_values[policy] = test.pvalue
    small, large = sorted(p_values, key=p_values.__getitem__)
    assert rows[small]["p_value"] == pytest.approx(2 * p_values[small])
    assert rows[large]["p_value"] == pytest.approx(max(2 * p_values[small], p_values[large]))
    assert rows["first-fit"]["difference"] is None
    assert rows["first-fit"]["wait"] == pytest.approx(7 / 3)


def test_what_diverges_has_no_mean_and_is_not_tested() -> None:
    rows = {row["policy"]: row for row in found("srpt").to_dicts()}
    assert rows["srpt"]["diverging"]
    assert rows["srpt"]["wait"] is None
    assert rows["srpt"]["p_value"] is None
    changes = [a - b for a, b in zip(WAITS["need"], WAITS["first-fit"], strict=True)]
    assert rows["need"]["p_value"] == pytest.approx(stats.ttest_1samp(changes, 0.0).pvalue)


def test_a_seed_that_failed_under_one_policy_is_left_out_of_all() -> None:
    rows = {row["policy"]: row for row in found(failed="srpt0").to_dicts()}
    assert {row["replications"] for row in rows.values()} == {2}
    assert rows["first-fit"]["wait"] == pytest.approx(3.0)
    assert rows["need"]["difference"] == pytest.approx((1.4 + 3.7) / 2 - 3.0)
