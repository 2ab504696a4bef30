"""Readers of logs, one file each. A new file here with a `register`ed reader is found."""

import importlib
import pkgutil

from zerowait.traces.readers.base import READERS, UNITS, Reader, Reading, read, register

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["READERS", "UNITS", "Reader", "Reading", "read", "register"]
