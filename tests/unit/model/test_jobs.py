"""Jobs as a table, and those that ran longer than announced."""

from dataclasses import fields

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


def test_overruns_of_exact_estimates_change_nothing() -> None:
    exact = Jobs([0], [1], [10])
    assert apply_overruns(exact, "kill") == (exact, 0)
    with pytest.raises(InputError, match="overruns = 'forgive': must be one of extend, kill, as-"):
        apply_overruns(JOBS, "forgive")


def test_every_column_stays_with_its_jobs() -> None:
    names = [field.name for field in fields(Jobs) if field.name not in ("arrival", "need")]
    jobs = Jobs([0, 1, 2], [1, 2, 3], **{name: np.array([7, 8, 9]) for name in names})
    for which in (np.array([True, False, True]), np.array([0, 2]), slice(0, 3, 2)):
        kept = jobs.select(which)
        assert set(kept.columns) == {"arrival", "need", *names}
        assert all(np.asarray(getattr(kept, name)).tolist() == [7, 9] for name in names)
    changed, count = apply_overruns(jobs.with_columns(estimate=[1, 8, 9]))
    assert count == 1
    assert set(changed.columns) == set(jobs.columns)
    assert "user" not in jobs.with_columns(user=None).columns


def test_columns_must_be_as_long_as_the_jobs() -> None:
    with pytest.raises(InputError, match="length of user = 1: must be 2, as arrival"):
        Jobs([0, 1], [1, 1], [5, 5], user=np.array(["ann"]))
    with pytest.raises(InputError, match="none is left"):
        Jobs([0, 1], [1, 1], [5, 5]).select(slice(0))
