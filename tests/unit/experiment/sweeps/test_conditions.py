"""Rows of results are chosen by conditions on their columns."""

import polars as pl
import pytest

import zerowait as zw
from zerowait.experiment.sweeps.store import chosen_rows

FRAME = pl.DataFrame(
    {
        "row": [1, 2, 3],
        "policy": ["fcfs", "balanced-splitting:fcfs", "mine"],
        "load": [0.7000000000000001, 0.8, None],
        "diverging": [False, True, None],
    }
)


@pytest.mark.parametrize(
    ("conditions", "rows"),
    [
        ([], [1, 2, 3]),
        (["policy=bs:fcfs"], [2]),
        (["policy=mine"], [3]),
        (["policy!=FCFS"], [2, 3]),
        (["load=0.7"], [1]),
        (["load <= 0.7"], [1]),
        (["load>0.7"], [2]),
        (["load<0.7"], []),
        (["row>=2", "row<3"], [2]),
        (["diverging=true"], [2]),
        (["load!=0.7"], [2]),
    ],
)
def test_rows(conditions: list[str], rows: list[int]) -> None:
    assert chosen_rows(FRAME, conditions)["row"].to_list() == rows


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("polcy=fcfs", "column 'polcy': is not in these results; it has row, policy"),
        ("row=many", "'many' cannot be a value of row"),
        ("diverging=1", "'1' cannot be a value of diverging"),
        ("row", "condition 'row': must be COLUMN=VALUE"),
    ],
)
def test_refusals(condition: str, message: str) -> None:
    with pytest.raises(zw.InputError, match=message):
        chosen_rows(FRAME, [condition])
