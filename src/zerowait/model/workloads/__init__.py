"""Published workloads, one file each. A new file here with a `register`ed function is found."""

import importlib
import pkgutil

# First, so that the functions imported below replace the modules they share a name with.
for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

from zerowait.model.workloads.base import WORKLOADS, register  # noqa: E402
from zerowait.model.workloads.figure1 import figure1  # noqa: E402
from zerowait.model.workloads.kit_fh2 import kit_fh2  # noqa: E402
from zerowait.model.workloads.named import named_workload  # noqa: E402
from zerowait.model.workloads.sdsc_sp2 import sdsc_sp2  # noqa: E402

__all__ = ["WORKLOADS", "figure1", "kit_fh2", "named_workload", "register", "sdsc_sp2"]
