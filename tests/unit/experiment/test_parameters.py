"""The help of the public functions."""

import inspect

import pytest

import zerowait as zw
from zerowait.experiment.checks import entries_of
from zerowait.experiment.parameters import OPTIONS, OWN, PARAMETERS, parameters_of

FUNCTIONS = {name for name in zw.__all__ if inspect.isfunction(getattr(zw, name))}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_help_explains_every_parameter(name: str) -> None:
    function = getattr(zw, name)
    section = (inspect.getdoc(function) or "").partition("\nParameters:\n")[2]
    for parameter in inspect.signature(function).parameters:
        assert f"    {parameter}: " in section, parameter
    assert "" not in parameters_of(function).values()


def test_options_are_explained_as_in_the_register() -> None:
    for name, kind in OPTIONS.items():
        told = parameters_of(getattr(zw, name))
        for one in entries_of(kind):
            assert told[one.name] == OWN.get(name, {}).get(one.name, one.meaning)


def test_nothing_is_explained_that_nobody_takes() -> None:
    taken = {name: {*inspect.signature(getattr(zw, name)).parameters} for name in FUNCTIONS}
    assert OPTIONS.keys() | OWN.keys() <= FUNCTIONS
    assert PARAMETERS.keys() <= set().union(*taken.values())
    for name, own in OWN.items():
        assert own.keys() <= taken[name], name
