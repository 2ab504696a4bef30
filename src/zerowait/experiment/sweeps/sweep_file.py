"""Sweeps as TOML files: their schema, and reading them with errors that name the line.

Keys at the top hold for every `[[sweep]]`; without any, they are the one sweep of the file.

workloads = ["figure1"]
servers = [256, 2048]
policies = ["fcfs", "bs:fcfs"]
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from zerowait.experiment.files.toml_places import Place, line_of, value_lines
from zerowait.experiment.files.workload_file import first_error, workload_from, workload_table
from zerowait.experiment.sweeps.policy_source import PolicySource
from zerowait.experiment.sweeps.sweep import PlaceError, Sweep
from zerowait.model import InputError, Workload

T = TypeVar("T")


def load_sweeps(path: str | Path) -> list[Sweep]:
    """Read a sweep file; `zerowait schema sweep` prints what it may hold."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        at = f"{path}:{line}" if line.isdigit() else path
        raise InputError(f"{at}: not TOML: {reason}") from None
    return _SweepFile(path, text, data).sweeps()


def sweep_schema() -> dict[str, Any]:
    """The JSON schema of a sweep file, for editors."""
    schema: dict[str, Any] = _file_table().model_json_schema()
    return schema


class _SweepFile:
    def __init__(self, path: Path, text: str, data: dict[str, Any]) -> None:
        self.path, self.text, self.data = path, text, data

    def sweeps(self) -> list[Sweep]:
        from pydantic import ValidationError

        try:
            _file_table().model_validate(self.data)
        except ValidationError as error:
            raise self._refusal(*first_error(error)) from None
        shared = dict(self.data)
        blocks = shared.pop("sweep", [{}])
        workloads = self._inline_workloads(shared.pop("workload", {}))
        sources = self._sources(shared.pop("policy_files", []))
        return [
            self._sweep(number, _inherited(shared, block) | block, workloads, sources)
            for number, block in enumerate(blocks)
        ]

    def _inline_workloads(self, tables: dict[str, Any]) -> dict[str, Workload]:
        found = {}
        for name, table in tables.items():
            try:
                found[name] = workload_from(table)
            except InputError as error:
                raise self._refusal(("workload", name), f"workload.{name}: {error}") from None
        return found

    def _sources(self, files: list[str]) -> tuple[PolicySource, ...]:
        sources = []
        for number, file in enumerate(files):
            try:
                sources.append(PolicySource.read(self.path.parent / file))
            except InputError as error:
                place = f"policy_files[{number}] = {file!r}"
                raise self._refusal(("policy_files", number), f"{place}: {error}") from None
        return tuple(sources)

    def _sweep(
        self,
        number: int,
        block: dict[str, Any],
        workloads: dict[str, Workload],
        sources: tuple[PolicySource, ...],
    ) -> Sweep:
        table: Place = ("sweep", number) if "sweep" in self.data else ()
        for name in ("workloads", "servers", "policies"):
            if name not in block:
                raise self._refusal(table, f"{name}: is missing; add it")
        spelled = block["workloads"]
        named = [
            self._workload(one, workloads)
            for one in (spelled if isinstance(spelled, list) else [spelled])
        ]
        sweep = Sweep(**block | {"workloads": named, "sources": sources})
        try:
            sweep.points()
        except PlaceError as error:
            # Either the table has the key, or the top of the file.
            own = error.place[0] in (self.data["sweep"][number] if table else self.data)
            raise self._refusal((*table, *error.place) if own else error.place, error) from None
        return sweep

    def _workload(self, name: str, inline: dict[str, Workload]) -> Any:
        """A workload of this file, another file beside it, or a published one."""
        if name in inline:
            return name, inline[name]
        return str(self.path.parent / name) if name.endswith(".toml") else name

    def _refusal(self, place: Place, reason: object) -> InputError:
        line = line_of(value_lines(self.text), place)
        return InputError(f"{self.path}:{line}: {reason}" if line else f"{self.path}: {reason}")


def _inherited(shared: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    """The keys at the top that a sweep leaves as they are; of loads and rates it has one only."""
    rates = {"loads", "arrival_rates"}
    hidden = rates if rates & block.keys() else set()
    return {name: value for name, value in shared.items() if name not in hidden}


@cache
def _file_table() -> Any:
    """Built when it is needed, because few commands need pydantic."""
    from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

    def several(kind: Any, least: int = 1) -> Any:
        """A list, or its only member."""
        as_list = BeforeValidator(
            lambda value: value if isinstance(value, list) else [value],
            json_schema_input_type=kind | list[kind],
        )
        return Annotated[list[kind], as_list, Field(min_length=least)]

    class Table(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

    texts: Any = several(str)
    wholes: Any = several(int)
    numbers: Any = several(float, least=0)
    inline: Any = workload_table()

    class SweepTable(Table):
        """Every combination of the lists is a point."""

        name: str = Field("", description="goes into the column `sweep`")
        workloads: texts | None = Field(
            None,
            description="figure1; sdsc-sp2,table=described; own.toml; a [workload.NAME]",
        )
        servers: wholes | None = Field(None, description="numbers of servers")
        loads: numbers | None = Field(
            None, description="offered work per server; left out: each workload's own"
        )
        arrival_rates: numbers | None = Field(None, description="instead of loads")
        policies: texts | None = Field(
            None, description="name[:auxiliary][,key=value...]; see `zerowait policies`"
        )
        seeds: wholes | None = Field(None, description="seeds of the random streams [1]")
        arrivals: int | None = Field(None, gt=0, description="per replication [1000000]")
        replications: int | None = Field(None, gt=0, description="independent replications [4]")
        warmup: float | str | None = Field(
            None, description="mser, or a share of the arrivals [mser]"
        )
        precision: float | None = Field(
            None, gt=0, description="run until the interval is this narrow, relative to the mean"
        )
        measure: str | None = Field(None, description="what `precision` is about")
        batches: int | None = Field(None, gt=0, description="batches of each replication")
        budget: int | None = Field(None, gt=0, description="most arrivals for `precision`")
        level: float | None = Field(None, gt=0, lt=1, description="of intervals [0.95]")
        allow_unstable: bool | None = Field(None, description="simulate loads of 1 and more")

    class SweepFileTable(SweepTable):
        """A zerowait sweep: keys at the top hold for every [[sweep]]."""

        sweep: list[SweepTable] | None = Field(None, min_length=1, description="sweeps of the file")
        workload: dict[str, inline] | None = Field(
            None, description="workloads of your own, by name"
        )
        policy_files: list[str] | None = Field(None, description="Python files with policies")

    return SweepFileTable
