"""How results show themselves: in a notebook, and ready for JSON.

What they look like is the business of `report`, which stands above everything that can be shown and
imports it. So it is found by name when something is shown, not before: a plain import here would
turn the layers upside down, and would load Matplotlib for everybody.
"""

import math
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTEBOOK = "zerowait.report.notebook"  # has html_of(thing) and figure_of(thing)


class Shown:
    """Shown as a table or a chart where HTML can be shown."""

    def _repr_html_(self) -> str:
        html: str = _notebook().html_of(self)
        return html


class Drawable(Shown):
    """Shown, and drawn on request."""

    def plot(self) -> "Figure":
        """Draw it as a Matplotlib figure."""
        figure: Figure = _notebook().figure_of(self)
        return figure


def _notebook() -> Any:
    return import_module(NOTEBOOK)


def json_ready(value: Any) -> Any:
    """Return the value ready for JSON: what is not a finite number becomes None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    return value
