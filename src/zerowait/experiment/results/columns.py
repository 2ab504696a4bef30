"""Measures with their half-widths beside them: as columns of a table, and nested for JSON."""

from typing import Any

from zerowait.experiment.measures import HALF_WIDTH, MEASURES


def flat(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """Columns of a table: response, response_half_width, response_std, response_p99, ..."""
    row: dict[str, Any] = {}
    for name in MEASURES:
        row |= _columns(name, known[name], widths)
    return row


def nested(known: dict[str, Any], widths: dict[str, float | None]) -> dict[str, Any]:
    """A measure that has several parts is a table of its own: mean, half_width, std, p99, ..."""
    row: dict[str, Any] = {}
    for name, value in known.items():
        columns = _columns(name, value, widths)
        if isinstance(value, dict):
            row[name] = {key[len(name) + 1 :] or "mean": part for key, part in columns.items()}
        else:
            row |= columns
    return row


def _columns(name: str, value: Any, widths: dict[str, float | None]) -> dict[str, Any]:
    """Of one measure, each followed by its half-width where it has one."""
    row = {}
    for key, part in (value if isinstance(value, dict) else {"mean": value}).items():
        column = name if key == "mean" else f"{name}_{key}"
        row[column] = part
        if column in widths:
            row[column + HALF_WIDTH] = widths[column]
    return row
