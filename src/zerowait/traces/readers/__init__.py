"""Readers of logs. A new file here that registers a reader is found by itself."""

from zerowait.model.registers import import_rooms
from zerowait.traces.reading import READERS, Reader, Reading

import_rooms(__name__, __path__)

__all__ = ["READERS", "Reader", "Reading"]
