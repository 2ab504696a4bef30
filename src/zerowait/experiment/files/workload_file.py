"""Workloads as TOML files: their schema, reading and writing them.

[[class]]
need = 1
share = 0.95
service = { law = "exponential", mean = 1.0 }
"""

import dataclasses
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union

from zerowait.experiment.files.toml_file import (
    UNKNOWN,
    PlaceError,
    TomlFile,
    place_of,
    toml_pairs,
)
from zerowait.experiment.files.whole_file import whole_file
from zerowait.model import ArrivalProcess, InputError, JobClass, Law, Workload
from zerowait.model.arrivals import ARRIVALS
from zerowait.model.errors import WriteError
from zerowait.model.laws import LAWS
from zerowait.model.quantities import refuse
from zerowait.model.workloads import is_published, named_workload

AnyWorkload = Workload | str | Path


def find_workload(what: AnyWorkload, servers: int) -> Workload:
    """Return a workload itself, the one in a TOML file, or a published one by its name."""
    if isinstance(what, Workload):
        return what
    if not isinstance(what, (str, Path)):
        remedy = (
            "must be a Workload, the name of one, or a TOML file; replay and compare take logs and "
            "jobs"
        )
        raise refuse("workload", what, remedy)
    if str(what).endswith(".toml"):
        return load_workload(what)
    if not is_published(str(what)) and Path(what).is_file():
        raise InputError(
            f"{what}: is no workload; if it is a log, 'zerowait compare {what} easy first-fit' and "
            f"'replay' take it as it is, 'zerowait trace fit {what} --out mine.toml' makes a "
            "workload of it"
        )
    return named_workload(str(what), servers)


def load_workload(path: str | Path) -> Workload:
    """Read a workload from a TOML file; `zerowait schema` prints what it may hold."""
    file = TomlFile.read(path)
    file.check(workload_table())
    try:
        return workload_from(file.data)
    except InputError as error:
        raise file.refusal(place_of(error), error) from None


def workload_schema() -> dict[str, Any]:
    """Return the JSON schema of a workload file, for editors."""
    schema: dict[str, Any] = workload_table().model_json_schema()
    return schema


def workload_from(data: dict[str, Any]) -> Workload:
    """Make the workload of a table that the schema has accepted."""
    classes = []
    for number, entry in enumerate(data["class"]):
        try:
            service, name = _law(entry["service"]), entry.get("name", "")
            over = _law(entry["overestimation"]) if "overestimation" in entry else None
            classes.append(JobClass(entry["need"], entry["share"], service, name, over))
        except InputError as error:
            raise PlaceError(("class", number), f"class[{number}]: {error}") from None
    workload = Workload(classes, _arrivals(data.get("arrivals", {})))
    if "load" not in data:
        return workload
    if "servers" not in data:
        remedy = "refers to servers; add servers, or remove load"
        raise PlaceError(("load",), f"load = {data['load']}: {remedy}")
    return workload.with_load(data["servers"], data["load"])


def _law(data: dict[str, Any]) -> Law:
    values = {
        key: [_law(item) for item in value] if key == "laws" else value
        for key, value in data.items()
        if key != "law"
    }
    kind: Any = LAWS[data["law"]]
    law: Law = kind.from_mean_std(**values) if _from_mean_std(data) else kind(**values)
    return law


def _arrivals(data: dict[str, Any]) -> ArrivalProcess:
    values = {key: value for key, value in data.items() if key != "process"}
    if "law" in values:
        values["law"] = _law(values["law"])
    kind: Any = ARRIVALS[data.get("process", "poisson")]
    process: ArrivalProcess = kind(**values)
    return process


def _from_mean_std(data: dict[str, Any]) -> bool:
    """Tell whether a law is given by mean and standard deviation, not by its own parameters."""
    return "std" in data


def _tag(data: Any) -> str | None:
    if not isinstance(data, dict):
        return None
    return f"{data.get('law')}, mean and std" if _from_mean_std(data) else str(data.get("law"))


