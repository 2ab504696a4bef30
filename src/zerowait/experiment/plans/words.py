"""A change in an operator's words: one sentence for each thing that changes."""

from collections.abc import Iterator

from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.policies.backfill import Backfill

MINUTE_S, HOUR_S = 60.0, 3600.0


def in_words(candidate: Candidate) -> list[str]:
    """What to do, of candidates as plans have them; a policy of another kind speaks for itself."""
    policy = candidate.policy if candidate.policy.auxiliary is None else candidate.policy.auxiliary
    found = list(_split(candidate))
    if isinstance(policy, Backfill):
        found += [*_order(policy), _reservation(policy)]
    return found


def _order(policy: Backfill) -> Iterator[str]:
    if policy.order != "due" or policy.patience is None:
        return
    weights = _felt(policy.need_weight, policy.patience), _felt(policy.time_weight, policy.patience)
    terms = [
        f" {'+' if weight > 0 else '-'} {time_in_words(abs(policy.patience * weight))} x ln({what})"
        for weight, what in zip(reversed(weights), ("estimate", "servers"), strict=True)
        if weight
    ]
    yield (
        f"Order the queue by submission{''.join(terms)}, fixed when a job is submitted: "
        f"{who_passes(*weights)}, but nobody is passed for ever."
    )
    yield from exploits(*weights)


def _felt(weight: float, patience: float) -> float:
    """Zero where it comes to less than half a minute."""
    return weight if abs(weight * patience) > MINUTE_S / 2 else 0.0


def who_passes(need_weight: float, time_weight: float) -> str:
    """Of jobs that come together, by the signs of the weights that their allowances have."""
    found = []
    if time_weight:
        found.append(_passes("short", "long", time_weight))
    if need_weight:
        found.append(_passes("small", "large", need_weight))
    return " and ".join(found) or "all jobs keep the order in which they came"


def _passes(little: str, much: str, weight: float) -> str:
    first, then = (little, much) if weight > 0 else (much, little)
    return f"{first} jobs pass {then} ones"


def exploits(need_weight: float, time_weight: float) -> Iterator[str]:
    """What a user gains by asking for more than a job needs."""
    for weight, what in ((need_weight, "servers"), (time_weight, "time")):
        if weight < 0:
            yield f"Asking for more {what} then moves a job forward, which users can exploit."


def _reservation(policy: Backfill) -> str:
    if policy.reserve_after == 0:
        return "Reserve servers at once for the first job that does not fit, as EASY does."
    return (
        "Reserve servers for a job that does not fit only once it has waited "
        f"{time_in_words(policy.reserve_after)}."
    )


def _split(candidate: Candidate) -> Iterator[str]:
    slots = getattr(candidate.policy, "slots", None)
    if slots is not None:
        yield (
            f"Give classes by need and estimate {'/'.join(map(str, slots))} slots of their own, "
            "and leave the other servers to everybody."
        )


def time_in_words(seconds: float) -> str:
    """Hours, or minutes where it is less than one."""
    return f"{seconds / HOUR_S:.3g} h" if seconds >= HOUR_S else f"{seconds / 60:.0f} min"
