"""What a command imports, imported: for the process that commands of tests are forked from."""

import importlib
import os
import pkgutil

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process with threads must not be forked

import numba

import zerowait

HEAVY = ("matplotlib.figure", "pydantic", "scipy.optimize", "scipy.stats")  # polars has threads
OWN = [one.name for one in pkgutil.walk_packages(zerowait.__path__, "zerowait.")]

for name in (*HEAVY, *OWN):
    if not name.endswith("__main__"):
        importlib.import_module(name)
numba.njit(lambda number: number)(1)  # so that its compiler is set up
assert len(os.listdir("/proc/self/task")) == 1
