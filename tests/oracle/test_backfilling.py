"""Policies that fill gaps equal their naive twins, with estimates right, too long and too short."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .backfilling import PLAIN
from .naive import naive
from .replaying import replay
from .strategies import Case, guessed, plain_cases, split_cases
from .test_oracle import long_case

pytestmark = pytest.mark.slow

SPLIT = [f"{split}:{auxiliary}" for split in ("bs", "mbs") for auxiliary in PLAIN]

exactly = draws(200)


def check_jobs(policy: str, case: Case) -> None:
    expected = naive(policy, *case)
    table = replay(policy, case).jobs
    actual = list(zip(*(table[c] for c in ("start", "end", "helpers")), strict=True))
    assert actual == [(o.start, o.end, o.helpers) for o in expected]


@pytest.mark.parametrize("policy", PLAIN)
@given(data=st.data())
@exactly
def test_jobs(policy: str, data: st.DataObject) -> None:
    check_jobs(policy, data.draw(guessed(plain_cases(), ["as-recorded"])))


@pytest.mark.parametrize("policy", SPLIT)
@given(data=st.data())
@exactly
def test_jobs_of_a_split(policy: str, data: st.DataObject) -> None:
    cases = split_cases(modified=policy.startswith("mbs"))
    check_jobs(policy, data.draw(guessed(cases, ["as-recorded"])))


LENGTH = 300


@pytest.mark.parametrize("binned", [False, True], ids=["by need", "binned"])
@pytest.mark.parametrize("guess", ["exact", "wild"])
@pytest.mark.parametrize("policy", PLAIN + SPLIT)
def test_longer_runs(policy: str, guess: str, binned: bool) -> None:
    case = long_case(seed=7, whole=guess == "wild", binned=binned, load=0.9)
    rng = random.Random(11)
    jobs = case.jobs[:LENGTH]
    estimates = [service * rng.choice([0.3, 1.0, 1.0, 4.0]) for _, _, service in jobs]
    check_jobs(
        policy,
        Case(
            jobs,
            case.servers,
            case.job_class[:LENGTH] if case.job_class is not None else None,
            case.slots if policy in SPLIT else None,
            estimates if guess == "wild" else None,
            "as-recorded",
        ),
    )
