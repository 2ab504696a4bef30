"""Axes of figures: servers in powers, loads that approach one, responses in decades."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from zerowait.report.numbers import UNITS, duration

# Round for people: seconds, minutes, hours, days, a week, a month, a year.
DURATIONS = (0, 1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000)
HEAVY_TICKS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
ROOM = (1.25, 0.1)  # left at either end: a factor at least, and this share of the decades


def servers_axis(axes: Any, sizes: Iterable[int]) -> None:
    """Logarithmic; every third power of two is named, where the needs of Figure 1 are powers."""
    ordered = sorted(set(sizes))
    axes.set_xscale("log", base=2)
    axes.set_xlim(ordered[0] / 1.3, ordered[-1] * 1.3)
    step = 8 if ordered[-1] <= 2**18 else 64
    ticks = [size for size in (ordered[0] * step**n for n in range(12)) if size <= ordered[-1]]
    axes.set_xticks(ticks, [_short(size) for size in ticks], minor=False)
    axes.minorticks_off()
    axes.set_xlabel("servers k")


def _short(size: int) -> str:
    """Large powers of two as such: 1073741824 is read by nobody."""
    power = size.bit_length() - 1
    return f"$2^{{{power}}}$" if size == 2**power and size > 1_000_000 else f"{size}"


def heavy_load_axis(axes: Any, loads: Iterable[float]) -> None:
    """Logarithmic in 1 - load, so that 0.9, 0.99 and 0.999 are equally far apart."""
    ordered = sorted(set(loads))
    axes.set_xscale("function", functions=(_distance, _load_at))
    axes.set_xlim(_load_at(_distance(ordered[0]) - 0.15), _load_at(_distance(ordered[-1]) + 0.15))
    ticks = [load for load in HEAVY_TICKS if ordered[0] <= load <= ordered[-1]] or ordered
    axes.set_xticks(ticks, [f"{load:g}" for load in ticks])
    axes.set_xlabel("load")


def _distance(load: Any) -> Any:
    return -np.log(np.maximum(1 - np.asarray(load, dtype=np.float64), 1e-12))


def _load_at(distance: Any) -> Any:
    return 1 - np.exp(-np.asarray(distance, dtype=np.float64))


def load_axis(axes: Any) -> None:
    axes.set_xlim(0, 1)
    axes.set_xticks(np.arange(0, 1.01, 0.2), ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.set_xlabel("load")


def duration_axis(axis: Any, least: float = 0.0) -> None:
    """Seconds as people say them, at round numbers of minutes, hours or days.

    An axis that is logarithmic above its `least` number has one tick below, at zero.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    low, high = axis.get_view_interval()
    if least:
        shown = [tick for tick in DURATIONS if tick == 0 or least <= tick <= high]
        axis.set_major_locator(FixedLocator(shown))
    else:
        unit = next((size for size, _ in UNITS if high >= 2 * size), 1.0)
        steps = MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(low / unit, high / unit)
        axis.set_major_locator(FixedLocator([step * unit for step in steps]))
        axis.set_view_interval(low, high, ignore=True)
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))


def response_axis(axes: Any, rows: Iterable[dict[str, Any]]) -> None:
    """Decades, with plain numbers and with twos and fives where there are few of them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    known = [row.get(name) for row in rows for name in ("response", "ideal")]
    values = [value for value in known if value is not None] or [1.0]
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
