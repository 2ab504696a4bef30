"""The register of published workloads."""

from collections.abc import Callable
from typing import TypeVar

from zerowait.model.registers import Register
from zerowait.model.workload import Workload

WORKLOADS: Register[Callable[..., Workload]] = Register("workload")

F = TypeVar("F", bound=Callable[..., Workload])


def register(name: str) -> Callable[[F], F]:
    """Function decorator: makes a workload known under `name`."""

    def add(function: F) -> F:
        WORKLOADS.add(name, function)
        return function

    return add
