"""What a question means before anything runs: its classes, its policies and what they can be set
to, its splits, and how to ask it elsewhere."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zerowait.engine.system import System
from zerowait.experiment.optimisation.space import Ground
from zerowait.explore.parameters import parameters
from zerowait.explore.question import Question
from zerowait.explore.subject import Subject
from zerowait.model import InputError, Split
from zerowait.policies import POLICIES, Policy
from zerowait.policies.families.splitting import Splitting
from zerowait.policies.spelling import options_of
from zerowait.report.palette import looks_of, short_name


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
        return {
            "servers": self.system.servers,
            "load": self.load,
            "classes": [
                {"name": name, "need": int(need)}
                for name, need in zip(self.class_names, self.system.class_needs, strict=True)
            ],
            "policies": [
                {
                    "spec": one.spec,
                    "short": short_name(one.spec),
                    "look": asdict(looks[one.spec]),
                    "rule": rule_of(type(one)),
                    "auxiliary_rule": one.auxiliary and rule_of(type(one.auxiliary)),
                    "parameters": list(parameters(one, self.ground)),
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
            "rule": rule_of(kind),
        }
        for kind in kinds
    ]


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
