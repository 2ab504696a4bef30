"""Jobs that ran longer than announced: a fault of the log or of the limit, settled by a rule."""

from dataclasses import replace

import numpy as np

from zerowait.model.jobs import Jobs

# The estimate is raised to the service time, as the literature does; or the service is cut at
# the estimate; or both stay, and policies assume at every decision that such a job ends now.
OVERRUNS = ("extend", "kill", "as-recorded")
EXTEND, KILL, AS_RECORDED = OVERRUNS


def settle_overruns(jobs: Jobs, rule: str = EXTEND) -> tuple[Jobs, int]:
    """The jobs as they will run, and how many of them ran longer than announced."""
    service, estimate = np.asarray(jobs.service), np.asarray(jobs.estimate)
    n_over = int((service > estimate).sum())
    if n_over == 0 or rule == AS_RECORDED:
        return jobs, n_over
    if rule == KILL:
        return replace(jobs, service=np.minimum(service, estimate)), n_over
    return replace(jobs, estimate=np.maximum(service, estimate)), n_over
