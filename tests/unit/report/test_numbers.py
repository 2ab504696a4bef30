"""Numbers as people read them."""

import math

import pytest

from zerowait.report.numbers import Value, duration, number, written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (math.nan, "–"), (math.inf, "∞"), (0.0, "0"), (3.14159, "3.142"),
        (9999.4, "9999"), (12345.6, "12,346"), (1e-7, "1e-07"), (3e15, "3e+15"),
    ],
)  # fmt: skip
def test_numbers(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59, "59 s"), (450, "7.5 min"), (8280, "2.3 h"), (86_400, "1 d"),
     (86_400 * 1234, "1,234 d"), (math.inf, "∞"), (None, "–")],
)  # fmt: skip
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_values_are_written_with_their_intervals() -> None:
    assert written(Value(10.73, half_width=3.91)) == "10.73 ± 3.9"
    assert written(Value(0.66721, "share", 0.0123)) == "66.7% ± 1.2%"
    assert written(Value(0.66721, "share", 0.0123), percents=False) == "0.6672 ± 0.012"
    assert written(Value(8280.0, "duration", bounds=(3600, 9000))) == "2.3 h [1 h, 2.5 h]"
    assert written(Value(8280.0, "duration"), units=False) == "8280"
    assert written(Value(5.0, half_width=math.nan)) == "5"
    assert written(Value(None)) == "–"
    assert written(Value(None, diverging=True)) == "diverging"
    assert Value(5.0, half_width=2.0).ends == (3.0, 7.0)
    assert Value(5.0).ends == (5.0, 5.0)
