"""Refusals, in words for people and in parts for programs."""

import pickle

import pytest

import zerowait as zw
from zerowait.model.quantities import positive, refuse


def test_a_refusal_has_its_parts() -> None:
    with pytest.raises(zw.InputError) as refused:
        positive("load", -0.5)
    error = refused.value
    assert (error.field, error.value) == ("load", -0.5)
    assert error.remedy == "must be a finite number above zero"
    assert str(error) == f"load = -0.5: {error.remedy}"


def test_the_parts_survive_a_trip_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(refuse("policies", iter([]), "must be a list")))
    assert (error.field, error.remedy) == ("policies", "must be a list")
    assert isinstance(error.value, str)  # what is shown of it: an iterator cannot travel
