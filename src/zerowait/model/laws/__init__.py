"""Service laws. A new file here whose law is decorated with `@LAWS.register` is found."""

from zerowait.model.laws.base import LAWS, Law
from zerowait.model.laws.mixed import Empirical, Hyperexponential, Mixture
from zerowait.model.laws.parametric import (
    BoundedPareto,
    Deterministic,
    Erlang,
    Exponential,
    Gamma,
    Lognormal,
    Pareto,
    Uniform,
    Weibull,
)
from zerowait.model.registers import import_rooms

import_rooms(__name__, __path__)

__all__ = [
    "LAWS",
    "BoundedPareto",
    "Deterministic",
    "Empirical",
    "Erlang",
    "Exponential",
    "Gamma",
    "Hyperexponential",
    "Law",
    "Lognormal",
    "Mixture",
    "Pareto",
    "Uniform",
    "Weibull",
]
