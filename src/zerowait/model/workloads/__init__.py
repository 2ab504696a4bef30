"""Published workloads, one file each. A new file here with a `register`ed function is found."""

from zerowait.model.registers import import_rooms

# First, so that the functions imported below replace the modules they share a name with.
import_rooms(__name__, __path__)

from zerowait.model.workloads.base import WORKLOADS, register  # noqa: E402
from zerowait.model.workloads.figure1 import figure1  # noqa: E402
from zerowait.model.workloads.kit_fh2 import kit_fh2  # noqa: E402
from zerowait.model.workloads.named import as_workload, is_published, named_workload  # noqa: E402
from zerowait.model.workloads.sdsc_sp2 import sdsc_sp2  # noqa: E402

__all__ = [
    "WORKLOADS",
    "as_workload",
    "figure1",
    "is_published",
    "kit_fh2",
    "named_workload",
    "register",
    "sdsc_sp2",
]
