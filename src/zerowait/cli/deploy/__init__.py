"""`zerowait deploy`: a plan on a real scheduler, one file per command."""

from importlib import import_module

import typer

# In the order of `--help`; each is a module of this package with a function of the same name.
COMMANDS = ("slurm", "check", "rehearse")

deploy = typer.Typer(
    help="A plan on a real Slurm: its files, whether they hold, and a rehearsal.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _name in COMMANDS:
    deploy.command(_name)(getattr(import_module(f"{__name__}.{_name}"), _name))
