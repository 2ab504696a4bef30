"""A change in an operator's words: one sentence for each thing that changes."""

from collections.abc import Iterator

from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.policies.backfill import Backfill

HOUR_S = 3600.0


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
    key = f"submission + {_time(policy.patience * policy.time_weight)} x ln(estimate)"
    by_need = policy.patience * policy.need_weight
    if round(by_need / 60) != 0:
        key += f" {'+' if by_need > 0 else '-'} {_time(abs(by_need))} x ln(servers)"
    yield (
        f"Order the queue by {key}, fixed when a job is submitted: short jobs pass long ones, but "
        "nobody is passed for ever."
    )


def _reservation(policy: Backfill) -> str:
    if policy.reserve_after == 0:
        return "Reserve servers at once for the first job that does not fit, as EASY does."
    return (
        "Reserve servers for a job that does not fit only once it has waited "
        f"{_time(policy.reserve_after)}."
    )


def _split(candidate: Candidate) -> Iterator[str]:
    slots = getattr(candidate.policy, "slots", None)
    if slots is not None:
        yield (
            f"Give classes by need and estimate {'/'.join(map(str, slots))} slots of their own, "
            "and leave the other servers to everybody."
        )


def _time(seconds: float) -> str:
    return f"{seconds / HOUR_S:.3g} h" if seconds >= HOUR_S else f"{seconds / 60:.0f} min"
