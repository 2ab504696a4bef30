"""Sweeps as TOML files: their schema, and reading them with errors that name the line.

Keys at the top hold for every `[[sweep]]`; without any, they are the one sweep of the file.

workloads = ["figure1"]
servers = [256, 2048]
policies = ["fcfs", "bs:fcfs"]
"""

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from zerowait.experiment.files.planned import planned_policy
from zerowait.experiment.files.toml_file import PlaceError, TomlFile, place_of
from zerowait.experiment.files.toml_places import Place
from zerowait.experiment.files.workload_file import workload_from, workload_table
from zerowait.experiment.options import SweepOptions, options_of
from zerowait.experiment.replays.source import is_log
from zerowait.experiment.sweeps.policy_source import PolicySource
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model import InputError, Workload
from zerowait.policies import parse_policy


def load_sweeps(path: str | Path) -> list[Sweep]:
    """Read a sweep file; `zerowait schema sweep` prints what it may hold."""
    return _SweepFile(path).sweeps()


def look_at_sweeps(path: str | Path) -> tuple[list[Sweep], list[str]]:
    """The same, but no code of `policy_files` is run: without the policies that only it knows, and
    these as they are spelled."""
    file = _SweepFile(path, runs_code=False)
    return file.sweeps(), list(file.left_out)


def sweep_schema() -> dict[str, Any]:
    """The JSON schema of a sweep file, for editors."""
    schema: dict[str, Any] = _file_table().model_json_schema()
    return schema


class _SweepFile:
    def __init__(self, path: str | Path, runs_code: bool = True) -> None:
        self.file, self.runs_code = TomlFile.read(path), runs_code
        self.file.check(_file_table())
        self.data, self.folder = self.file.data, self.file.path.parent
        self.left_out: dict[str, None] = {}  # policies, each once

    def sweeps(self) -> list[Sweep]:
        shared = dict(self.data)
        blocks = shared.pop("sweep", [{}])
        workloads = self._inline_workloads(shared.pop("workload", {}))
        sources = self._sources(shared.pop("policy_files", []))
        found = [
            self._sweep(number, _inherited(shared, block) | block, workloads, sources)
            for number, block in enumerate(blocks)
        ]
        return [one for one in found if one is not None]

    def _inline_workloads(self, tables: dict[str, Any]) -> dict[str, Workload]:
        found = {}
        for name, table in tables.items():
            try:
                found[name] = workload_from(table)
            except InputError as error:
                place = ("workload", name, *place_of(error))
                raise self.file.refusal(place, f"workload.{name}: {error}") from None
        return found

    def _sources(self, files: list[str]) -> tuple[PolicySource, ...]:
        sources: list[PolicySource] = []
        homes: dict[str, str] = {}  # files of policies, by name
        for number, file in enumerate(files):
            try:
                source = PolicySource.read(self.folder / file)
                names = source.load(Path(source.path)) if self.runs_code else []
                taken = [name for name in names if name in homes]
                if taken:
                    known = f"{homes[taken[0]]} registers {taken[0]!r} as well"
                    raise InputError(f"{known}; rename one")
            except InputError as error:
                place = f"policy_files[{number}] = {file!r}"
                raise self.file.refusal(("policy_files", number), f"{place}: {error}") from None
            sources.append(source)
            homes |= dict.fromkeys(names, file)
        return tuple(sources)

    def _sweep(
        self,
        number: int,
        block: dict[str, Any],
        workloads: dict[str, Workload],
        sources: tuple[PolicySource, ...],
    ) -> Sweep | None:
        table: Place = ("sweep", number) if "sweep" in self.data else ()
        for name in ("workloads", "servers", "policies"):
            if name not in block:
                raise self.file.refusal(table, f"{name}: is missing; add it")
        if sources and not self.runs_code:
            block = block | {"policies": self._known(block["policies"])}
            if not block["policies"]:
                return None
        spelled = block["workloads"]
        named = [
            self._workload(one, workloads)
            for one in (spelled if isinstance(spelled, list) else [spelled])
        ]
        if "policies" in block:
            given = block["policies"]
            asked = [given] if isinstance(given, str) else given
            block = block | {"policies": [planned_policy(one, self.folder) for one in asked]}
        try:
            sweep = Sweep(**block | {"workloads": named, "sources": sources})
            sweep.points()
        except PlaceError as error:
            # Either the table has the key, or the top of the file.
            own = error.place[0] in (self.data["sweep"][number] if table else self.data)
            place = (*table, *error.place) if own else error.place
            raise self.file.refusal(place, error) from None
        return sweep

    def _known(self, policies: str | list[str]) -> list[str]:
        """Those that can be told without running code."""
        known = []
        for one in [policies] if isinstance(policies, str) else policies:
            try:
                parse_policy(one)
                known.append(one)
            except InputError:
                self.left_out[one] = None
        return known

    def _workload(self, name: str, inline: dict[str, Workload]) -> Any:
        """A workload of this file, another file beside it (a log, too), or a published one."""
        if name in inline:
            return name, inline[name]
        beside = self.folder / name
        return str(beside) if name.endswith(".toml") or is_log(beside) else name


def _inherited(shared: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    """The keys at the top that a sweep leaves as they are; of loads and rates it has one only."""
    rates = {"loads", "arrival_rates"}
    hidden = rates if rates & block.keys() else set()
    return {name: value for name, value in shared.items() if name not in hidden}


@cache
def _file_table() -> Any:
    """Built when it is needed, because few commands need pydantic."""
    from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

    def several(kind: Any, least: int = 1) -> Any:
        """A list, or its only member."""
        as_list = BeforeValidator(
            lambda value: value if isinstance(value, list) else [value],
            json_schema_input_type=kind | list[kind],
        )
        return Annotated[list[kind], as_list, Field(min_length=least)]

    def key(kind: Any, meaning: str, **limits: Any) -> Any:
        return kind | None, Field(None, description=meaning, **limits)

    class Table(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

    # Words are left to the check of an option, which has a better remedy.
    options = {
        one.name: key(float | str if one.has_words else one.kind, one.meaning, **one.check.limits)
        for one in options_of(SweepOptions)
    }
    sweep: Any = create_model(
        "SweepTable",
        __base__=Table,
        __doc__="Every combination of the lists is a point.",
        name=key(str, "goes into the column `sweep`"),
        workloads=key(
            several(str), "figure1; sdsc-sp2,table=described; own.toml; a [workload.NAME]; a log"
        ),
        servers=key(several(int), "numbers of servers"),
        loads=key(
            several(float, least=0), "offered work per server; left out: each workload's own"
        ),
        arrival_rates=key(several(float, least=0), "instead of loads"),
        policies=key(several(str), "name[:auxiliary][,key=value...]; see `zerowait policies`"),
        seeds=key(several(int), "seeds of the random streams [1]"),
        **options,
    )
    inline: Any = workload_table()
    return create_model(
        "SweepFileTable",
        __base__=sweep,
        __doc__="A zerowait sweep: keys at the top hold for every [[sweep]].",
        sweep=key(list[sweep], "sweeps of the file", min_length=1),
        workload=key(dict[str, inline], "workloads of your own, by name"),
        policy_files=key(
            list[str], "Python files with policies; a sweep runs their code, a dry run does not"
        ),
    )
