"""The register of targets."""

import pytest

from zerowait.paper import TARGET_NAMES
from zerowait.paper.pauses import BASELINES, PREEMPTIVE, QUICK_SHARES
from zerowait.paper.settings import Settings
from zerowait.paper.work import TARGETS, find_targets


def test_every_target_is_offered() -> None:
    assert tuple(TARGETS) == TARGET_NAMES
    assert {target.name for target in TARGETS.values()} == set(TARGET_NAMES)
    assert find_targets(["all", "fig1"]) == list(TARGETS.values())


def test_pauses_are_priced_by_the_mean_service_and_others_run_once() -> None:
    sweeps = TARGETS["pauses"].sweeps(Settings(replications=2))
    points = [point for one in sweeps for point in one.points()]
    prices = {float(point.options.get("preemption_cost", 0)) for point in points}
    mean = points[0].workload.mean_service
    assert sorted(prices) == pytest.approx([share * mean for share in QUICK_SHARES], rel=1e-5)
    n_cells = len(BASELINES) + len(PREEMPTIVE) * len(QUICK_SHARES)
    assert len({point.key for point in points}) == len(points) == 2 * n_cells
