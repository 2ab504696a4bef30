"""The help of the public functions: what each of their parameters means.

Options explain themselves in the register; what functions take besides is explained here.
"""

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from zerowait.experiment.checks import OptionSet, entries_of
from zerowait.experiment.options import (
    CapacityOptions,
    CompareOptions,
    FilterOptions,
    FitOptions,
    LogOptions,
    OptimiseOptions,
    PlanOptions,
    ReplayOptions,
    SimulationOptions,
)

WIDTH = 88
OPTIONS: dict[str, type[OptionSet]] = {  # of each function
    "simulate": SimulationOptions,
    "compare": CompareOptions,
    "replay": ReplayOptions,
    "capacity": CapacityOptions,
    "optimise": OptimiseOptions,
    "plan": PlanOptions,
    "read_log": LogOptions,
    "filter_log": FilterOptions,
    "fit_workload": FitOptions,
}
LOG = "A log that was read, its file, or `zerowait.Jobs` with times in seconds."
PARAMETERS = {  # by name, wherever it stands
    "workload": "A Workload, the name of a published one (figure1) or a TOML file.",
    "servers": "Number of servers.",
    "policy": "Spelling (bs:first-fit), instance or class of a policy.",
    "policies": "Spellings, instances or classes of the policies.",
    "jobs": "Whether the result has a table with one row per job.",
    "jit": "Whether the engine is compiled; without, it runs as plain Python.",
    "threads": "Threads [default: one per core].",
    "progress": "A function that is called with the number of jobs since its last call.",
    "executor": "What runs the work: any executor of concurrent.futures, or Dask's.",
    "store": "Folder in which evaluations are kept, from which a search goes on; None: nowhere.",
    "listener": "A function that is called with a label and the best candidate so far.",
    "trace": LOG,
    "log": LOG,
    "path": "The file.",
    "split": "A Split [default: the balanced split].",
    "base": "The workload whose needs grow.",
    "slack": "The slack theta of the critical scaling: square-root staffing.",
    "load": "Offered work per server; below 1.",
    "need_scale": "The factor f_k of the needs, or a function of the servers that gives it.",
    "offered": "Offered load: rate x mean service, a number or an array.",
}
OWN = {  # where a name means something else, or is one function's own
    "compare": {
        "workload": f"{PARAMETERS['workload']} Or a log: one that was read, its file, or Jobs.",
        "servers": "Number of servers [default: as the log says].",
        "baseline": "The policy that others are compared with, by name or number.",
    },
    "replay": {"servers": "Number of servers [default: as the log says]."},
    "optimise": {
        "what": f"{PARAMETERS['workload']} Or a log: one that was read, its file, or Jobs.",
        "servers": "Number of servers [default: as the log says].",
        "policies": "Families to search, each spelled with the options that are to stay.",
    },
    "plan": {"servers": "Number of servers [default: as the log says]."},
    "sweep": {
        "what": "A TOML file, a `Sweep`, or several.",
        "out": "Folder of the results.",
        "keep_stale": "Keep points that other code has made, do not run them again.",
        "on_point": "A function that is called with each point when it is finished.",
    },
    "read_log": {
        "path": "The log: SWF, Slurm's sacct or jobcomp, CSV or Parquet, packed or not.",
        "progress": "A function that is called with the number of bytes read since its last call.",
    },
    "read_trace": {"path": "The log: SWF, Slurm's sacct or jobcomp, CSV or Parquet."},
    "trace_info": {
        "servers": "Number of servers [default: as the log says].",
        "classes": "Classes of needs, as in `fit_workload`.",
    },
    "check_fit": {
        "fit": "A fit, its workload, or the TOML file of it.",
        "servers": "Number of servers [default: as the log says].",
        "policies": "Spellings of the policies to compare under.",
        "replications": "Independent simulations of the fit.",
        "seed": "Seed of the random stream.",
    },
    "load": {"folder": "Folder that sweeps wrote to."},
    "load_workload": {"path": "A TOML file; `zerowait schema` prints what it may hold."},
    "save_workload": {
        "workload": "The Workload.",
        "path": "The TOML file to write.",
        "note": "Text that goes on top as comments.",
    },
    "register": {"policy": "A class of policies."},
    "solve_exactly": {
        "policy": "fcfs, first-fit, msf, sf, bs:fcfs, mbs:fcfs, ...",
        "max_jobs": "Jobs in the system at which the chain is cut [default: as many as needed].",
        "max_states": "Most states that the chain may have.",
        "tolerance": "Relative error that cutting the chain may make.",
    },
    "need_scale": {
        "unit": "Servers at which the factor is one.",
        "exponent": "Power of the servers with which needs grow.",
    },
    "critical_load": {"need_scale": "The factor f_k of the needs."},
}


def parameters_of(function: Callable[..., Any]) -> dict[str, str]:
    """Explain each parameter of a public function, by its name."""
    name = function.__name__
    known = dict(PARAMETERS)
    if name in OPTIONS:
        known |= {one.name: one.meaning for one in entries_of(OPTIONS[name])}
    known |= OWN.get(name, {})
    return {one: known.get(one, "") for one in inspect.signature(function).parameters}


def explain_parameters(function: Callable[..., Any]) -> None:
    """Add a section on the parameters to the docstring of a public function, once."""
    text = inspect.getdoc(function) or ""
    if "\nParameters:\n" not in text:
        lines = [
            textwrap.fill(f"{name}: {meaning}", WIDTH, initial_indent=" " * 4,
                          subsequent_indent=" " * 8, break_on_hyphens=False)
            for name, meaning in parameters_of(function).items()
        ]  # fmt: skip
        function.__doc__ = "\n".join([text, "", "Parameters:", *lines, ""])
