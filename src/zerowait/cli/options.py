"""The options of the register as options of commands."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from zerowait.experiment.options import Option, Options, options_of

Command = Callable[..., None]


def with_options(kind: type[Options], *, after: str) -> Callable[[Command], Command]:
    """Decorator of a command with `**options`: on the command line they are those of `kind`, shown
    `after` one of its own, and the function gets their values by name."""

    def decorate(command: Command) -> Command:
        known = options_of(kind)

        @wraps(command)
        def run(**given: Any) -> None:
            numbers = {one.name: _number(given[one.name]) for one in known if one.has_words}
            command(**given | numbers)

        *own, _ = inspect.signature(command).parameters.values()
        place = 1 + [one.name for one in own].index(after)
        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own]
        parameters[place:place] = [_parameter(one) for one in known]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def _parameter(one: Option) -> inspect.Parameter:
    # A flag that only says yes; and a number or a word is text until it is looked at.
    flags = [one.flag or f"--{one.name.replace('_', '-')}"]
    kind = str if one.has_words else one.kind
    shown = typer.Option(*flags, help=one.meaning, metavar=one.unit or None)
    return inspect.Parameter(
        one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default,
        annotation=Annotated[kind, shown],
    )  # fmt: skip


def _number(text: str) -> float | str:
    """What looks like a number is one."""
    try:
        return float(text)
    except ValueError:
        return text
