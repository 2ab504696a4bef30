"""A Gantt chart as a picture that does not lie where jobs are thinner than its pixels."""

from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any

import numpy as np

from zerowait.model.quantities import Floats, Ints
from zerowait.report.figures.canvas import SOFT, plain, style
from zerowait.report.gantt.layout import Gantt
from zerowait.report.palette import HUES

MOST_OUTLINED = 3000  # pieces; up to here each is a rectangle with an edge
WIDTH, HEIGHT = 1600, 640  # pixels of the raster beyond that
DAY_S = 86_400.0
UNITS = ((4 * DAY_S, DAY_S, "days"), (7_200.0, 3_600.0, "hours"), (0.0, 1.0, "seconds"))


@dataclass(frozen=True)
class _Axis:
    """From the times of a log to places along the axis: dates, or times since its start."""

    unit: float  # seconds
    origin: float  # the place of time 0
    label: str
    zone: tzinfo | None = None  # of dates

    def at(self, times: Any) -> Any:
        return self.origin + times / self.unit

    def apply(self, axes: Any) -> None:
        axes.set_xlabel(plain(self.label))
        if self.zone is not None:
            dates = _dates()
            locator = dates.AutoDateLocator(self.zone)
            axes.xaxis.set_major_locator(locator)
            axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, self.zone))


def _dates() -> Any:
    """Import a module that has no types."""
    import matplotlib.dates

    return matplotlib.dates


def _axis(chart: Gantt) -> _Axis:
    first, last = (chart.clock.moment(time) for time in (chart.begin, chart.end))
    if first is not None and last is not None:
        origin = float(_dates().date2num(first)) - chart.begin / DAY_S
        return _Axis(DAY_S, origin, str(chart.clock), first.tzinfo)
    span = chart.end - chart.begin
    size, name = next((size, name) for least, size, name in UNITS if span >= least)
    return _Axis(size, 0.0, f"{name} since the start of the log")


def write_image(chart: Gantt, path: Path) -> None:
    """Draw jobs on their servers, below them the servers busy and those waited for."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(13, 7.4), layout="constrained")
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
        axis = _axis(chart)
        shades, norm = _shades(chart)
        if len(chart.job) <= MOST_OUTLINED:
            _outlined(top, chart, axis, shades(norm(chart.need)))
        else:
            _raster(top, chart, axis, np.asarray(shades(norm(chart.need)))[:, :3])
        for label, first, servers in chart.regions:
            top.axhline(first, color=SOFT, linewidth=0.8)
            if servers >= chart.servers / 40:
                top.text(axis.at(chart.end), first, f" {plain(label)}", fontsize=7, va="bottom")
        top.set_ylim(0, chart.servers)
        top.set_ylabel("server")
        top.grid(visible=False)
        top.set_title(plain(f"{chart.title}: {len(chart.number)} jobs"))
        _load(bottom, chart, axis)
        axis.apply(bottom)
        bottom.set_xlim(axis.at(chart.begin), axis.at(chart.end))
        powers = 2 ** np.arange(int(np.log2(norm.vmax)) + 1)
        bar = figure.colorbar(ScalarMappable(norm, shades), ax=top, label="need", pad=0.01)
        bar.set_ticks(powers.tolist(), labels=[str(power) for power in powers], minor=False)
        bar.ax.minorticks_off()
        figure.savefig(path, format="png", dpi=130)


def _shades(chart: Gantt) -> tuple[Any, Any]:
    import matplotlib
    from matplotlib.colors import LogNorm

    return matplotlib.colormaps["viridis_r"], LogNorm(1, max(int(chart.need.max()), 2))


def _outlined(axes: Any, chart: Gantt, axis: _Axis, colours: Any) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    start, length = axis.at(chart.start), (chart.finish - chart.start) / axis.unit
    patches = [
        Rectangle((start[job], first), length[job], n)
        for job, first, n in zip(chart.job, chart.first, chart.count, strict=True)
    ]
    axes.add_collection(
        PatchCollection(patches, facecolors=colours[chart.job], edgecolors="white", linewidths=0.4)
    )


def _raster(axes: Any, chart: Gantt, axis: _Axis, colours: Floats) -> None:
    """Mix in each pixel the colours of its jobs by the part of it they fill, on white."""
    picture = coverage(chart, colours, WIDTH, min(HEIGHT, chart.servers))
    axes.imshow(
        np.clip(picture, 0, 1), origin="lower", aspect="auto", interpolation="nearest",
        extent=(axis.at(chart.begin), axis.at(chart.end), 0, chart.servers),
    )  # fmt: skip


def coverage(chart: Gantt, colours: Floats, width: int, height: int) -> Floats:
    """Return height x width x RGB; a pixel that is half in use is half white.

    An interval's part of each pixel is the running sum of four numbers, two at either end; a
    rectangle's is that of sixteen, so that jobs are added all at once, whatever their size.
    """
    scale_x = width / (chart.end - chart.begin)
    scale_y = height / chart.servers
    left = np.clip((chart.start[chart.job] - chart.begin) * scale_x, 0, width)
    right = np.clip((chart.finish[chart.job] - chart.begin) * scale_x, 0, width)
    columns = _ends(left, right)
    low = chart.first.astype(np.float64) * scale_y
    rows = _ends(low, low + chart.count.astype(np.float64) * scale_y)
    shades = np.column_stack([colours, np.ones(len(colours))])[chart.job]
    sums = np.zeros((4, (height + 2) * (width + 2)))
    for row, part_y in rows:
        for column, part_x in columns:
            at = row * (width + 2) + column
            for layer in range(4):
                weights = part_y * part_x * shades[:, layer]
                sums[layer] += np.bincount(at, weights, minlength=sums.shape[1])
    layers = sums.reshape(4, height + 2, width + 2).cumsum(axis=1).cumsum(axis=2)
    layers = layers[:, :height, :width]
    return np.moveaxis(layers[:3] + (1 - np.minimum(layers[3], 1)), 0, -1)


def _ends(low: Floats, high: Floats) -> list[tuple[Ints, Floats]]:
    """Return pixels and the numbers that add up to an interval's part of them."""
    found = []
    for edge, sign in ((low, 1.0), (high, -1.0)):
        pixel = np.floor(edge).astype(np.int64)
        beyond = edge - pixel
        found += [(pixel, sign * (1 - beyond)), (pixel + 1, sign * beyond)]
    return found


def _load(axes: Any, chart: Gantt, axis: _Axis) -> None:
    levels = (("busy", chart.busy, "blue"), ("waited for", chart.waited_for, "vermillion"))
    for label, level, hue in levels:
        look: dict[str, Any] = {"label": label, "color": HUES[hue][0], "linewidth": 0.8}
        axes.step(axis.at(level.times), level.servers, where="post", **look)
    axes.axhline(chart.servers, color=SOFT, linewidth=0.8)
    axes.set_ylabel("servers")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", ncols=2)
