"""Ways to make classes of needs, one file each. A new file with a `register`ed one is found."""

from zerowait.model.registers import import_rooms
from zerowait.traces.classes.base import GROUPINGS, Classes, group, register

import_rooms(__name__, __path__)

__all__ = ["GROUPINGS", "Classes", "group", "register"]
