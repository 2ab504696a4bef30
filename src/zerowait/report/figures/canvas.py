"""Empty figures, how they look, and how they are saved."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.files.whole_file import whole_file
from zerowait.report.numbers import readable
from zerowait.report.palette import HUES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, SOFT, HAIR = "#000000", "#333333", "#e4e4e4"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "zerowait",  # fixed, so that the same rows give the same file
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": HAIR,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
}
PANEL_WIDTH = 4.4  # inches, names beside the lines included
MARGIN = 1.0
DOTS_PER_INCH = 120
# No date in files, so that the same rows give the same bytes.
LOOKS: dict[str, dict[str, Any]] = {
    ".png": {"format": "png", "dpi": DOTS_PER_INCH},
    ".svg": {"format": "svg", "metadata": {"Date": None}},
}
# What a page calls these colours: it has others for dark screens.
VARIABLES = {pair[0].lower(): f"var(--{hue})" for hue, pair in HUES.items()} | {
    INK: "var(--ink)", SOFT: "var(--soft)", HAIR: "var(--hair)",
}  # fmt: skip


@contextmanager
def style() -> Iterator[None]:
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def canvas(columns: int, height: float, panel_width: float = PANEL_WIDTH) -> "Figure":
    """Make an empty figure that belongs to no window, with room between its panels."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine(wspace=0.04, hspace=0.06)
    return Figure(figsize=(MARGIN + panel_width * columns, height), layout=engine)


def plain(text: str) -> str:
    """Escape the dollar signs of a name, which would start a formula."""
    return readable(text).replace("$", r"\$")


def save(figure: "Figure", stem: Path) -> list[Path]:
    """Save a figure as PNG for screens and SVG for print, each whole or not at all."""
    paths = []
    for ending, look in LOOKS.items():
        path = stem.with_name(stem.name + ending)
        with whole_file(path) as part:
            figure.savefig(part, **look)
        paths.append(path)
    return paths


def svg(figure: "Figure", name: str) -> str:
    """Return a figure as a tag for a page, with ids of its own: a page has several figures."""
    text = io.StringIO()
    figure.savefig(text, transparent=True, **LOOKS[".svg"])
    tag = text.getvalue()
    tag = tag[tag.index("<svg") :]
    tag = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", tag)
    tag = re.sub(r"#[0-9a-f]{6}\b", lambda found: VARIABLES.get(found[0], found[0]), tag)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r'<svg role="img" \1', tag, count=1)
