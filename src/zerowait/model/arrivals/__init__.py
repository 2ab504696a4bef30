"""Arrival processes, one file each. A new file here with a `register`ed process is found."""

import importlib
import pkgutil

from zerowait.model.arrivals.base import ARRIVALS, ArrivalProcess, register
from zerowait.model.arrivals.fixed_times import FixedTimes
from zerowait.model.arrivals.poisson import Poisson
from zerowait.model.arrivals.renewal import Renewal

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["ARRIVALS", "ArrivalProcess", "FixedTimes", "Poisson", "Renewal", "register"]
