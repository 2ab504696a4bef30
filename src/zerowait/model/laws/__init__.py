"""Service laws, one file each. A new file here whose law is decorated with `register` is found."""

from zerowait.model.laws.base import LAWS, Law, register
from zerowait.model.laws.bounded_pareto import BoundedPareto
from zerowait.model.laws.deterministic import Deterministic
from zerowait.model.laws.empirical import Empirical
from zerowait.model.laws.erlang import Erlang
from zerowait.model.laws.exponential import Exponential
from zerowait.model.laws.gamma import Gamma
from zerowait.model.laws.hyperexponential import Hyperexponential
from zerowait.model.laws.lognormal import Lognormal
from zerowait.model.laws.mixture import Mixture
from zerowait.model.laws.pareto import Pareto
from zerowait.model.laws.uniform import Uniform
from zerowait.model.laws.weibull import Weibull
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
    "register",
]
