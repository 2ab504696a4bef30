"""Which policies differ, beyond what chance explains."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerowait.model import InputError
from zerowait.model.quantities import Floats, refuse
from zerowait.policies import Policy, parse_policy

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Pair:
    """Two policies: the one with the smaller mean, the other, and Holm's adjusted p-value."""

    lower: str
    higher: str
    p_value: float
    significant: bool


@dataclass(frozen=True)
class Rank:
    """A policy in its place by the mean."""

    policy: str
    mean: float
    best: bool  # not significantly worse than the one with the best mean
    worse_than: tuple[str, ...]  # policies that are significantly better


@dataclass(frozen=True)
class Ranking:
    """Policies by their means, best first. Those that diverge are not ranked."""

    measure: str
    level: float
    ranks: tuple[Rank, ...]
    pairs: tuple[Pair, ...]
    diverging: tuple[str, ...]

    def is_best(self, policy: str) -> bool:
        return any(one.best for one in self.ranks if one.policy == policy)


def holm(p_values: Sequence[float]) -> Floats:
    """Adjusted p-values: below a, and the pair is significant at the family's level 1 - a.

    Holm, Scandinavian Journal of Statistics 6 (1979): each is multiplied by the number of those
    not smaller, and none is below the one before it.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def rank(
    measure: str,
    level: float,
    means: dict[str, float],
    p_values: dict[tuple[str, str], float],
    *,
    diverging: Sequence[str],
    higher_is_better: bool = False,
) -> Ranking:
    """Holm over all pairs; a p-value that is not known (NaN) says nothing."""
    adjusted = dict(
        zip(p_values, holm([1.0 if p != p else p for p in p_values.values()]), strict=True)
    )
    pairs = []
    for (a, b), p in adjusted.items():
        lower, higher = (a, b) if means[a] <= means[b] else (b, a)
        pairs.append(Pair(lower, higher, float(p), bool(p < 1 - level)))
    order = sorted(means, key=lambda name: -means[name] if higher_is_better else means[name])

    def better(policy: str) -> tuple[str, ...]:
        if higher_is_better:
            return tuple(p.higher for p in pairs if p.significant and p.lower == policy)
        return tuple(p.lower for p in pairs if p.significant and p.higher == policy)

    known = any(p == p for p in p_values.values())
    ranks = tuple(
        Rank(name, means[name], known and order[0] not in better(name), better(name))
        for name in order
    )
    return Ranking(measure, level, ranks, tuple(pairs), tuple(diverging))


AnyPolicy = str | Policy | type[Policy]


def contenders(
    policies: Sequence[AnyPolicy], baseline: str | None = None
) -> tuple[list[Policy], int]:
    """Read each policy, once, and find the baseline: the first unless another is named."""
    if isinstance(policies, str) or len(policies) == 0:
        raise InputError(f"policies = {policies!r}: give a list of policies, the baseline first")
    chosen = [parse_policy(policy) for policy in policies]
    names = [policy.spec for policy in chosen]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise refuse("policies", doubled, "is given twice; leave one out")
    if baseline is None:
        return chosen, 0
    return chosen, policy_number(baseline, names, "baseline")


def policy_number(name: str, names: Sequence[str], argument: str = "policy") -> int:
    """The place of a policy among those compared, however it is spelled."""
    if name not in names:
        name = parse_policy(name).spec
    if name not in names:
        raise refuse(argument, name, f"must be one of {', '.join(names)}")
    return names.index(name)
