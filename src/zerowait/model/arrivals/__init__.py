"""Arrival processes, one file each. A new file here with a `register`ed process is found."""

from zerowait.model.arrivals.base import ARRIVALS, ArrivalProcess, register
from zerowait.model.arrivals.fixed_times import FixedTimes
from zerowait.model.arrivals.poisson import Poisson
from zerowait.model.arrivals.renewal import Renewal
from zerowait.model.arrivals.rhythm import Rhythm
from zerowait.model.registers import import_rooms

import_rooms(__name__, __path__)

__all__ = [
    "ARRIVALS",
    "ArrivalProcess",
    "FixedTimes",
    "Poisson",
    "Renewal",
    "Rhythm",
    "register",
]
