"""Numbers and names as people read them: four digits, shares, durations, intervals."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Form = Literal["number", "share", "duration"]

NONE = "–"
DIVERGING = "diverging"
HUGE = 1e12  # from here on powers of ten are easier to read
UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))


@dataclass(frozen=True)
class Value:
    """A number to show, how it is written, and its interval; None: there is none.

    `best`: no other is significantly better. `diverging`: that is why there is none. `mark`: what
    else is to be seen of it, such as an arrow.
    """

    value: float | None
    form: Form = "number"
    half_width: float | None = None
    bounds: tuple[float, float] | None = None  # of an interval that is not about the value
    best: bool = False
    diverging: bool = False
    digits: int = 4
    mark: str = ""

    @property
    def known(self) -> bool:
        return self.value is not None and self.value == self.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of its interval, where both are numbers."""
        if not self.known or self.value is None:
            return None
        low, high = math.nan, math.nan
        if self.bounds is not None:
            low, high = self.bounds
        elif self.half_width is not None:
            low, high = self.value - self.half_width, self.value + self.half_width
        return (low, high) if math.isfinite(low) and math.isfinite(high) else None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of its interval; without one, the value itself twice."""
        value = math.nan if self.value is None else self.value
        return self.interval or (value, value)


def number(value: float | None, digits: int = 4) -> str:
    """Write significant digits, without an exponent where people would not use one."""
    if value is None or value != value:
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.0f}" if 10**digits <= abs(value) < HUGE else f"{value:.{digits}g}"


def share(value: float | None, digits: int = 4) -> str:
    return NONE if value is None or value != value else f"{value:.{digits}f}"


def percent(value: float | None, digits: int = 3) -> str:
    return NONE if value is None or value != value else f"{100 * value:.{digits}g}%"


def duration(value: float | None, digits: int = 3) -> str:
    """Write seconds as `3.2 d`, `14 h`, `7.5 min`, `12 s`."""
    if value is None or not math.isfinite(value):
        return number(value)
    size, unit = next((one for one in UNITS if abs(value) >= one[0]), UNITS[-1])
    return f"{number(value / size, digits)} {unit}"


def digits_of_rest(part: float) -> float:
    """Return the place of a quantile on an axis: 1 for 90%, 2 for 99%, 3 for 99.9%."""
    return -math.log10(1 - part)


def written(one: Value, *, units: bool = True, percents: bool = True) -> str:
    """Write a value with its interval; times in units or seconds, shares in percent or of one."""
    if not one.known:
        return DIVERGING if one.diverging else NONE
    write, digits = number, one.digits
    if one.form == "duration" and units:
        write, digits = duration, 3
    elif one.form == "share":
        write, digits = (percent, 3) if percents else (share, 4)
    mean = write(one.value, digits) + one.mark
    ends = number if write is share else write
    if one.interval is None:
        return mean
    if one.bounds is not None:
        return f"{mean} [{ends(one.bounds[0], 3)}, {ends(one.bounds[1], 3)}]"
    return f"{mean} ± {ends(one.half_width, 2)}"


def rounded(share: float) -> str:
    """Write a share in a sentence: two digits of a percentage, none after the point above 100."""
    return f"{100 * share:.2g}%" if abs(share) < 0.995 else f"{100 * share:,.0f}%"


def joined(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def readable(text: str, lines: bool = False) -> str:
    """Write control characters by their names, `\\x1b`; the ends of `lines` may be left.

    Names of classes, users and policies are text wherever they are shown.
    """
    if text.isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or (lines and one == "\n")
        else one.encode("unicode_escape").decode("ascii")
        for one in text
    )


def escaped(text: str) -> str:
    """Make a text safe for a page: nothing in it is a tag."""
    return html.escape(readable(text, lines=True))
