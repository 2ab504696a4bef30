"""Which jobs ran longer than their users had said."""

from dataclasses import dataclass

import numpy as np

from zerowait.traces.log import Log

N_NAMED = 3


@dataclass(frozen=True)
class Overrun:
    """One such job, by its number in the log, else by its place in order of arrival."""

    job: str
    service: float
    estimate: float

    @property
    def ratio(self) -> float:
        return self.service / self.estimate


@dataclass(frozen=True)
class Overruns:
    jobs: int
    share: float  # of the jobs with an estimate
    longest_service: float  # among them
    worst_ratio: float  # of a service to its estimate
    excess: float  # time beyond the estimates, as a share of all service time
    named: tuple[Overrun, ...]  # those that ran the longest beyond


def overruns_of(log: Log) -> Overruns | None:
    """None where no job ran longer than estimated."""
    service, estimate = np.asarray(log.jobs.service), np.asarray(log.jobs.estimate)
    over = np.flatnonzero(service > estimate)
    if over.size == 0:
        return None
    beyond = service[over] - estimate[over]
    n_estimated = len(service) if log.has_estimate is None else int(log.has_estimate.sum())
    order = over[np.argsort(-beyond, kind="stable")]
    return Overruns(
        jobs=len(over),
        share=len(over) / n_estimated,
        longest_service=float(service[over].max()),
        worst_ratio=float((service[over] / estimate[over]).max()),
        excess=float(beyond.sum() / service.sum()),
        named=tuple(
            Overrun(
                str(log.job[at]) if log.job is not None else f"number {at + 1}",
                float(service[at]),
                float(estimate[at]),
            )
            for at in order[:N_NAMED]
        ),
    )
