"""The register of targets."""

import pytest

from zerowait.cli.reproduce import TARGETS as OFFERED
from zerowait.experiment.reproduce import TARGETS, Settings
from zerowait.experiment.reproduce.targets.pauses import BASELINES, PREEMPTIVE, QUICK_SHARES
from zerowait.experiment.reproduce.work import find_targets


def test_a_target_is_a_file_of_its_name() -> None:
    assert list(TARGETS) == OFFERED
    assert {name: target.name for name, target in TARGETS.items()} == {one: one for one in OFFERED}
    assert find_targets(["all", "fig1"]) == list(TARGETS.values())


def test_pauses_are_priced_by_the_mean_service_and_others_run_once() -> None:
    sweeps = TARGETS["pauses"].sweeps(Settings(replications=2))
    points = [point for one in sweeps for point in one.points()]
    prices = {float(point.options.get("preemption_cost", 0)) for point in points}
    mean = points[0].workload.mean_service
    assert sorted(prices) == pytest.approx([share * mean for share in QUICK_SHARES], rel=1e-5)
    n_cells = len(BASELINES) + len(PREEMPTIVE) * len(QUICK_SHARES)
    assert len({point.key for point in points}) == len(points) == 2 * n_cells
