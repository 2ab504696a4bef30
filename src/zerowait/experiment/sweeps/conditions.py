"""Choosing rows of stored results: `policy=bs:fcfs`, `servers>=2048`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zerowait.model import InputError
from zerowait.policies import parse_policy

if TYPE_CHECKING:
    import polars

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*")
CLOSE = 1e-9  # relative: a load that was worked out from a rate is off by rounding


def chosen_rows(frame: "polars.DataFrame", conditions: Sequence[str]) -> "polars.DataFrame":
    """The rows for which every condition holds."""
    for condition in conditions:
        frame = frame.filter(_expression(frame, condition))
    return frame


def check_columns(frame: "polars.DataFrame", names: Sequence[str]) -> None:
    for name in names:
        if name not in frame.columns:
            raise InputError(f"column {name!r}: is not in these results; {_known(frame)}")


def _expression(frame: "polars.DataFrame", condition: str) -> "polars.Expr":
    import polars

    match = _CONDITION.fullmatch(condition)
    if match is None:
        raise InputError(f"condition {condition!r}: must be COLUMN=VALUE (or <, <=, >, >=, !=)")
    name, sign, text = match.groups()
    check_columns(frame, [name])
    column, kind = polars.col(name), frame.schema[name]
    if kind == polars.Boolean:
        value: Any = {"true": True, "false": False}.get(text.lower())
    elif kind.is_numeric():
        value = _number(text)
    else:
        value = _policy(text) if name == "policy" else text
    if value is None:
        raise InputError(f"condition {condition!r}: {text!r} cannot be a value of {name}")
    if isinstance(value, float):
        near = (column - value).abs() <= CLOSE * max(1.0, abs(value))
        signs = {"=": near, "!=": ~near, "<=": (column < value) | near}
        signs |= {">=": (column > value) | near, "<": (column < value) & ~near}
        return (signs | {">": (column > value) & ~near})[sign]
    plain_signs: dict[str, polars.Expr] = {
        "=": column == value, "!=": column != value, "<": column < value,
        "<=": column <= value, ">": column > value, ">=": column >= value,
    }  # fmt: skip
    return plain_signs[sign]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _policy(text: str) -> str:
    """The spelling that results have; that of a user's own policy is taken as it is."""
    try:
        return parse_policy(text).spec
    except InputError:
        return text


def _known(frame: "polars.DataFrame") -> str:
    return f"it has {', '.join(frame.columns)}"
