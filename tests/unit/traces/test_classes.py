"""Classes of needs: exact, rounded, in bins, and few with little waste."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws
from zerowait.model import InputError, Jobs
from zerowait.traces.classes import GROUPINGS, MOST_CLASSES, group, power_below


def jobs_of(needs: list[int], services: list[float] | None = None) -> Jobs:
    return Jobs(np.arange(len(needs)), needs, services or [1.0] * len(needs))


def test_register() -> None:
    assert set(GROUPINGS) == {"auto", "bins", "down", "exact", "up"}


def test_exact_and_rounded() -> None:
    jobs = jobs_of([1, 3, 5, 8, 3])
    assert group(jobs, "exact").needs.tolist() == [1, 3, 5, 8]
    assert group(jobs, "exact").waste == 0
    down = group(jobs, "down")
    assert down.needs.tolist() == [1, 2, 4, 8]
    assert down.index.tolist() == [0, 1, 2, 3, 1]
    assert down.names == ["need 1", "need 3 as 2", "need 5 as 4", "need 8"]
    assert down.waste == pytest.approx(-3 / 20)
    up = group(jobs, "up")
    assert up.needs.tolist() == [1, 4, 8]
    assert up.names == ["need 1", "need 3 as 4", "need 5-8"]
    assert up.waste == pytest.approx(5 / 20)


def test_powers_are_exact() -> None:
    powers = 2 ** np.arange(40)
    assert (power_below(powers) == powers).all()
    assert (power_below(powers[2:] - 1) == powers[1:-1]).all()


def test_bins() -> None:
    binned = group(jobs_of([1, 3, 5, 8]), "bins=2/6/64")
    assert binned.needs.tolist() == [1, 5, 8]  # the largest need found in each
    assert binned.index.tolist() == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("bins=4/2", "ascending"), ("bins", "ascending"), ("bins=2/4", "a job needs 8"),
        ("auto=x", "auto=x"), ("auto=-1", "auto=-1"), ("exact=1", "takes no value"),
        ("up=1", "takes no value"), ("round", "is not known"),
    ],
)  # fmt: skip
def test_bad_spellings(spelling: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        group(jobs_of([1, 8]), spelling)


def naive_waste(needs: list[int], services: list[float], edges: tuple[int, ...]) -> float:
    return sum(
        s * (min(e for e in edges if e >= n) - n) for n, s in zip(needs, services, strict=True)
    )


@given(
    jobs=st.lists(st.tuples(st.integers(1, 30), st.integers(1, 9)), min_size=1, max_size=12),
    limit=st.sampled_from([0.0, 0.05, 0.2, 1.0]),
)
@draws(150)
def test_automatic_is_the_best_of_all(jobs: list[tuple[int, int]], limit: float) -> None:
    """Against every set of edges: no fewer classes would do, and no other so many waste less."""
    needs, services = [n for n, _ in jobs], [float(s) for _, s in jobs]
    found = group(jobs_of(needs, services), f"auto={limit}")
    work = sum(n * s for n, s in zip(needs, services, strict=True))
    distinct = sorted(set(needs))
    best = {
        size: min(
            naive_waste(needs, services, (*edges, distinct[-1]))
            for edges in itertools.combinations(distinct[:-1], size - 1)
        )
        for size in range(1, len(distinct) + 1)
    }
    enough = [size for size, waste in best.items() if waste <= limit * work + 1e-9]
    assert len(found) == min(min(enough), MOST_CLASSES)
    assert found.waste * work == pytest.approx(best[len(found)], abs=1e-6)


def test_automatic_with_thousands_of_needs() -> None:
    rng = np.random.default_rng(1)
    jobs = jobs_of(rng.integers(1, 20_000, 30_000).tolist())
    found = group(jobs, "auto")
    assert len(found) <= MOST_CLASSES
    assert found.highest[-1] == max(np.asarray(jobs.need))
    assert (found.lowest[1:] > found.highest[:-1]).all()
