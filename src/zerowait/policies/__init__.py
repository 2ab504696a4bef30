"""One module per policy; dropping a file in this folder registers it."""

from importlib import import_module
from pkgutil import iter_modules

from zerowait.policies.base import POLICIES, Policy, register
from zerowait.policies.contract import Verdict, check_policy
from zerowait.policies.families.options import Choice, Range
from zerowait.policies.spelling import parse_policy

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "POLICIES",
    "Choice",
    "Policy",
    "Range",
    "Verdict",
    "check_policy",
    "parse_policy",
    "register",
]
