"""Families of laws to fit, one file each. A new file with a `register`ed family is found."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    if _module.name != "goodness":  # it asks for all families
        importlib.import_module(f"{__name__}.{_module.name}")

from zerowait.traces.fits.base import FAMILIES, Family, register  # noqa: E402
from zerowait.traces.fits.goodness import (  # noqa: E402
    CANDIDATES,
    CRITERIA,
    METHODS,
    Goodness,
    compare_families,
)
from zerowait.traces.fits.sample import Sample  # noqa: E402

__all__ = [
    "CANDIDATES",
    "CRITERIA",
    "FAMILIES",
    "METHODS",
    "Family",
    "Goodness",
    "Sample",
    "compare_families",
    "register",
]
