"""The price of a pause, wherever it can be given."""

import pytest

import zerowait as zw
from zerowait.experiment.checks import Price, price_of

HOW = {"servers": 64, "load": 0.7, "arrivals": 2000, "replications": 1}


@pytest.mark.parametrize(
    ("given", "kept", "price"),
    [
        (3, "3", (3.0, 0.0)),
        (0.5, "0.5", (0.5, 0.0)),
        ("5min", "5min", (300.0, 0.0)),
        ("10%", "10%", (0.0, 0.1)),
        (0, "0", (0.0, 0.0)),
        ("0%", "0", (0.0, 0.0)),
        ("0min", "0", (0.0, 0.0)),
    ],
)
def test_is_a_time_or_a_share(given: str | float, kept: str, price: tuple[float, float]) -> None:
    assert Price()("preemption_cost", given) == kept
    assert price_of(kept) == price


@pytest.mark.parametrize("bad", [-1, "-1%", "soon", "5 moons", float("inf"), "nan%", ""])
def test_anything_else_is_refused(bad: str | float) -> None:
    with pytest.raises(zw.InputError, match=r"preemption_cost = .*must be a time, zero or more"):
        zw.simulate("figure1", 64, "msf", preemption_cost=bad)


def test_simulations_comparisons_and_sweeps_take_it() -> None:
    free = zw.simulate("figure1", policy="msf", **HOW)  # type: ignore[arg-type]
    dear = zw.simulate("figure1", policy="msf", preemption_cost="10%", **HOW)  # type: ignore[arg-type]
    assert free.lost == 0
    assert dear.lost > 0
    assert dear.utilisation > free.utilisation
    assert "preemption_cost" not in free.parameters
    assert dear.parameters["preemption_cost"] == "10%"
    both = zw.compare("figure1", policies=["fcfs", "msf"], preemption_cost="10%", **HOW)  # type: ignore[arg-type]
    assert [one.lost for one in both.results] == [0.0, dear.lost]
    points = zw.Sweep(
        workloads="figure1", servers=64, policies="msf", preemption_cost="10%"
    ).points()
    assert points[0].options["preemption_cost"] == "10%"
