"""Jobs that ran longer than they were announced, and what a replay makes of them.

Such a job is a fault of the log or of the limit, and policies that trust estimates are led astray
by it: a scheduler that believes each moment that a job of 76 days ends now plans nothing right.
"""

from dataclasses import replace

import numpy as np

from zerowait.model.jobs import Jobs
from zerowait.model.quantities import refuse

RULES = ("extend", "kill", "as-recorded")


def apply_overruns(jobs: Jobs, rule: str = "extend") -> tuple[Jobs, int]:
    """The jobs under a rule, and how many of them ran longer than estimated.

    `extend` raises these estimates to the service times, `kill` cuts the services at the
    estimates, `as-recorded` leaves both: the job is then taken to end now, at each decision anew.
    """
    if rule not in RULES:
        raise refuse("overruns", rule, f"must be one of {', '.join(RULES)}")
    service, estimate = np.asarray(jobs.service), np.asarray(jobs.estimate)
    count = int((service > estimate).sum())
    if count == 0 or rule == "as-recorded":
        return jobs, count
    if rule == "kill":
        return replace(jobs, service=np.minimum(service, estimate)), count
    return replace(jobs, estimate=np.maximum(service, estimate)), count
