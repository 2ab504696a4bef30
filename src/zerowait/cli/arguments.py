"""Arguments and options of commands: those of the register, and those that several share."""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.core import TyperCommand

from zerowait.experiment.checks import Option, OptionSet, entries_of

if TYPE_CHECKING:
    from zerowait.model import Workload

Command = Callable[..., None]
NOWHERE = "none"  # instead of a folder


def complete_policy(incomplete: str) -> Iterator[str]:
    """Yield names of policies, and behind a colon those of auxiliary policies."""
    from zerowait.policies import POLICIES

    before, colon, begun = incomplete.rpartition(":")
    for name in sorted(POLICIES):
        if name.startswith(begun):
            yield f"{before}{colon}{name}"


def complete_workload(incomplete: str) -> Iterator[str]:
    """Yield published workloads, and files of the folder."""
    from zerowait.model.workloads import WORKLOADS

    yield from (name for name in sorted(WORKLOADS) if name.startswith(incomplete))
    folder, _, begun = incomplete.rpartition("/")
    here = Path(f"{folder}/" if incomplete.startswith("/") or folder else ".")
    if here.is_dir():
        for path in sorted(here.iterdir()):
            if path.name.startswith(begun) and not path.name.startswith("."):
                shown = f"{folder}/{path.name}" if folder else path.name
                yield f"{shown}/" if path.is_dir() else shown


def output_file(*names: str, help: str, suffixes: tuple[str, ...]) -> Any:
    """Make an option that names a file to write; refuse it before the run if it cannot be."""

    def check(path: Path | None) -> Path | None:
        if path is not None:
            from zerowait.report.files import check_writable

            check_writable(path, suffixes)
        return path

    return typer.Option(*names, help=help, callback=check)


def output_folder(help: str) -> Any:
    """Make an option that names a folder to write to; 'none' is none."""

    def check(path: Any) -> Any:
        if path is not None and str(path) != NOWHERE:
            from zerowait.report.files import check_folder

            check_folder(Path(path))
        return path

    return typer.Option(help=help, callback=check)


WorkloadName = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD",
        help="figure1, sdsc-sp2, kit-fh2 (options: 'sdsc-sp2,table=described') or a TOML file.",
        autocompletion=complete_workload,
    ),
]
Servers = Annotated[int, typer.Option("--servers", "-k", help="Number of servers.")]
LogServers = Annotated[
    int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        "-p",
        help="name[:auxiliary][,key=value...]; see 'policies'. Or a plan.toml.",
        autocompletion=complete_policy,
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(help="Python file with policies of your own to make known; its code is run."),
]
Threads = Annotated[int | None, typer.Option(help="Threads [default: one per core].")]
DryRun = Annotated[
    bool, typer.Option(help="Say what would be run; run nothing, not even code of policy files.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|FILE.json|local",
        help="Run on a Dask cluster: its address or scheduler file, or one on this machine.",
    ),
]
Store = Annotated[
    str,
    output_folder(
        "Folder in which evaluations are kept: the same command goes on after a kill. "
        "'none': nowhere."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Wide = Annotated[bool, typer.Option(help="On a terminal, too: all columns of tables.")]
Report = Annotated[
    Path | None,
    output_file(
        help="Write a page with charts and tables to this .html file.", suffixes=(".html",)
    ),
]
JobsOut = Annotated[
    Path | None,
    output_file(
        help="Write one row per job to this .csv or .parquet file.", suffixes=(".csv", ".parquet")
    ),
]


def with_options(**after: type[OptionSet]) -> Callable[[Command], Command]:
    """Give a command that takes `**options` the options of the register.

    Those of each kind are shown after the parameter of the command that it is given for.
    """

    def decorate(command: Command) -> Command:
        known = [one for kind in after.values() for one in entries_of(kind)]

        @wraps(command)
        def run(**given: Any) -> None:
            for one in known:
                if one.has_words:
                    given[one.name] = _number(given[one.name])
                elif one.several and not given[one.name]:
                    given[one.name] = one.default
            command(**given)

        *own, _ = inspect.signature(command).parameters.values()
        parameters = []
        for one in own:
            parameters.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            if one.name in after:
                parameters += map(_parameter, entries_of(after[one.name]))
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def part_of(options: dict[str, Any], kind: type[OptionSet]) -> dict[str, Any]:
    """Select the options of one kind."""
    return {one.name: options[one.name] for one in entries_of(kind)}


def _parameter(one: Option) -> inspect.Parameter:
    kind, default = one.kind, one.default
    if one.has_words:
        kind = str  # a number or a word is text until it is looked at
    elif one.several:
        kind, default = list[str] | None, None
    shown = typer.Option(*one.flags, help=one.meaning, metavar=one.unit or None)
    return inspect.Parameter(
        one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, shown]
    )


def _number(text: str) -> float | str:
    """Return a text that reads as a number as one."""
    try:
        return float(text)
    except ValueError:
        return text


# Texts that are read without Typer, by type.
_PLAIN: dict[Any, tuple[str, Callable[[str], Any]]] = {
    str: (r"(?s).*", str),
    int: (r"-?\d{1,15}", int),
    float: (r"-?\d{1,15}(\.\d{1,15})?", float),
}
_PLAIN |= {kind | None: read for kind, read in _PLAIN.items()}


class PlainCommand(TyperCommand):
    """A command that reads plain words, whole numbers and defaults itself.

    Everything else is read by Typer, for which it imports Pydantic: a tenth of a start.
    """

    def __init__(self, *args: Any, **known: Any) -> None:
        super().__init__(*args, **known)
        kinds = inspect.signature(known["callback"]).parameters
        for one in self.params:
            if one.name in kinds and not one.multiple and one.nargs == 1:
                kind, shown = get_args(kinds[one.name].annotation)
                limited = shown.min is not None or shown.max is not None
                read = None if limited else _PLAIN.get(kind)
                one.process_value = partial(_process, one, one.process_value, read)  # type: ignore


def _process(
    one: Any, by_typer: Callable[[Any, Any], Any], read: Any, context: Any, value: Any
) -> Any:
    """Return the value of an option or argument, read here where that is simple."""
    if (value is None and not one.required) or (value is not None and value is one.default):
        found = value
    elif read is not None and isinstance(value, str) and re.fullmatch(read[0], value):
        found = read[1](value)
    else:
        return by_typer(context, value)
    return found if one.callback is None else one.callback(context, one, found)


def find_offered(text: str, servers: int, options: dict[str, Any]) -> "Workload":
    """Return a workload by its name or file, at the load or rate of the options."""
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.experiment.options import Offered
    from zerowait.experiment.simulation.workload_setup import offered

    return offered(find_workload(text, servers), servers, Offered(**options))


def load_policies(file: Path | None) -> None:
    """Make the user's policies known."""
    if file is not None:
        from zerowait.policies.base import load_policy_file

        load_policy_file(file)
