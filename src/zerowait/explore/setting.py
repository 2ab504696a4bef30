"""What a question means before anything runs: its classes, its policies and what they can be set
to, its splits, and how to ask it elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zerowait.engine.system import System
from zerowait.experiment.optimisation.space import Axis, Ground
from zerowait.explore.question import Question
from zerowait.explore.subject import Subject
from zerowait.model import InputError, Split
from zerowait.policies import POLICIES, Policy, Range
from zerowait.policies.families.splitting import Splitting
from zerowait.policies.ranges import Choice
from zerowait.policies.spelling import options_of
from zerowait.report.palette import looks_of, short_name

STEPS = 40  # of a slider


@dataclass(frozen=True)
class Setting:
    """A system, and the policies that it is to run."""

    question: Question
    policies: Sequence[Policy]
    system: System
    class_names: Sequence[str]
    load: float | None
    in_seconds: bool

    @property
    def ground(self) -> Ground:
        """What the ranges of options are measured in."""
        demands = [float(one) for one in self.system.class_demands]
        services = [float(one) for one in self.system.class_services]
        needs = [int(need) for need in self.system.class_needs]
        # Of the jobs: a class's demand is its share of them times need and mean service.
        jobs = [
            demand / (need * service) if service > 0 else 0.0
            for demand, need, service in zip(demands, needs, services, strict=True)
        ]
        mean = sum(n * s for n, s in zip(jobs, services, strict=True)) / (sum(jobs) or 1.0)
        return Ground(self.system.servers, needs, demands, services, mean, self.in_seconds)

    def as_dict(self, subject: Subject) -> dict[str, Any]:
        looks = looks_of(one.spec for one in self.policies)
        total = sum(float(one) for one in self.system.class_demands) or 1.0
        return {
            "servers": self.system.servers,
            "load": self.load,
            "classes": [
                {"name": name, "need": int(need), "work": float(demand) / total}
                for name, need, demand in zip(
                    self.class_names, self.system.class_needs, self.system.class_demands,
                    strict=True,
                )
            ],
            "policies": [
                {
                    "spec": one.spec,
                    "short": short_name(one.spec),
                    "look": asdict(looks[one.spec]),
                    "rule": rule_of(type(one)),
                    "auxiliary_rule": one.auxiliary and rule_of(type(one.auxiliary)),
                    "options": list(options(one, self.ground)),
                    "split": split(one, self.system),
                }
                for one in self.policies
            ],
            "command": self.question.command(subject),
            "python": self.question.python(subject),
        }  # fmt: skip


def rule_of(kind: type[Policy]) -> str:
    """The first paragraph of its docstring, in one line."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def known_policies() -> list[dict[str, Any]]:
    """What can be chosen, each once, with whether it takes an auxiliary or can be one."""
    kinds = list(dict.fromkeys(POLICIES.values()))
    return [
        {
            "name": kind.name,
            "alias": kind.alias,
            "splits": "auxiliary" in options_of(kind),
            "preemptive": bool(kind.preemptive),
            "rule": rule_of(kind),
        }
        for kind in kinds
    ]


def options(policy: Policy, ground: Ground) -> Iterator[dict[str, Any]]:
    """What can be set, of the policy and then of its auxiliary: a list of texts for a slider or a
    choice, in their order, or free text where there is no range."""
    for one, inner in ((policy, False), (policy.auxiliary, True)):
        if one is None:
            continue
        known = options_of(type(one))
        for name, field in known.items():
            if name in ("auxiliary", "slots"):
                continue
            searched, value = field.metadata.get("search"), getattr(one, name)
            spell = field.metadata["spell"]
            if not _applies(one, searched):
                continue
            yield {
                "name": name,
                "value": "" if value is None else spell(value),
                "default": "" if field.default is None else spell(field.default),
                "kind": _kind(searched),
                "steps": _steps(name, inner, searched, spell, ground),
            }


def _applies(policy: Policy, searched: Choice | Range | None) -> bool:
    """Does the option do anything beside the others as they are?"""
    if searched is None:
        return True
    return all(getattr(policy, name) in values for name, values in searched.when.items())


def _kind(searched: Choice | Range | None) -> str:
    if isinstance(searched, Choice):
        return "choice"
    return "slider" if isinstance(searched, Range) and not searched.per_class else "text"


def _steps(
    name: str, inner: bool, searched: Choice | Range | None, spell: Any, ground: Ground
) -> list[str]:
    if isinstance(searched, Choice):
        return [spell(one) for one in searched.values]
    if searched is None or searched.per_class:
        return []
    axis = Axis(name, inner, searched)
    values = (axis.value(step / STEPS, ground) for step in range(STEPS + 1))
    return list(dict.fromkeys(spell(one) for one in values))


def split(policy: Policy, system: System) -> dict[str, Any] | None:
    """The servers of each class and the helpers, and why there are none where it cannot be."""
    if not isinstance(policy, Splitting):
        return None
    try:
        found: Split = policy.split_of(system)
    except InputError as error:
        return {"refused": str(error)}
    return {
        "slots": list(found.slots),
        "own_servers": list(found.own_servers),
        "helpers": found.helpers,
        "needs": list(found.needs),
        "balanced": policy.slots is None,
    }
