"""The paper's figures: a file each, found by the name of its target."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

Drawing = Callable[["polars.DataFrame"], Mapping[str, Any]]  # figures by what ends their names


def drawings() -> list[str]:
    """Targets that have a figure."""
    return [module.name for module in iter_modules(__path__)]


def drawing_of(target: str) -> Drawing | None:
    """`draw` of the file that is called as the target; None for tables, which are not drawn."""
    if target not in drawings():
        return None
    drawing: Drawing = import_module(f"{__name__}.{target}").draw
    return drawing
