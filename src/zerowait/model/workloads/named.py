"""A published workload by its spelling, `name[,key=value...]`."""

import inspect

from zerowait.model.errors import InputError
from zerowait.model.quantities import refuse
from zerowait.model.workload import Workload
from zerowait.model.workloads.base import WORKLOADS


def as_workload(workload: Workload | str, servers: int) -> Workload:
    """A workload as it is, or a published one by its spelling."""
    if isinstance(workload, str):
        return named_workload(workload, servers)
    if not isinstance(workload, Workload):
        known = ", ".join(sorted(WORKLOADS))
        raise refuse("workload", workload, f"must be a Workload, or the name of one of {known}")
    return workload


def is_published(spelling: str) -> bool:
    """Is it the name of a workload, options or not?"""
    return _name(spelling.partition(",")[0]) in WORKLOADS


def named_workload(spelling: str, servers: int) -> Workload:
    """`figure1`, `figure1,slack=0.5`, `sdsc-sp2,law=hyperexponential`, ..."""
    name, *options = (part.strip() for part in spelling.split(","))
    function = WORKLOADS.get(_name(name))
    if function is None:
        known = ", ".join(sorted(WORKLOADS))
        raise InputError(f"workload {name!r}: is not known; give {known} or a file named *.toml")
    parameters = inspect.signature(function).parameters
    values: dict[str, object] = {"servers": servers} if "servers" in parameters else {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals or key not in parameters or key == "servers":
            can = ", ".join(p for p in parameters if p != "servers")
            raise InputError(
                f"workload {spelling!r}: option {option!r}: must be key=value of {can}"
            )
        values[key] = _value(text)
    return function(**values)


def _name(text: str) -> str:
    return text.strip().lower().replace("_", "-")


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
