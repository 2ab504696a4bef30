"""The options of the register as options of commands."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from zerowait.experiment.options import Option, Options, options_of

Command = Callable[..., None]


def with_options(**after: type[Options]) -> Callable[[Command], Command]:
    """Decorator of a command that takes `**options`: on the command line they are those of the
    given kinds, each shown after the parameter that it is given for."""

    def decorate(command: Command) -> Command:
        words = [one.name for kind in after.values() for one in options_of(kind) if one.has_words]

        @wraps(command)
        def run(**given: Any) -> None:
            command(**given | {name: _number(given[name]) for name in words})

        *own, _ = inspect.signature(command).parameters.values()
        parameters = []
        for one in own:
            parameters.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            if one.name in after:
                parameters += map(_parameter, options_of(after[one.name]))
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def part_of(options: dict[str, Any], kind: type[Options]) -> dict[str, Any]:
    """Those of one kind."""
    return {one.name: options[one.name] for one in options_of(kind)}


def _parameter(one: Option) -> inspect.Parameter:
    kind = str if one.has_words else one.kind  # a number or a word is text until it is looked at
    shown = typer.Option(*one.flags, help=one.meaning, metavar=one.unit or None)
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
