"""The command line: one file per command.

A command reads its arguments, calls the library and prints. It imports what is heavy inside
its function, so that `--help` answers at once.
"""

import sys
import warnings
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from zerowait._version import __version__
from zerowait.cli.interrupts import leave, listen, was_interrupted
from zerowait.cli.output import INTERRUPTED, InterruptedRun, note, unwritten

# In the order of `--help`; each is a module of this package with a function, or a group of
# commands, of the same name.
COMMANDS = (
    "simulate",
    "replay",
    "compare",
    "sweep",
    "optimise",
    "plan",
    "explore",
    "results",
    "reproduce",
    "split",
    "theory",
    "capacity",
    "trace",
    "deploy",
    "policies",
    "schema",
)

app = typer.Typer(
    name="zerowait",
    help="Simulate, analyse and plan clusters that run multiserver jobs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _name in COMMANDS:
    _command = getattr(import_module(f"{__name__}.{_name}"), _name)
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name)
    else:
        app.command(_name)(_command)


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
    """Options before the command."""


def main() -> None:
    """Run a command; expected failures end in one line and an exit code (2: bad input)."""
    warnings.showwarning = lambda message, *_, **__: note(f"warning: {message}")
    try:
        listen()
        _run()
    except KeyboardInterrupt:
        leave()
    except SystemExit as end:
        if isinstance(end, InterruptedRun):
            leave(end.message)
        if end.code == INTERRUPTED or was_interrupted():
            leave()
        raise
    except BaseException as error:
        if was_interrupted():  # and made something else of it, as half-imported modules do
            leave()
        _end_with(error)


def _run() -> None:
    """The command; then what is wrong with its files, when its result is out."""
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
    """In one line, where it can be told so."""
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
