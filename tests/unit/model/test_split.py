"""The balanced split: the paper's values, and a naive walk over all breakpoints."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.draws import draws
from zerowait.model import (
    Exponential,
    InputError,
    JobClass,
    Split,
    Workload,
    balanced_split,
    proportional_demands,
    split_demands,
    split_from_slots,
    workloads,
)
from zerowait.model.quantities import meant
from zerowait.model.split import why_no_split


def naive(needs: Sequence[int], demands: Sequence[Fraction], servers: int) -> tuple[object, ...]:
    """psi, slots and helpers by trying every breakpoint m / c_i up to one."""
    total = sum(demands) or Fraction(1)
    c = [servers * d / (n * total) for n, d in zip(needs, demands, strict=True)]

    def slots(x: Fraction) -> tuple[int, ...]:
        return tuple(math.floor(x * ci) for ci in c)

    def helpers(x: Fraction) -> int:
        return servers - sum(s * n for s, n in zip(slots(x), needs, strict=True))

    one = Fraction(1)
    if all(ci > 0 and ci.denominator == 1 for ci in c):
        return one, slots(one), 0
    points = {m / ci for ci in c if ci for m in range(1, math.floor(ci) + 1)}
    best = Fraction(0)
    for x in sorted(points):
        if helpers(x) < max(needs):
            return x, slots(best), helpers(best)
        best = x
    return one, slots(best), helpers(best)


PARTS = st.fractions(0, 4, max_denominator=12) | st.integers(0, 5).map(Fraction)


@given(
    st.lists(st.tuples(st.integers(1, 9), PARTS), min_size=1, max_size=7),
    st.integers(9, 400),
)
@example([(1, Fraction(1)), (2, Fraction(2)), (4, Fraction(4))], 28)  # c_i = 4, 4, 4
@example([(2, Fraction(1)), (2, Fraction(1)), (2, Fraction(1))], 10)  # all breakpoints coincide
@example([(3, Fraction(1)), (2, Fraction(0))], 9)  # c = 3, 0: the second class needs helpers
@example([(5, Fraction(0))], 9)
@draws(400)
def test_is_the_naive_walk(classes: list[tuple[int, Fraction]], servers: int) -> None:
    needs, demands = [n for n, _ in classes], [d for _, d in classes]
    split = split_demands(needs, demands, servers)
    assert (split.psi, split.slots, split.helpers) == naive(needs, demands, servers)
    assert split.own_servers == tuple(s * n for s, n in zip(split.slots, needs, strict=True))
    assert split.servers == servers
    assert split.needs == tuple(needs)
    # Floats mean the same rationals, and the unit of the demands is irrelevant.
    assert split_demands(needs, [float(d) for d in demands], servers) == split
    assert split_demands(np.array(needs), [7 * d for d in demands], servers) == split


@pytest.mark.parametrize(
    ("servers", "own_servers", "helpers"),
    [
        (256, (44, 56, 48, 32), 76),
        (2048, (384, 512, 512, 512), 128),
        (32768, (6262, 8686, 8484, 8080), 1256),
    ],
)
def test_figure_1(servers: int, own_servers: tuple[int, ...], helpers: int) -> None:
    workload = workloads.figure1(servers)
    split = balanced_split(workload, servers)
    assert split.own_servers == own_servers
    assert split.helpers == helpers
    assert (split.psi == 1) == (servers == 32768)
    exact = [Fraction(19, 20), *[Fraction(4, 3)] * 3]  # times f_k
    assert (split.psi, split.slots, split.helpers) == naive(split.needs, exact, servers)


def test_integral_split_has_no_helpers_whatever_the_rounding() -> None:
    # 0.05 / 3 three times: in floats the c_i would miss the integers by an ulp.
    classes = [JobClass(n, 1 / 3, Exponential(0.05 / 3 / n)) for n in (1, 2, 4)]
    split = balanced_split(Workload(classes), 12)
    assert split == Split(Fraction(1), (4, 2, 1), (4, 4, 4), 0, (1, 2, 4))


def test_proportional_demands_give_the_same_split() -> None:
    workload = workloads.kit_fh2()
    parts = proportional_demands(workload)
    assert split_demands(workload.needs, parts, 1024) == balanced_split(workload, 1024)
    assert proportional_demands(workloads.figure1(256)) == [57, 80, 80, 80]


def test_irregular_floats_take_their_exact_values() -> None:
    rng = np.random.default_rng(3)
    needs, demands = rng.integers(1, 9, 12).tolist(), rng.random(12).tolist()
    split = split_demands(needs, demands, 300)
    exact = [Fraction(d) for d in demands]
    assert (split.psi, split.slots, split.helpers) == naive(needs, exact, 300)


def test_floats_are_read_as_meant() -> None:
    assert [meant(x) for x in (0.1, 0.05 / 3, 0.1 + 0.2, 10519.71, 3, 1e-9, math.pi)] == [
        Fraction(1, 10),
        Fraction(1, 60),
        Fraction(3, 10),
        Fraction(1051971, 100),
        Fraction(3),
        Fraction(1e-9),
        Fraction(math.pi),
    ]


def test_a_search_that_has_to_work() -> None:
    # One slot of 5,000 servers is half used: not feasible at x = 1, so the search has to work.
    rng = np.random.default_rng(1)
    demands = rng.multinomial(10**7 - 5000, np.full(999, 1 / 999)).tolist()
    for last in (5000, 5000.0):
        split = split_demands([1] * 999 + [10_000], [*demands, last], 10**7)
        assert split.psi is not None
        assert 0.99 < split.psi < 1
        assert split.helpers >= 10_000
        assert split.without_slots == (999,)


def test_overloaded_and_without_slots() -> None:
    split = split_from_slots([1, 2, 4], [3, 0, 2], 16)
    assert split == Split(None, (3, 0, 2), (3, 0, 8), 5, (1, 2, 4))
    assert split.without_slots == (1,)
    assert split.overloaded([3.0, 9.0, 2.1]) == (2,)
    # Figure 1 at k = 128: every class is offered more than its slots can do.
    workload = workloads.figure1(128)
    offered = (workload.arrivals.rate or 0) * workload.shares * workload.mean_services
    assert balanced_split(workload, 128).overloaded(offered) == (0, 1, 2, 3)


TWO = Workload([JobClass(n, 0.5, Exponential(1)) for n in (1, 8)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: balanced_split(TWO, 7), r"need of classes\[1\] = 8: exceeds the 7 servers"),
        (lambda: balanced_split(TWO, 8.0), "servers = 8.0"),  # type: ignore[arg-type]
        (lambda: split_demands([1, 9], [1, 1], 8), r"needs\[1\] = 9"),
        (lambda: split_demands([1, 2], [1], 8), r"demands = \[1\]"),
        (lambda: split_demands([1, 2], [1, math.nan], 8), r"demands\[1\] = nan"),
        (lambda: split_demands([1, 2], [1, -1], 8), r"demands\[1\] = -1"),
        (lambda: split_demands([], [], 8), r"needs = \[\]"),
        (lambda: split_from_slots([1, 2], [1], 8), r"slots = \(1,\)"),
        (lambda: split_from_slots([1, 2], [1, -1], 8), r"slots\[1\] = -1"),
        (lambda: split_from_slots([1, 2], [3, 3], 8), r"slots = \(3, 3\): take 9 of 8"),
        (lambda: split_from_slots([1, 4], [5, 0], 8), r"slots\[1\] = 0: leaves jobs of need 4"),
        (lambda: split_from_slots([1], [1], 2).overloaded([1, 2]), r"offered = \[1.0, 2.0\]"),
    ],
)
def test_refuses_and_says_why(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()


def test_a_published_workload_by_name() -> None:
    assert balanced_split("figure1", 256) == balanced_split(workloads.figure1(256), 256)
    with pytest.raises(InputError, match=r"workload = 1\.5: must be a Workload, or the name"):
        balanced_split(1.5, 256)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="workload 'figure9': is not known"):
        balanced_split("figure9", 256)


def test_what_keeps_servers_from_being_split_is_told() -> None:
    """Of 100 servers a job that needs all of them leaves none to any class."""
    needs, demands = [1, 8, 100], [50.0, 49.0, 1.0]
    assert not any(split_demands(needs, demands, 100).slots)
    told = why_no_split(needs, demands, 100)
    assert told is not None
    own = sum(split_demands(needs[:2], demands[:2], 100).own_servers)
    assert "more than 8 (1.00% of the work)" in told
    assert f"(--max-need 8) classes would have {own} of 100 servers" in told
    assert why_no_split(needs[:2], demands[:2], 100) is None
    alone = why_no_split([60, 100], [1.0, 1.0], 100)
    assert alone is not None
    assert "no class can have" in alone
