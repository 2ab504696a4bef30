"""The controls of the page: classes, policies with their parameters, and splits.

Every step of a chip or slider carries the spelling of the whole policy with it, so that the page
need not know what goes with what: `order=due` comes with a patience, and leaves it behind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from zerowait.engine.policy import System
from zerowait.experiment.optimisation.space import Axis, Ground
from zerowait.explore.question import Question
from zerowait.explore.subject import Subject
from zerowait.model import InputError
from zerowait.policies import POLICIES, Choice, Policy, Range
from zerowait.policies.spelling import policy_options
from zerowait.report.palette import looks_of, short_name

STEPS = 40  # of a slider
BY_HAND = ("auxiliary", "slots")  # these have controls of their own
Values = Mapping[str, Any]


def parameters(policy: Policy, ground: Ground) -> Iterator[dict[str, Any]]:
    """Yield the parameters of a policy, then its auxiliary's; skip those without effect."""
    yield from _of_one(policy, False, ground, lambda own: _with(policy, own))
    inner = policy.auxiliary
    if inner is not None:
        yield from _of_one(
            inner, True, ground, lambda own: _with(policy, {"auxiliary": _with(inner, own)})
        )


def _of_one(policy: Policy, inner: bool, ground: Ground, whole: Any) -> Iterator[dict[str, Any]]:
    """Yield the parameters of one part; `whole` builds the whole policy from the part's values."""
    for name, field in policy_options(type(policy)).items():
        searched, spell = field.metadata.get("search"), field.metadata.get("spell")
        if name in BY_HAND or not _applies(searched, vars(policy)):
            continue
        value = getattr(policy, name)
        if value is None and _kind(searched) == "text":
            continue  # it stands in for others that are set
        values = _values(name, inner, searched, ground)
        steps = [_step(policy, name, one, spell, ground, whole) for one in values]
        yield {
            "name": name,
            "value": "" if value is None else spell(value),
            "kind": _kind(searched),
            "steps": [one for one in steps if one is not None],
            "at": _place(value, values),
        }


def _applies(searched: Choice | Range | None, values: Values) -> bool:
    return searched is None or all(
        values.get(name) in allowed for name, allowed in searched.when.items()
    )


def _kind(searched: Choice | Range | None) -> str:
    if isinstance(searched, Choice):
        return "chips"
    return "slider" if isinstance(searched, Range) and not searched.per_class else "text"


def _values(name: str, inner: bool, searched: Choice | Range | None, ground: Ground) -> list[Any]:
    if isinstance(searched, Choice):
        return list(searched.values)
    if searched is None or searched.per_class:
        return []
    axis = Axis(name, inner, searched)
    return list(dict.fromkeys(axis.value(step / STEPS, ground) for step in range(STEPS + 1)))


def _place(value: Any, values: list[Any]) -> int:
    """Return the slider's position: the value's own step, or the last one below it."""
    if value in values:
        return values.index(value)
    known = isinstance(value, (int, float))
    return max(sum(one <= value for one in values) - 1, 0) if known and values else 0


def _step(
    policy: Policy, name: str, value: Any, spell: Any, ground: Ground, whole: Any
) -> dict[str, str] | None:
    """Return a step of a control, or None where the policy refuses the value."""
    for values in _candidates(policy, name, value, ground):
        try:
            return {"text": spell(value), "spec": whole(values).spec}
        except InputError:
            continue
    return None


def _candidates(policy: Policy, name: str, value: Any, ground: Ground) -> Iterator[Values]:
    """Yield ways to set a value: alone, and with other options dropped or added as it requires."""
    yield {name: value}
    known = policy_options(type(policy))
    values = vars(policy) | {name: value}
    ranges = {key: one.metadata["search"] for key, one in known.items() if "search" in one.metadata}
    left = {key: known[key].default for key, one in ranges.items() if not _applies(one, values)}
    yield {name: value} | left
    for key, one in ranges.items():
        hangs = isinstance(one, Range) and not one.per_class and name in one.when
        if hangs and _applies(one, values):
            yield {name: value, key: Axis(key, False, one).value(0.5, ground)} | left


def _with(policy: Policy, values: Values) -> Policy:
    return cast(Policy, replace(cast(Any, policy), **values)) if values else policy


@dataclass(frozen=True)
class Preview:
    """A question before anything runs: the system, its policies, and how to ask it elsewhere."""

    question: Question
    policies: Sequence[Policy]
    system: System
    class_names: Sequence[str]
    load: float | None
    in_seconds: bool

    @property
    def ground(self) -> Ground:
        """Return the quantities that the ranges of options are measured in."""
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
                    "rule": one.summary(),
                    "auxiliary_rule": one.auxiliary and one.auxiliary.summary(),
                    "parameters": list(parameters(one, self.ground)),
                    "split": split_view(one, self.system),
                }
                for one in self.policies
            ],
            "command": self.question.command(subject),
            "python": self.question.python(subject),
        }  # fmt: skip


def known_policies() -> list[dict[str, Any]]:
    """List the policies that can be chosen, each once, and whether they take an auxiliary."""
    kinds = list(dict.fromkeys(POLICIES.values()))
    return [
        {
            "name": kind.name,
            "alias": kind.alias,
            "splits": "auxiliary" in policy_options(kind),
            "rule": kind.summary(),
        }
        for kind in kinds
    ]


def split_view(policy: Policy, system: System) -> dict[str, Any] | None:
    """Describe the split of a policy: own servers, helpers, or why it is refused."""
    try:
        found = policy.split_of(system)
    except InputError as error:
        return {"refused": str(error)}
    if found is None:
        return None
    return {
        "slots": list(found.slots),
        "own_servers": list(found.own_servers),
        "helpers": found.helpers,
        "needs": list(found.needs),
        "balanced": found.psi is not None,
    }
