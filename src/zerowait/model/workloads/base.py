"""The register of published workloads."""

from collections.abc import Callable
from typing import TypeVar

from zerowait.model.errors import InputError
from zerowait.model.workload import Workload

WORKLOADS: dict[str, Callable[..., Workload]] = {}

F = TypeVar("F", bound=Callable[..., Workload])


def register(name: str) -> Callable[[F], F]:
    """Function decorator: makes a workload known under `name`."""

    def add(function: F) -> F:
        if name in WORKLOADS:
            raise InputError(f"name = {name!r}: is a workload already; choose another name")
        WORKLOADS[name] = function
        return function

    return add
