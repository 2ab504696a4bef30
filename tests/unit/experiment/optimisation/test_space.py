"""What is searched: arms, axes and what the user makes of them."""

from dataclasses import dataclass, field

import pytest

from zerowait.experiment.optimisation.space import Arm, Ground, Narrowing, arms_of, fitting_slots
from zerowait.model import InputError
from zerowait.policies import POLICIES, Range, parse_policy, register
from zerowait.policies.families.options import NUMBER
from zerowait.policies.fcfs import Fcfs

GROUND = Ground(64, (1, 4, 16), (10.0, 20.0, 30.0), (1.0, 5.0, 2.0), 2.0)
NOTHING = Narrowing()


def at(arm: Arm, *point: float) -> str:
    return arm.candidate(point, lambda cut: GROUND).spelling


def test_arms_of_backfill_are_its_orders_and_ways_to_be_due() -> None:
    names = [arm.name for arm in arms_of("backfill", 3, NOTHING)]
    assert names == [
        "backfill,order=arrival over reserve_after",
        "backfill,order=need over reserve_after",
        "backfill,order=estimate,by=job over reserve_after",
        "backfill,order=estimate,by=class over reserve_after",
        "backfill,order=area,by=job over reserve_after",
        "backfill,order=area,by=class over reserve_after",
        "backfill,order=due,time_weight=1.0,by=job over reserve_after, patience, need_weight",
        "backfill,order=due over reserve_after, allowance",
        "backfill,order=due,time_weight=1.0,by=class over reserve_after, patience, need_weight",
        "backfill,order=due,time_weight=0.0 over reserve_after, patience",
    ]
    # With many classes a table has too many entries to search.
    assert len(arms_of("backfill", 20, NOTHING)) == 9


@pytest.mark.parametrize(
    "policy", ["backfill", "bs:fcfs", "bs:backfill", "bs:first-fit,slots=9/2/0"]
)
def test_every_point_of_every_arm_is_a_policy_that_its_spelling_gives_back(policy: str) -> None:
    for arm in arms_of(policy, 3, NOTHING):
        for u in (0.0, 0.11, 0.13, 0.5, 0.87, 0.89, 0.999, 1.0):
            candidate = arm.candidate([u] * arm.n_axes, lambda cut: GROUND)
            assert parse_policy(candidate.policy.spec).spec == candidate.policy.spec


def test_times_are_in_mean_services_and_special_values_at_the_ends() -> None:
    (arm,) = arms_of("backfill,order=arrival", 3, NOTHING)
    assert at(arm, 0.05) == "backfill"  # reserve_after=0
    assert at(arm, 0.12) == "backfill,reserve_after=0.2"  # 0.1 mean services
    assert at(arm, 0.8799999) == "backfill,reserve_after=200"
    assert at(arm, 0.95) == "backfill,reserve_after=never"


def test_tables_are_told_from_the_first_class() -> None:
    (arm,) = [one for one in arms_of("backfill,order=due,reserve_after=0", 3, NOTHING)
              if "allowance" in one.name]  # fmt: skip
    assert at(arm, 0.5, 1.0) == "backfill,order=due,allowance=0/0/100"


def test_slots_leave_helpers_for_the_largest_job() -> None:
    assert fitting_slots((0, 0, 0), GROUND) == (0, 0, 0)
    for shares in ((1.0, 1.0, 1.0), (1.5, 0.0, 1.5), (1.5, 1.5, 1.5), (0.3, 0.9, 0.1)):
        slots = fitting_slots(shares, GROUND)
        own = sum(s * n for s, n in zip(slots, GROUND.class_needs, strict=True))
        assert 64 - own >= 16
        fair = [64 * d / (n * 60) for n, d in zip((1, 4, 16), (10, 20, 30), strict=True)]
        assert all(s <= x * c for s, x, c in zip(slots, shares, fair, strict=True))


def test_cut_classes_have_slots_each() -> None:
    (arm,) = arms_of("bs:fcfs", 3, NOTHING, cut=True)
    assert arm.n_axes == 6 + 1
    cut_ground = Ground(64, (1, 1, 4, 4, 16, 16), (1.0,) * 6, (1.0,) * 6, 2.0)
    candidate = arm.candidate([0.5] * 7, lambda cut: cut_ground if cut else GROUND)
    assert candidate.cut is not None
    assert candidate.cut.at == (1.0, 5.0, 2.0)  # at the middle of the axis: the mean services
    assert len(candidate.policy.slots) == 6  # type: ignore[attr-defined]


def test_fixed_options_and_ranges_narrow_the_arms() -> None:
    fixed = Narrowing({"order": "due", "time_weight": "1", "by": "job"}, {"patience": "3:30"})
    formula, table = arms_of("backfill", 3, fixed)
    assert "patience=3," in at(formula, 0.5, 0.0, 0.5)
    assert "patience=30," in at(formula, 0.5, 1.0, 0.5)
    assert "allowance" in table.name
    # An arm in which a fixed option has no place is left out.
    assert all(
        "order=due" in arm.name for arm in arms_of("backfill", 3, Narrowing({"patience": "5"}))
    )


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        ({"patience": "30:3"}, "the smaller first"),
        ({"patience": "0:3"}, "both above zero"),
        ({"patience": "3"}, "give low:high"),
        ({"allowance": "0:3"}, "has no range; fix it"),
        ({"patience": "3:wool"}, "is no time"),
    ],
)
def test_ranges_that_make_no_sense_are_refused(ranges: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        arms_of("backfill", 3, Narrowing(ranges=ranges))


def test_an_option_that_fits_no_arm_is_refused_in_the_policys_words() -> None:
    with pytest.raises(InputError, match="is for order=due"):
        arms_of("backfill,order=need,patience=3", 3, NOTHING)


def test_a_policy_of_the_users_own_is_searched_the_same_way() -> None:
    @register
    @dataclass(frozen=True)
    class Warm(Fcfs):
        name = "warm"
        warmth: float = field(
            default=1.0, metadata=NUMBER | {"search": Range(1, 100, "log", whole=True)}
        )

    try:
        (arm,) = arms_of("warm", 3, NOTHING)
        assert [at(arm, u) for u in (0.0, 0.5, 1.0)] == [
            "warm",
            "warm,warmth=10",
            "warm,warmth=100",
        ]
    finally:
        del POLICIES["warm"]
