"""Plans as TOML files: the decision that `plan` writes and `deploy` carries out.

schema = "zerowait-plan/1"
verdict = "change"
reason = "jobs wait less than half as long"

[cluster]
servers = 100

[baseline]
policy = "easy"

[choice]
policy = "backfill,order=due,patience=10h,reserve_after=1d"
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from zerowait._version import __version__
from zerowait.experiment.files.toml_file import TomlFile, toml_pairs, toml_value
from zerowait.experiment.files.whole_file import whole_file
from zerowait.model import InputError, Jobs
from zerowait.model.jobs import apply_overruns
from zerowait.model.quantities import Ints

SCHEMA = "zerowait-plan/1"

Number = int | float


@dataclass(frozen=True)
class PlanClass:
    """A class of jobs, told by what is known when they are submitted.

    Needs include both ends, estimates (seconds) their lower end only; `mean_service` is what
    `by=class` orders by.
    """

    name: str
    need: tuple[int, float] = (1, math.inf)
    estimate: tuple[float, float] = (0.0, math.inf)
    mean_service: float | None = None


@dataclass(frozen=True)
class Plan:
    """What to change on a cluster, and why; `choice` is None where nothing is to be changed."""

    servers: int
    baseline: str
    choice: str | None
    reason: str
    overruns: str = "extend"
    classes: tuple[PlanClass, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    front: tuple[Mapping[str, Any], ...] = ()
    version: str = __version__
    command: str = ""

    @property
    def verdict(self) -> Literal["change", "change-nothing"]:
        return "change-nothing" if self.choice is None else "change"

    @property
    def policy(self) -> str:
        """Return what the cluster should do: the choice, or what it does today."""
        return self.choice or self.baseline


def load_plan(path: str | Path) -> Plan:
    """Read a plan; whatever is wrong with it is refused with its line."""
    return _PlanFile(TomlFile.read(path)).plan()


def save_plan(plan: Plan, path: str | Path) -> None:
    """Write a plan, whole or not at all."""
    with whole_file(Path(path)) as part:
        part.write_text(plan_toml(plan), encoding="utf-8")


def plan_schema() -> dict[str, Any]:
    """Return the JSON schema of a plan, for editors."""
    schema: dict[str, Any] = _file_table().model_json_schema()
    return schema


def plan_toml(plan: Plan) -> str:
    """Return the plan as the text that `load_plan` reads."""
    head = {"schema": SCHEMA, "version": plan.version, "command": plan.command,
            "verdict": plan.verdict, "reason": plan.reason}  # fmt: skip
    lines = [*toml_pairs(head)]
    lines += ["", "[cluster]", f"servers = {plan.servers}"]
    lines += ["", "[baseline]", f"policy = {toml_value(plan.baseline)}"]
    if plan.choice is not None:
        choice = {"policy": plan.choice, "overruns": plan.overruns}
        lines += ["", "[choice]", *toml_pairs(choice)]
    for one in plan.classes:
        lines += ["", "[[class]]", *toml_pairs(_class_table(one))]
    if plan.evidence:
        lines += ["", "[evidence]", *toml_pairs(plan.evidence)]
    for entry in plan.front:
        lines += ["", "[[front]]", *toml_pairs(entry)]
    return "\n".join(lines) + "\n"


def _class_table(one: PlanClass) -> dict[str, Any]:
    """Return the entries of a class; an end that is open is left out."""
    table: dict[str, Any] = {"name": one.name}
    for name, ends in (("need", one.need), ("estimate", one.estimate)):
        table[name] = [end for end in ends if end != math.inf]
    if one.mean_service is not None:
        table["mean_service"] = one.mean_service
    return table


class _PlanFile:
    def __init__(self, file: TomlFile) -> None:
        self.file, self.data = file, file.data

    def plan(self) -> Plan:
        given = self.data.get("schema")
        if given != SCHEMA:
            raise self.file.refusal(
                ("schema",), f"schema = {given!r}: this zerowait reads {SCHEMA!r}; make a new plan"
            )
        self.file.check(_file_table())
        choice = self._choice()
        return Plan(
            servers=self.data["cluster"]["servers"],
            baseline=self.data["baseline"]["policy"],
            choice=choice,
            reason=self.data["reason"],
            overruns=self.data.get("choice", {}).get("overruns", "extend"),
            classes=tuple(map(self._class, range(len(self.data.get("class", []))))),
            evidence=self.data.get("evidence", {}),
            front=tuple(self.data.get("front", [])),
            version=self.data.get("version", ""),
            command=self.data.get("command", ""),
        )

    def _choice(self) -> str | None:
        changes = self.data["verdict"] == "change"
        if changes != ("choice" in self.data):
            remedy = "add it" if changes else "remove it, or say verdict = 'change'"
            state = "is missing" if changes else "changes something where the verdict is not to"
            raise self.file.refusal(
                ("choice",) if not changes else (), f"choice: {state}; {remedy}"
            )
        return self.data["choice"]["policy"] if changes else None

    def _class(self, number: int) -> PlanClass:
        table = self.data["class"][number]
        ends = {}
        for name, lowest in (("need", 1), ("estimate", 0)):
            given = table.get(name, [lowest])
            low, high = given[0], given[1] if len(given) == 2 else math.inf
            # Needs include their upper end: 4 to 4 is a class of its own.
            if not (low <= high if name == "need" else low < high):
                raise self.file.refusal(
                    ("class", number, name), f"class[{number}].{name} = {given}: holds no job"
                )
            ends[name] = (low, high)
        name = table["name"]
        if any(other["name"] == name for other in self.data["class"][:number]):
            raise self.file.refusal(
                ("class", number, "name"), f"class[{number}].name = {name!r}: is taken; rename it"
            )
        return PlanClass(name, ends["need"], ends["estimate"], table.get("mean_service"))


@cache
def _file_table() -> Any:
    """Make the schema when it is needed, because few commands need pydantic."""
    from pydantic import BaseModel, ConfigDict, Field

    class Table(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

    class ClusterTable(Table):
        servers: int = Field(gt=0, description="servers that the plan is for")

    class PolicyTable(Table):
        policy: str = Field(description="name[:auxiliary][,key=value...]; see `zerowait policies`")

    class ChoiceTable(PolicyTable):
        overruns: Literal["extend", "kill", "as-recorded"] = Field(
            "extend", description="what the plan assumed of jobs that outlast their estimate"
        )

    class ClassTable(Table):
        name: str = Field(min_length=1, description="what the class is called")
        need: list[int] = Field(
            [1], min_length=1, max_length=2, description="least and largest need, both included"
        )
        estimate: list[Number] = Field(
            [0], min_length=1, max_length=2, description="seconds: from the first, below the second"
        )
        mean_service: float | None = Field(None, gt=0, description="seconds; for by=class")

    class PlanTable(Table):
        """A zerowait plan."""

        schema_: Literal["zerowait-plan/1"] = Field(alias="schema")
        version: str = Field("", description="zerowait that made the plan")
        command: str = Field("", description="command that makes it again")
        verdict: Literal["change", "change-nothing"]
        reason: str = Field(description="in one sentence")
        cluster: ClusterTable
        baseline: PolicyTable = Field(description="what the cluster does today")
        choice: ChoiceTable | None = Field(None, description="what it should do")
        class_: list[ClassTable] | None = Field(
            None, alias="class", description="classes of a split or of a table of allowances"
        )
        evidence: dict[str, Any] | None = Field(None, description="numbers behind the verdict")
        front: list[dict[str, Any]] | None = Field(None, description="what else was possible")

    return PlanTable


def plan_named(text: str, folder: Path = Path()) -> Plan | None:
    """Return the plan in a file of `folder`; None where the text is a policy."""
    return load_plan(folder / text) if text.endswith(".toml") else None


def planned_policy(text: str, folder: Path = Path()) -> str:
    """Return the policy of a plan's file, or the text as it is."""
    plan = plan_named(text, folder)
    if plan is None:
        return text
    if plan.classes:
        raise InputError(
            f"{text}: its policy has classes by need and estimate, which only jobs of a log have; "
            "use replay"
        )
    return plan.policy


