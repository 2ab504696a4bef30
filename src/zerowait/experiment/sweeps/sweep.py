"""A sweep: the product of workloads, servers, loads, policies and seeds; and its TOML file.

In a file, keys at the top hold for every `[[sweep]]`; without any, they are the one sweep of the
file.

    workloads = ["figure1"]
    servers = [256, 2048]
    policies = ["fcfs", "bs:fcfs"]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeVar

from zerowait.experiment.checks import Option, entries_of
from zerowait.experiment.files.plan_file import planned_policy
from zerowait.experiment.files.toml_file import Place, PlaceError, TomlFile, place_of, spelled
from zerowait.experiment.files.workload_file import find_workload, workload_from, workload_table
from zerowait.experiment.options import SweepOptions
from zerowait.experiment.simulation.simulate import is_log
from zerowait.experiment.sweeps.logged_jobs import logged_jobs
from zerowait.experiment.sweeps.points import LogPoint, PolicySource, SweepPoint
from zerowait.model import InputError, Workload
from zerowait.model.quantities import items, positive, whole
from zerowait.policies import Policy, parse_policy

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Sweep(SweepOptions):
    """Every combination of the lists is a point; a list of one may be given as its only member.

    Without `loads` and `arrival_rates` each workload keeps its own rate, as `figure1` does. Points
    of the same workload, load and seed see the same jobs, whatever their policy. The options are
    those of `simulate`, the same for all points. Files of logs may be among the workloads: their
    points are replays, with the options of `replay`.
    """

    workloads: Mapping[str, Workload] | Sequence[str | Workload] | str | Workload
    servers: Sequence[int] | int
    policies: Sequence[str | Policy | type[Policy]] | str | Policy | type[Policy]
    loads: Sequence[float] | float = ()
    arrival_rates: Sequence[float] | float = ()
    seeds: Sequence[int] | int = 1
    name: str = ""
    sources: tuple[PolicySource, ...] = ()

    def _checked(self, one: Option, value: Any) -> Any:
        return _checked((one.name,), value, lambda name, value: one.check(one.name, value))

    def points(self) -> list[SweepPoint]:
        """Return all points, checked as far as they can be before they run."""
        found = [
            kind(
                label, workload, servers, policy, seed, load=load, arrival_rate=rate,
                options=self._options(kind), sources=self.sources, spelling=spelling,
            )
            for servers in _wholes("servers", self.servers)
            for label, spelling, workload, kind in self._workloads(servers)
            for policy, (load, rate), seed in product(
                self._policies(), self._rates(kind), _wholes("seeds", self.seeds, least=0)
            )
        ]  # fmt: skip
        kinds = {one.options_taken for one in found}
        taken = {one.name for kind in kinds for one in entries_of(kind)}
        for name, value in self.chosen().items():
            if name not in taken:
                raise _refused((name,), value, "is no option of these workloads; leave it out")
        return found

    def _options(self, kind: type[SweepPoint]) -> dict[str, Any]:
        """Return the options for points of a kind, without defaults: these are no part of a
        point's name."""
        own = {one.name for one in entries_of(kind.options_taken)}
        return {name: value for name, value in self.chosen().items() if name in own}

    def _workloads(self, servers: int) -> Iterator[tuple[str, str | None, Any, type[SweepPoint]]]:
        for number, one in enumerate(_several("workloads", self.workloads)):
            try:
                if isinstance(one, tuple):
                    yield one[0], None, one[1], SweepPoint
                elif isinstance(one, Workload):
                    yield f"workload {number}", None, one, SweepPoint
                elif is_log(str(one)):
                    jobs = logged_jobs(str(one), self._options(LogPoint))
                    yield Path(one).name, str(one), jobs, LogPoint
                else:
                    text = str(one)
                    label = Path(text).stem if text.endswith(".toml") else text
                    yield label, text, find_workload(text, servers), SweepPoint
            except InputError as error:
                raise _refused(("workloads", number), one, error) from None

    def _policies(self) -> Iterator[str | Policy]:
        for number, one in enumerate(_several("policies", self.policies)):
            try:
                chosen = parse_policy(one)
            except InputError as error:
                raise _refused(("policies", number), one, error) from None
            # A spelling can be sent to any machine, a class only where it can be imported.
            yield one if isinstance(one, str) else chosen

    def _rates(self, kind: type[SweepPoint]) -> list[tuple[float | None, float | None]]:
        loads = _numbers("loads", self.loads)
        rates = _numbers("arrival_rates", self.arrival_rates)
        if loads and rates:
            raise _refused(("loads",), loads, f"arrival_rates = {rates} as well; give one of them")
        if rates and kind is LogPoint:
            raise _refused(("arrival_rates",), rates, "logs have loads; give these instead")
        if rates:
            return [(None, rate) for rate in rates]
        return [(load, None) for load in loads] or [(None, None)]


