"""Jobs that ran longer than announced, under each rule."""

import numpy as np
import pytest

from zerowait.model import InputError, Jobs, apply_overruns

JOBS = Jobs([0, 1, 2], [1, 1, 1], [10, 20, 30], estimate=[10, 5, 60])


@pytest.mark.parametrize(
    ("rule", "service", "estimate"),
    [
        ("extend", [10, 20, 30], [10, 20, 60]),
        ("kill", [10, 5, 30], [10, 5, 60]),
        ("as-recorded", [10, 20, 30], [10, 5, 60]),
    ],
)
def test_rules(rule: str, service: list[float], estimate: list[float]) -> None:
    jobs, count = apply_overruns(JOBS, rule)
    assert count == 1
    assert np.asarray(jobs.service).tolist() == service
    assert np.asarray(jobs.estimate).tolist() == estimate
    assert jobs.class_labels == JOBS.class_labels


def test_nothing_to_do() -> None:
    exact = Jobs([0], [1], [10])
    assert apply_overruns(exact, "kill") == (exact, 0)
    with pytest.raises(InputError, match="overruns = 'forgive': must be one of extend, kill, as-"):
        apply_overruns(JOBS, "forgive")
