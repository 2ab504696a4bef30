"""How results show themselves: in a notebook, and ready for JSON.

What they look like is the business of `report`, which stands above everything that can be shown and
imports it. The package says who shows results when it is imported (`zerowait._screens`), and that
module is imported when something is shown: nobody loads Matplotlib before.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zerowait._screens import screens

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Shown:
    """Shown as a table where HTML can be shown."""

    def _repr_html_(self) -> str:
        html: str = screens().html_of(self)
        return html


class Drawable(Shown):
    """Shown, and drawn on request."""

    def plot(self) -> "Figure":
        """Draw it as a Matplotlib figure."""
        figure: Figure = screens().figure_of(self)
        return figure


def json_ready(value: Any) -> Any:
    """Return the value ready for JSON: what is not a finite number becomes None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    return value
