"""What is claimed of which variant; tests/statistical/test_analysis_bounds.py simulates them."""

import pytest

import zerowait as zw
from zerowait.analysis.bounds import corollary_1


@pytest.mark.parametrize("refill", ["oldest", "expected", "largest", None])
@pytest.mark.parametrize("preemptive", [False, True])
@pytest.mark.parametrize("size_aware", [False, True])
@pytest.mark.parametrize("exponential", [False, True])
def test_corollary_1(
    refill: str | None, preemptive: bool, size_aware: bool, exponential: bool
) -> None:
    claim = corollary_1(
        refill, preemptive=preemptive, size_aware=size_aware, exponential=exponential
    )
    blind = refill != "largest" and not size_aware
    fresh = exponential or not preemptive
    assert claim.relation == ("=" if refill is None else "<=" if blind and fresh else None)
    assert claim.reason


@pytest.mark.parametrize(
    ("policy", "told"),
    [("bs:fcfs", False), ("mbs:saf", False), ("bs:saf", True), ("bs:fcfs,refill=largest", True)],
)
def test_results_say_where_the_bound_is_none(policy: str, told: bool) -> None:
    result = zw.simulate("figure1", 256, policy, load=0.5, arrivals=2000, replications=2)
    assert any("no theorem here" in note for note in result.notes) == told
