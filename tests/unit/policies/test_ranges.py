"""A range that cannot be searched is refused where it is written."""

from typing import Any

import pytest

from zerowait.kit import Choice, Range
from zerowait.model import InputError


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((10, 1), "low = 10: must be below high = 1"),
        ((0, 10, "log"), "low = 0: must be above zero on the log scale"),
        ((-1, 10, "symlog"), "low = -1: must be -10 on the symlog scale"),
        ((1, 10, "lgo"), "scale = 'lgo': must be one of linear, log, symlog"),
        ((1, 10, "log", "hour"), "unit = 'hour': must be one of number, time, mean service"),
        ((1, float("inf")), "high = inf: must be a finite number"),
        (("1", 10), "low = '1': must be a finite number"),
    ],
)
def test_ranges(given: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Range(*given)


def test_choices() -> None:
    assert Choice(["new", "old"]).values == ("new", "old")  # type: ignore[arg-type]
    for given in ((), "new"):
        with pytest.raises(InputError, match="values = "):
            Choice(given)  # type: ignore[arg-type]
