"""A Gantt chart as a picture that does not lie where jobs are thinner than its pixels."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.report.figures.frame import colour, style
from zerowait.report.gantt.layout import Chart, Floats

MOST_OUTLINED = 3000  # pieces; up to here each is a rectangle with an edge
WIDTH, HEIGHT = 1600, 640  # pixels of the raster beyond that
UNITS = ((4 * 86_400.0, 86_400.0, "days"), (7_200.0, 3_600.0, "hours"), (0.0, 1.0, "seconds"))


def write_image(chart: Chart, path: Path) -> None:
    """Above the jobs on their servers; below the servers busy, and those waited for."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(13, 7.4), layout="constrained")
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
        unit, name = _unit(chart)
        shades, norm = _shades(chart)
        if len(chart.job) <= MOST_OUTLINED:
            _outlined(top, chart, unit, shades(norm(chart.need)))
        else:
            _raster(top, chart, unit, np.asarray(shades(norm(chart.need)))[:, :3])
        for label, first, servers in chart.regions:
            top.axhline(first, color="#333333", linewidth=0.8)
            if servers >= chart.servers / 40:
                top.text(chart.end / unit, first, f" {label}", fontsize=7, va="bottom")
        top.set_ylim(0, chart.servers)
        top.set_ylabel("server")
        top.grid(visible=False)
        top.set_title(f"{chart.title}: {len(chart.number)} jobs")
        _load(bottom, chart, unit)
        bottom.set_xlabel(f"{name} since the start of the log")
        bottom.set_xlim(chart.begin / unit, chart.end / unit)
        powers = 2 ** np.arange(int(np.log2(norm.vmax)) + 1)
        bar = figure.colorbar(ScalarMappable(norm, shades), ax=top, label="need", pad=0.01)
        bar.set_ticks(powers.tolist(), labels=[str(power) for power in powers], minor=False)
        bar.ax.minorticks_off()
        figure.savefig(path, format="png", dpi=130)


def _unit(chart: Chart) -> tuple[float, str]:
    span = chart.end - chart.begin
    return next((size, name) for least, size, name in UNITS if span >= least)


def _shades(chart: Chart) -> tuple[Any, Any]:
    import matplotlib
    from matplotlib.colors import LogNorm

    return matplotlib.colormaps["viridis_r"], LogNorm(1, max(int(chart.need.max()), 2))


def _outlined(axes: Any, chart: Chart, unit: float, colours: Any) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    start, length = chart.start / unit, (chart.finish - chart.start) / unit
    patches = [
        Rectangle((start[job], first), length[job], n)
        for job, first, n in zip(chart.job, chart.first, chart.count, strict=True)
    ]
    axes.add_collection(
        PatchCollection(patches, facecolors=colours[chart.job], edgecolors="white", linewidths=0.4)
    )


def _raster(axes: Any, chart: Chart, unit: float, colours: NDArray[np.float64]) -> None:
    """Each pixel mixes the colours of its jobs by the part of it they fill, on white."""
    picture = coverage(chart, colours, WIDTH, min(HEIGHT, chart.servers))
    axes.imshow(
        np.clip(picture, 0, 1), origin="lower", aspect="auto", interpolation="nearest",
        extent=(chart.begin / unit, chart.end / unit, 0, chart.servers),
    )  # fmt: skip


def coverage(
    chart: Chart, colours: NDArray[np.float64], width: int, height: int
) -> NDArray[np.float64]:
    """height x width x RGB; a pixel that is half in use is half white.

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


def _ends(low: Floats, high: Floats) -> list[tuple[NDArray[np.int64], Floats]]:
    """Pixels and the numbers that add up to an interval's part of them."""
    found = []
    for edge, sign in ((low, 1.0), (high, -1.0)):
        pixel = np.floor(edge).astype(np.int64)
        beyond = edge - pixel
        found += [(pixel, sign * (1 - beyond)), (pixel + 1, sign * beyond)]
    return found


def _load(axes: Any, chart: Chart, unit: float) -> None:
    for label, level, shade in (("busy", chart.busy, 0), ("waited for", chart.waited_for, 3)):
        look: dict[str, Any] = {"label": label, "color": colour(shade), "linewidth": 0.8}
        axes.step(level.times / unit, level.servers, where="post", **look)
    axes.axhline(chart.servers, color="#333333", linewidth=0.8)
    axes.set_ylabel("servers")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", ncols=2)
