"""What can be reproduced, one file each, named as on the command line: it is found by itself."""

from importlib import import_module
from pkgutil import iter_modules

from zerowait.experiment.reproduce.settings import Target

TARGETS: dict[str, Target] = {}
for _module in iter_modules(__path__):
    _target = import_module(f"{__name__}.{_module.name}").TARGET
    TARGETS[_target.name] = _target
