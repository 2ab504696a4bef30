"""Readers of logs, one file each, in rooms by family. A new file here with a `register`ed reader
is found."""

from zerowait.model.registers import import_rooms
from zerowait.traces.readers.base import READERS, Reader, Reading, register

import_rooms(__name__, __path__)

__all__ = ["READERS", "Reader", "Reading", "register"]
