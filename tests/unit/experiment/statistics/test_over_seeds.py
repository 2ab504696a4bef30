"""Runs that differ in their seed alone."""

import pytest

from zerowait.experiment.statistics.intervals import student_interval
from zerowait.experiment.statistics.samples import Row, over_seeds


def row(policy: str, seed: int, response: float | None, diverging: bool = False) -> Row:
    return {
        "policy": policy, "seed": seed, "response": response, "response_half_width": 9.0,
        "p_wait": seed / 10, "servers": 4, "diverging": diverging, "replications": 2,
    }  # fmt: skip


def test_they_are_replications_of_one() -> None:
    rows = [row("fcfs", 1, 1.0), row("easy", 1, 7.0), row("fcfs", 2, 2.0), row("fcfs", 3, 6.0)]
    pooled, alone = over_seeds(rows, lambda one: one["policy"])
    expected = student_interval([1.0, 2.0, 6.0], 0.95)
    assert (pooled["response"], pooled["response_half_width"]) == (
        expected.mean,
        expected.half_width,
    )
    assert pooled["p_wait"] == pytest.approx(0.2)
    assert (pooled["servers"], pooled["seed"], pooled["replications"]) == (4, 1, 6)
    assert alone == rows[1]  # one run keeps the noise that it knows of


def test_a_measure_missing_for_one_seed_is_missing_for_all() -> None:
    (pooled,) = over_seeds([row("fcfs", 1, 1.0), row("fcfs", 2, None, True)], lambda one: 0)
    assert pooled["response"] is None
    assert pooled["response_half_width"] is None
    assert pooled["diverging"]
    assert pooled["p_wait"] == pytest.approx(0.15)
