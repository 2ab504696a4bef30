"""Ways to make classes of needs, one file each. A new file with a `register`ed one is found."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

from zerowait.traces.classes.base import GROUPINGS, Classes, group, register  # noqa: E402

__all__ = ["GROUPINGS", "Classes", "group", "register"]
