"""What a command imports, imported: for the process that commands of tests are forked from."""

import importlib
import os
import pkgutil
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process with threads must not be forked

import numba

import zerowait
from zerowait.experiment.optimisation.evaluations import code_version

HEAVY = (
    "matplotlib.figure", "polars", "pydantic.fields", "pydantic.main", "pydantic.type_adapter",
    "rich.progress", "scipy.optimize", "scipy.stats",
)  # fmt: skip
OWN = [one.name for one in pkgutil.walk_packages(zerowait.__path__, "zerowait.")]

for name in (*HEAVY, *OWN):
    if not name.endswith("__main__"):
        importlib.import_module(name)
numba.njit(lambda number: number)(1)  # so that its compiler is set up
# Commands that keep results read the sources of all that these came from.
code_version(zerowait.parse_policy("bs:easy"))
# No thread may hold a lock when a command is forked. Those of polars wait, as long as nothing is
# computed with it.
OTHERS = set(os.listdir("/proc/self/task")) - {str(os.getpid())}
NAMES = [Path(f"/proc/self/task/{one}/comm").read_text() for one in OTHERS]
assert all(name.startswith(("jemalloc", "polars")) for name in NAMES), NAMES
