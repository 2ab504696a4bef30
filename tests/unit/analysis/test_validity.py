"""What is claimed of which variant; tests/statistical/test_analysis_bounds.py simulates them."""

import pytest

from zerowait.analysis import corollary_1, own_servers_bound


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


def test_own_servers() -> None:
    assert own_servers_bound("oldest", preemptive=False).relation == "<="
    assert own_servers_bound("oldest", preemptive=True).relation is None
    assert own_servers_bound("largest", preemptive=False).relation is None
    assert own_servers_bound(None, preemptive=False).relation is None
