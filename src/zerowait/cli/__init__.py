"""The command line: one file per command.

A command reads its arguments, calls the library and prints. It imports what is heavy inside
its function, so that `--help` answers at once.
"""

import sys
import warnings
from importlib import import_module
from typing import Annotated

import typer

from zerowait._version import __version__
from zerowait.cli.output import INTERRUPTED, InterruptedRun, note

# In the order of `--help`; each is a module of this package with a function, or a group of
# commands, of the same name.
COMMANDS = (
    "simulate",
    "replay",
    "compare",
    "sweep",
    "optimise",
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
        app()
    except (ValueError, RuntimeError) as error:
        from zerowait.model.errors import EngineError, InputError  # imported late: not light

        if not isinstance(error, (InputError, EngineError)):
            raise
        note(f"error: {error}")
        sys.exit(2)
    except SystemExit as end:
        if isinstance(end, InterruptedRun):
            note(end.message)
        elif end.code == INTERRUPTED:
            note("interrupted; nothing was written")
        raise
    except KeyboardInterrupt:  # where no command was there to say what it leaves behind
        note("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away: nobody is left to tell
        sys.exit(1)
