"""Registers: things of one kind by name, each in a file of its own that is found by itself."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, TypeVar

from zerowait.model.errors import InputError

T = TypeVar("T")
Thing = TypeVar("Thing", bound=Any)


class Register(dict[str, T]):
    """A dictionary of things by name. A name is given once; the same thing may come again."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def add(self, name: str, thing: T) -> T:
        """Add a thing, or refuse a name that stands for another one."""
        if self.setdefault(name, thing) is not thing:
            raise InputError(f"name = {name!r}: is a {self.kind} already; choose another name")
        return thing

    def register(self, thing: Thing) -> Thing:
        """Add a thing under its own `name`; a decorator for classes that have one."""
        self.add(thing.name, thing)
        return thing

    def register_as(self, name: str) -> Callable[[Thing], Thing]:
        """Return a decorator that adds a function under `name`."""

        def add(thing: Thing) -> Thing:
            self.add(name, thing)
            return thing

        return add


def import_rooms(package: str, path: Iterable[str]) -> None:
    """Import every file of a package and of the rooms in it, so that all can register."""
    for module in walk_packages(path, f"{package}."):
        import_module(module.name)
