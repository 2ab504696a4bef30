"""What becomes of jobs that ran longer than announced, straight from DESIGN.md section 8.

The rule is applied to the whole list before anything else is made of it: keys of orders, means of
classes, the demand a split is made for, the measures and the reported `service` all see its result.
A job whose estimate is its service time, or longer, is as it was.
"""

from collections.abc import Sequence

JobRow = tuple[float, int, float]  # arrival, need, service

RULES = ["extend", "kill", "as-recorded"]


def settle(
    rule: str, jobs: Sequence[JobRow], estimates: Sequence[float] | None
) -> tuple[list[JobRow], list[float]]:
    """The jobs as they will run, and their estimates; without estimates these are exact.

    `extend`: the estimate is raised to the service time. `kill`: the service is cut at the
    estimate. `as-recorded`: both stay; a running job past its estimate is assumed to end now, at
    every decision anew (`backfilling.assumed_ends`).
    """
    services = [service for _, _, service in jobs]
    announced = services if estimates is None else list(estimates)
    pairs = list(zip(services, announced, strict=True))
    if rule == "extend":
        announced = [max(service, estimate) for service, estimate in pairs]
    elif rule == "kill":
        services = [min(service, estimate) for service, estimate in pairs]
    else:
        assert rule == "as-recorded"
    rows = zip(jobs, services, strict=True)
    return [(arrival, need, service) for (arrival, need, _), service in rows], announced
