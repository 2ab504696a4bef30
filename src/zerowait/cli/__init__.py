"""The command line: commands that read their arguments, call the library and print.

A command is imported when it is asked for, and imports what is heavy inside its function, so that
`--help` answers at once.
"""

import sys
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from zerowait._version import __version__
from zerowait.cli.interrupts import end_interrupted, listen, was_interrupted
from zerowait.cli.output import INTERRUPTED, InterruptedRun, note, unwritten

# Commands in the order of `--help`, and the modules of this package that have them: a function
# `NAME_command`, or a group of commands by the name itself.
COMMANDS = {
    "simulate": "simulate",
    "replay": "simulate",
    "compare": "simulate",
    "sweep": "sweep",
    "optimise": "search",
    "plan": "search",
    "explore": "explore",
    "results": "sweep",
    "reproduce": "reproduce",
    "split": "formulas",
    "theory": "formulas",
    "capacity": "formulas",
    "policies": "listings",
    "schema": "listings",
    "trace": "trace",
    "deploy": "deploy",
}


class Commands(Mapping[str, Any]):
    """The commands by name; each is imported when it is asked for."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = _command(name, f"{__name__}.{COMMANDS[name]}")
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _command(name: str, home: str) -> Any:
    """Import a command, or a group of commands."""
    from zerowait.cli.arguments import PlainCommand

    module = import_module(home)
    group = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    own = getattr(module, name, None)
    if isinstance(own, typer.Typer):
        group.add_typer(own, name=name)
    else:
        group.command(name, cls=PlainCommand)(getattr(module, f"{name}_command"))
    return typer.main.get_group(group).commands[name]


class CommandGroup(TyperGroup):
    """The group of all commands."""

    def __init__(self, *args: Any, **known: Any) -> None:
        super().__init__(*args, **known)
        self.commands = Commands()  # type: ignore[assignment]


app = typer.Typer(
    name="zerowait",
    cls=CommandGroup,
    help="Simulate, analyse and plan clusters that run multiserver jobs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"zerowait {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    """Read the options before the command."""


def run_command_line() -> None:
    """Run a command; expected failures end in one line and an exit code (2: bad input)."""
    warnings.showwarning = lambda message, *_, **__: note(f"warning: {message}")
    try:
        listen()
        _run()
    except KeyboardInterrupt:
        end_interrupted()
    except SystemExit as end:
        if isinstance(end, InterruptedRun):
            end_interrupted(end.message)
        if end.code == INTERRUPTED or was_interrupted():
            end_interrupted()
        raise
    except BaseException as error:
        if was_interrupted():  # and made something else of it, as half-imported modules do
            end_interrupted()
        _end_with(error)


def _run() -> None:
    """Run the command; report files that could not be written after its result is printed."""
    try:
        app()
    except SystemExit as end:
        sys.stdout.flush()
        if unwritten and not end.code:
            for text in unwritten:
                note(f"error: {text}")
            sys.exit(1)
        raise


def _end_with(error: BaseException) -> NoReturn:
    """End with one line and an exit code where the error is an expected one."""
    from zerowait.model.errors import EngineError, InputError, PolicyCodeError  # late: not light

    if isinstance(error, (InputError, EngineError)):
        note(f"error: {error}", lines=isinstance(error, PolicyCodeError))
        sys.exit(2)
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()  # the reader of our output went away: nobody is left to tell
        sys.exit(1)
    if isinstance(error, MemoryError):
        note(f"error: not enough memory: {error}; run less at once")
        sys.exit(1)
    if isinstance(error, OSError):  # a disk is full or gone, or nobody answers
        where = f"{error.filename}: " if error.filename else ""
        note(f"error: {where}{error.strerror or error}")
        sys.exit(1)
    raise error
