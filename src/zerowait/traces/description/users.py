"""Who the jobs belong to."""

from dataclasses import dataclass

import numpy as np

from zerowait.traces.log import Log

N_BIGGEST = 10


@dataclass(frozen=True)
class UserShare:
    user: str
    jobs: int
    share: float  # of the jobs
    work: float  # share of the work
    mean_service: float


@dataclass(frozen=True)
class Users:
    count: int
    half_of_work: int  # the fewest users who do half of the work
    biggest: tuple[UserShare, ...]  # by work


def users_of(log: Log) -> Users | None:
    """None where the log does not say."""
    if log.user is None:
        return None
    service = np.asarray(log.jobs.service)
    names, which, counts = np.unique(log.user, return_inverse=True, return_counts=True)
    work, time = np.zeros(len(names)), np.zeros(len(names))
    np.add.at(work, which, np.asarray(log.jobs.need) * service)
    np.add.at(time, which, service)
    total = float(work.sum())
    order = np.argsort(-work, kind="stable")
    half = int(np.searchsorted(np.cumsum(work[order]), total / 2)) + 1
    return Users(
        count=len(names),
        half_of_work=min(half, len(names)),
        biggest=tuple(
            UserShare(
                user=_name(names[i]),
                jobs=int(counts[i]),
                share=float(counts[i] / len(service)),
                work=float(work[i] / total) if total > 0 else 0.0,
                mean_service=float(time[i] / counts[i]),
            )
            for i in order[:N_BIGGEST]
        ),
    )


def _name(label: object) -> str:
    text = str(label)
    return "(not known)" if text in ("", "-1", "None") else text