def named_points(
    sweeps: Iterable[tuple[Sweep, Iterable[SweepPoint]]],
) -> list[tuple[str, SweepPoint]]:
    """Return points with the names of their sweeps, equal points once per sweep."""
    found: dict[tuple[str, str], tuple[str, SweepPoint]] = {}
    for one, points in sweeps:
        for point in points:
            found.setdefault((one.name, point.key), (one.name, point))
    return list(found.values())


def _several(name: str, value: Any) -> list[Any]:
    if isinstance(value, (str, int, Workload, Policy, type)):
        return [value]
    return items(name, list(value.items()) if isinstance(value, Mapping) else value)


def _numbers(name: str, value: Sequence[float] | float) -> list[float]:
    values = [value] if isinstance(value, (int, float)) else list(value)
    return [_checked((name, number), one, positive) for number, one in enumerate(values)]


def _wholes(name: str, value: Any, least: int = 1) -> list[int]:
    def check(place: str, one: Any) -> int:
        return whole(place, one, least)

    return [
        _checked((name, number), one, check) for number, one in enumerate(_several(name, value))
    ]


def _checked(place: Place, value: Any, check: Callable[[str, Any], T]) -> T:
    try:
        return check("", value)
    except InputError as error:
        raise _refused(place, value, str(error).partition(": ")[2]) from None


def _refused(place: Place, value: object, reason: object) -> PlaceError:
    return PlaceError(place, f"{spelled(place)} = {value!r}: {reason}")


def sweep_schema() -> dict[str, Any]:
    """Return the JSON schema of a sweep file, for editors."""
    schema: dict[str, Any] = _file_table().model_json_schema()
    return schema


class SweepFile:
    """A sweep file; unless it `runs_code`, policies of its `policy_files` are left out."""

    def __init__(self, path: str | Path, runs_code: bool = True) -> None:
        self.file, self.runs_code = TomlFile.read(path), runs_code
        self.file.check(_file_table("workload" in self.file.data))
        self.data, self.folder = self.file.data, self.file.path.parent
        self.left_out: dict[str, None] = {}  # policies, each once

    def points(self) -> list[tuple[str, SweepPoint]]:
        """Return all points with the names of their sweeps."""
        return named_points(self.sweeps())

    def sweeps(self) -> list[tuple[Sweep, list[SweepPoint]]]:
        """Return all sweeps with their points."""
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
    ) -> tuple[Sweep, list[SweepPoint]] | None:
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
            return sweep, sweep.points()
        except PlaceError as error:
            # Either the table has the key, or the top of the file.
            own = error.place[0] in (self.data["sweep"][number] if table else self.data)
            place = (*table, *error.place) if own else error.place
            raise self.file.refusal(place, error) from None

    def _known(self, policies: str | list[str]) -> list[str]:
        """Return the policies that are known without running code."""
        known = []
        for one in [policies] if isinstance(policies, str) else policies:
            try:
                parse_policy(one)
                known.append(one)
            except InputError:
                self.left_out[one] = None
        return known

    def _workload(self, name: str, inline: dict[str, Workload]) -> Any:
        """Find a workload of this file, a file beside it (a log, too), or a published one."""
        if name in inline:
            return name, inline[name]
        beside = self.folder / name
        return str(beside) if name.endswith(".toml") or is_log(beside) else name


def _inherited(shared: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    """Return the keys at the top that a sweep keeps; its own loads or rates hide both."""
    rates = {"loads", "arrival_rates"}
    hidden = rates if rates & block.keys() else set()
    return {name: value for name, value in shared.items() if name not in hidden}


@cache
def _file_table(has_workloads: bool = True) -> Any:
    """Build the schema when it is needed, because few commands need pydantic; what is known of
    workloads takes ten times as long as the rest."""
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
        for one in entries_of(SweepOptions)
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
    inline: Any = workload_table() if has_workloads else Any
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