def in_planned_classes(jobs: Jobs, plan: Plan) -> Jobs:
    """Put the jobs into the classes of a plan, in its order; unchanged where it has none."""
    if not plan.classes:
        return jobs
    settled, _ = apply_overruns(jobs, plan.overruns)  # the plan saw these estimates
    number = class_numbers(settled, plan.classes)
    if (number < 0).any():
        at = int(np.argmax(number < 0))
        raise InputError(
            f"job {at + 1} (need {np.asarray(jobs.need)[at]}): is in no class of the plan; make a "
            "new one for this log"
        )
    width = len(str(len(plan.classes)))
    names = [f"{at:0{width}}: {one.name}" for at, one in enumerate(plan.classes, start=1)]
    return replace(jobs, job_class=np.asarray(names)[number])


def class_numbers(jobs: Jobs, classes: Sequence[PlanClass]) -> Ints:
    """Return the first class that each job belongs to; -1: none."""
    need, estimate = np.asarray(jobs.need), np.asarray(jobs.estimate)
    number = np.full(len(jobs), -1, np.int64)
    for at, one in reversed([*enumerate(classes)]):
        (least, most), (low, high) = one.need, one.estimate
        number[(least <= need) & (need <= most) & (low <= estimate) & (estimate < high)] = at
    return number
