"""How figures look: colours that colour-blind readers tell apart, and a quiet frame."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Okabe and Ito (2008), black left for text.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#999999")
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "legend.frameon": False,
    "legend.fontsize": 8.0,
}


@contextmanager
def style() -> Iterator[None]:
    import matplotlib

    # A fixed salt, so that the same log gives the same file.
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": "zerowait"}):
        yield


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def new_axes(width: float = 5.6, height: float = 3.2, title: str = "") -> tuple[Any, Any]:
    """A figure of its own, known to no window system, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def svg(figure: Any, name: str) -> str:
    """The figure as a tag for a page; ids are made its own, as a page has several figures."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    tag = text.getvalue()
    tag = tag[tag.index("<svg") :]
    tag = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", tag)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r'<svg role="img" \1', tag, count=1)
