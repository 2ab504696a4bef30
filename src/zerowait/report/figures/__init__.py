"""The paper's figures, one file each, by the name of their target."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

Drawing = Callable[["polars.DataFrame"], Mapping[str, Any]]  # figures by what ends their names

DRAWINGS = {
    "fig1": "figure1",
    "fig2a": "figure2a",
    "fig2b": "figure2b",
    "fig3": "figure3",
    "theorem1": "theorem1",
    "theorem2": "theorem2",
}


def drawing_of(target: str) -> Drawing | None:
    """None for tables, which are not drawn."""
    if target not in DRAWINGS:
        return None
    drawing: Drawing = import_module(f"{__name__}.{DRAWINGS[target]}").draw
    return drawing
