"""Conservative back-filling in overload: as fast as can be, and refused where that is too slow."""

import time

import pytest

import zerowait as zw
from zerowait.policies import conservative

pytestmark = pytest.mark.slow


def seconds(policy: str, arrivals: int) -> float:
    began = time.process_time()
    with pytest.warns(zw.UnstableWarning):
        zw.simulate(
            "figure1", 256, policy, load=1.5, allow_unstable=True, arrivals=arrivals,
            replications=1, threads=1,
        )  # fmt: skip
    return time.process_time() - began


def test_a_queue_of_many_thousands_costs_little_more_than_under_easy() -> None:
    """Two to three times as much; fifty, when every reservation walked over all before it."""
    for policy in ("easy", "conservative"):
        seconds(policy, 1000)  # compiled
    assert seconds("conservative", 200_000) < 10 * seconds("easy", 200_000)


def test_a_queue_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conservative, "MOST_WAITING", 3000)
    message = "policy conservative: more than 3000 jobs wait, and all their reservations are kept"
    with pytest.raises(zw.InputError, match=message):
        seconds("conservative", 20_000)
    zw.simulate("figure1", 256, "conservative", arrivals=20_000, replications=1)
