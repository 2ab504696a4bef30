"""Families of laws to fit, one file each. A new file with a `register`ed family is found."""

from zerowait.model.registers import import_rooms
from zerowait.traces.fitting.families.base import FAMILIES, Family, register

import_rooms(__name__, __path__)

__all__ = ["FAMILIES", "Family", "register"]
