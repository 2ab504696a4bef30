"""Axes of figures: durations at round times, decades with plain numbers, places with names."""

from typing import Any

import numpy as np

from zerowait.report.charts import LineView
from zerowait.report.numbers import UNITS, duration, number, percent

# Round for people: seconds, minutes, hours, days, a week, a month, a year.
DURATIONS = (0, 1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000)
ROOM = (1.25, 0.1)  # left at either end: a factor at least, and this share of the decades
BESIDE = 0.03  # of a linear axis, left at either end
APART = 0.13  # of the axis, between places that are named


def place_axis(axes: Any, view: LineView) -> None:
    """Set the scale and the limits of the axis along which lines run, and name its places."""
    places = [one.x for one in view.points]
    low, high = min(places), max(places)
    if view.x_log:
        axes.set_xscale("log", base=2)
        axes.set_xlim(low / ROOM[0], high * ROOM[0])
        axes.minorticks_off()
    else:
        room = BESIDE * ((high - low) or abs(high) or 1.0)
        axes.set_xlim(low - room, high + room)
    if view.ticks:
        shown = _apart(axes, view.ticks)
        axes.set_xticks([x for x, _ in shown], [name for _, name in shown], minor=False)
    elif view.x_format == "duration":
        duration_axis(axes.xaxis)


def _apart(axes: Any, ticks: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Leave names out that would stand upon those to their right."""
    to_axes = axes.transAxes.inverted()
    found: list[tuple[float, str]] = []
    end = 2.0
    for x, name in reversed(ticks):
        at = float(to_axes.transform(axes.transData.transform((x, axes.get_ylim()[0])))[0])
        if -0.01 <= at <= 1.01 and end - at >= APART:
            found.append((x, name))
            end = at
    return found[::-1]


def value_axis(axes: Any, view: LineView) -> None:
    """Set the scale and the limits of the axis of values.

    Logarithmic above the smallest, with a place for zero where there is one.
    """
    ends = [end for one in view.points for end in (one.value, one.high) if end is not None]
    ends += [view.reference[0]] if view.reference is not None else []
    lows = [*ends, *(one.low for one in view.points if one.low is not None)]
    positive = [one for one in ends if one > 0]
    if view.log and positive and min(ends) > 0:
        decades(axes, positive)
        if view.format == "duration":
            duration_axis(axes.yaxis, axes.get_ylim()[0])
    elif view.log and positive:
        least = 10.0 ** np.floor(np.log10(min(positive)))
        axes.set_yscale("symlog", linthresh=least)
        axes.set_ylim(0, max(ends) * ROOM[0])
        _write_values(axes, view, least)
    else:
        top = max(ends)
        axes.set_ylim(min(0.0, *lows), top + 2 * BESIDE * (abs(top) or 1.0))
        _write_values(axes, view)


def _write_values(axes: Any, view: LineView, least: float = 0.0) -> None:
    from matplotlib.ticker import FuncFormatter

    if view.format == "duration":
        duration_axis(axes.yaxis, least)
        return
    write = percent if view.format == "share" else number
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: write(value)))


def duration_axis(axis: Any, least: float = 0.0) -> None:
    """Write seconds as people say them, at round numbers of minutes, hours or days.

    An axis that is logarithmic above its `least` number has one tick below, at zero.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    low, high = axis.get_view_interval()
    if least:
        shown = [tick for tick in DURATIONS if low <= tick <= high and (tick == 0 or tick >= least)]
        axis.set_major_locator(FixedLocator(shown))
    else:
        unit = next((size for size, _ in UNITS if high >= 2 * size), 1.0)
        steps = MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(low / unit, high / unit)
        axis.set_major_locator(FixedLocator([step * unit for step in steps]))
        axis.set_view_interval(low, high, ignore=True)
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))


def decades(axes: Any, values: list[float]) -> None:
    """Make the axis of values logarithmic, with plain numbers, and twos and fives if there is room.

    All `values` are positive; the limits leave room about them.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    room = max(ROOM[0], (max(values) / min(values)) ** ROOM[1])
    low, high = min(values) / room, max(values) * ROOM[0]
    axes.set_ylim(low, high)
    few = high / low < 300
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axes.yaxis.set_major_formatter(FuncFormatter(_plain))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _plain(value: float, place: int | None = None) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"