@cache
def workload_table() -> Any:
    """Build the tables of a file as pydantic models from the registers: a new law or process can
    be used in files at once. Pydantic is imported here because few commands need it."""
    from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, create_model

    class Table(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

    variants: list[Any] = []

    def variant(model_name: str, tag: str, law: str, fields: dict[str, Any]) -> None:
        required = {name: (kind, ...) for name, kind in fields.items()}
        model = create_model(model_name, __base__=Table, law=(Literal[law], ...), **required)  # type: ignore[call-overload]
        variants.append(Annotated[model, Tag(tag)])

    for name, law in LAWS.items():
        if name != "mixture":
            parameters = dataclasses.fields(law)  # type: ignore[arg-type]
            variant(law.__name__, name, name, {field.name: _kind(field) for field in parameters})
        if hasattr(law, "from_mean_std"):
            moments = {"mean": float, "std": float}
            variant(f"{law.__name__}FromMeanStd", f"{name}, mean and std", name, moments)
    one_of: Any = Union
    by_law = Discriminator(_tag, f"{UNKNOWN}law", ", ".join(sorted(LAWS)))
    simple_law: Any = Annotated[one_of[tuple(variants)], by_law]
    variant("Mixture", "mixture", "mixture", {"weights": list[float], "laws": list[simple_law]})
    any_law: Any = Annotated[one_of[tuple(variants)], by_law]

    class JobClassTable(Table):
        need: int = Field(description="servers that a job of this class holds at once")
        share: float = Field(description="share of the arrivals; all shares sum to one")
        service: any_law = Field(description="law of the service time")
        name: str = ""
        overestimation: any_law | None = Field(
            None,
            description="law of estimate / service, at least 1; without it estimates are exact",
        )

    def process_table(process: type[ArrivalProcess]) -> Any:
        keys: dict[str, Any] = {"process": (Literal[process.name], ...)}
        for field in dataclasses.fields(process):  # type: ignore[arg-type]
            default = ... if field.default is dataclasses.MISSING else field.default
            kind = any_law if field.type is Law else _kind(field)
            keys[field.name] = kind, Field(default, description=field.metadata.get("meaning"))
        return create_model(f"{process.__name__}Table", __base__=Table, **keys)

    processes = [process_table(one) for one in ARRIVALS.values() if one.in_files]

    class WorkloadTable(Table):
        """A zerowait workload."""

        classes: list[JobClassTable] = Field(alias="class", min_length=1)
        arrivals: Annotated[one_of[tuple(processes)], Field(discriminator="process")] | None = None
        servers: int | None = Field(None, description="servers that `load` refers to")
        load: float | None = Field(None, description="offered work per server; needs `servers`")

    return WorkloadTable


def _kind(field: "dataclasses.Field[Any]") -> Any:
    if field.name == "phases":
        return int
    if "Sequence" in str(field.type):
        return list[float]
    return float if field.default is not None else float | None


LINE_WIDTH = 100


def save_workload(workload: Workload, path: str | Path, note: str = "") -> None:
    """Write a workload; `note` goes on top as comments. Numbers keep every bit."""
    if not isinstance(workload, Workload):
        raise refuse("workload", workload, "must be a Workload; a name stands for one already")
    text = workload_toml(workload, note)
    try:
        with whole_file(Path(path)) as part:
            part.write_text(text, encoding="utf-8")
    except WriteError as error:
        raise InputError(str(error)) from None


def workload_toml(workload: Workload, note: str = "") -> str:
    """Spell a workload as a file."""
    lines = [f"# {line}".rstrip() for line in note.splitlines()]
    for one in workload.classes:
        known = {"name": one.name or None, "need": one.need, "share": one.share,
                 "service": one.service, "overestimation": one.overestimation}  # fmt: skip
        table = {name: _plain(value) for name, value in known.items() if value is not None}
        lines += ["", "[[class]]", *toml_pairs(table, LINE_WIDTH)]
    lines += ["", "[arrivals]", *toml_pairs(_arrivals_table(workload.arrivals), LINE_WIDTH)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _arrivals_table(process: ArrivalProcess) -> dict[str, Any]:
    if ARRIVALS.get(process.name) is not type(process) or not process.in_files:
        raise InputError(f"arrivals = {process.name}: cannot be written to a file; use poisson")
    return {"process": process.name} | _fields(process)


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a law or process that are not None, ready for TOML."""
    found = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {name: _plain(one) for name, one in found.items() if one is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Law):
        return {"law": value.name} | _fields(value)
    if isinstance(value, (str, int, float)):
        return value
    return [_plain(one) if isinstance(one, Law) else float(one) for one in value]
