"""`zerowait trace`: commands about logs, one file each."""

from importlib import import_module

import typer

# In the order of `--help`; each is a module of this package with a function of the same name.
COMMANDS = ("info", "fit", "table", "download")

trace = typer.Typer(
    help="Job logs: understand them, make workloads of them, download them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _name in COMMANDS:
    trace.command(_name)(getattr(import_module(f"{__name__}.{_name}"), _name))
