"""Registers: things of one kind by name, each in a file of its own that is found by itself."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages
from typing import TypeVar

from zerowait.model.errors import InputError

T = TypeVar("T")


class Register(dict[str, T]):
    """Name: thing. A name is given once; the same thing may come again."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def add(self, name: str, thing: T) -> T:
        if self.setdefault(name, thing) is not thing:
            raise InputError(f"name = {name!r}: is a {self.kind} already; choose another name")
        return thing


def import_rooms(package: str, path: Iterable[str]) -> None:
    """Import every file of a package and of the rooms in it, so that all can register."""
    for module in walk_packages(path, f"{package}."):
        import_module(module.name)
