"""Who is better, by differences over common random numbers."""

import json
from typing import Any

import pytest

import zerowait as zw
from zerowait.experiment.sweeps.verdicts import paired_verdicts

NOISE = [1.0, 9.0, 5.0, 3.0]  # what all policies share


def row(policy: str, response: float, seed: int = 1, **more: Any) -> dict[str, Any]:
    place = {"workload": "w", "servers": 8, "load": 0.9, "arrivals": 1000}
    return place | {"policy": policy, "response": response, "seed": seed, "diverging": False} | more


def test_seeds_are_pairs_where_there_is_one_run_of_each() -> None:
    rows = [row("a", one, seed) for seed, one in enumerate(NOISE)]
    rows += [row("b", one - 0.1 + 0.01 * (-1) ** seed, seed) for seed, one in enumerate(NOISE)]
    found = paired_verdicts([*rows, row("c", 2.0, 0)], "a")
    assert [one["verdict"] for one in found] == [None] * 4 + ["lower"] * 4 + [None]
    assert found[4]["difference"] == pytest.approx(-0.1)
    assert found[4]["difference_half_width"] < 0.05


def test_replications_of_all_seeds_count() -> None:
    rows = [
        row(policy, 0.0, seed, response_replicates=json.dumps([one + off for one in NOISE]))
        for policy, off in (("a", 0.0), ("b", 0.2))
        for seed in (1, 2)
    ]
    found = paired_verdicts(rows, "a")
    assert [one["verdict"] for one in found] == [None, None, "higher", "higher"]
    assert found[2]["p_value"] < 1e-9  # eight differences without any noise


def test_a_log_is_one_run_whatever_the_seed() -> None:
    rows = [row(one, 3.0 + (one == "b"), seed, arrivals=None) for one in "ab" for seed in (1, 2)]
    assert {one["verdict"] for one in paired_verdicts(rows, "a")} == {None}


def test_a_diverging_policy_counts_as_higher() -> None:
    rows = [row("a", 3.0), row("b", 0.0, diverging=True), row("c", 3.0, load=0.8)]
    assert [one["verdict"] for one in paired_verdicts(rows, "a")] == [None, "higher", None]
    assert [one["verdict"] for one in paired_verdicts(rows, "b")] == ["lower", None, None]


def test_stored_rows_tell_as_much_as_compare(tmp_path: Any) -> None:
    sweep = zw.Sweep(
        workloads="figure1", servers=256, policies=["fcfs", "first-fit"], arrivals=5_000, warmup=0.2
    )
    stored = zw.sweep(sweep, tmp_path).table().to_dicts()
    rows = [one for one in stored if one["job_class"] == "all"]
    told = paired_verdicts(rows, "fcfs")[1]
    of_all = [one["verdict"] for one in paired_verdicts(stored, "fcfs") if one["verdict"]]
    assert of_all == [told["verdict"]]  # nothing is said of single classes
    runs = [json.loads(row["response_replicates"]) for row in rows]
    assert told["difference"] == pytest.approx((sum(runs[1]) - sum(runs[0])) / 4)
    assert told["verdict"] in ("lower", "no clear difference")
