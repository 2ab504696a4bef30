"""The register of targets."""

from zerowait.cli.reproduce import TARGETS as OFFERED
from zerowait.experiment.reproduce import TARGETS
from zerowait.experiment.reproduce.work import find_targets


def test_a_target_is_a_file_of_its_name() -> None:
    assert list(TARGETS) == OFFERED
    assert {name: target.name for name, target in TARGETS.items()} == {one: one for one in OFFERED}
    assert find_targets(["all", "fig1"]) == list(TARGETS.values())
