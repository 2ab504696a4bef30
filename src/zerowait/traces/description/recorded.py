"""The schedule that the log records: what the site's own scheduler made of its jobs."""

from dataclasses import dataclass

import numpy as np

from zerowait.traces.log import Log


@dataclass(frozen=True)
class RecordedSchedule:
    """Waits as they were, and the most servers that were in use at once."""

    jobs: int  # with a known start
    mean_wait: float
    median_wait: float
    waited: float  # share of the jobs that did not start in the second they arrived
    peak: int  # servers in use at once

    @property
    def nobody_waited(self) -> bool:
        """Submit times of such a log may be the starts."""
        return self.waited == 0 and self.jobs > 1


def recorded_schedule(log: Log) -> RecordedSchedule | None:
    """None where the log does not say when jobs started."""
    if log.start is None:
        return None
    known = np.isfinite(log.start)
    if not known.any():
        return None
    start, need = log.start[known], np.asarray(log.jobs.need)[known]
    end = start + np.asarray(log.jobs.service)[known]
    wait = np.maximum(start - np.asarray(log.jobs.arrival)[known], 0.0)
    moments = np.concatenate([start, end])
    change = np.concatenate([need, -need])
    # At one instant servers are released before they are taken.
    order = np.lexsort((change, moments))
    return RecordedSchedule(
        jobs=len(start),
        mean_wait=float(wait.mean()),
        median_wait=float(np.median(wait)),
        waited=float((wait > 0).mean()),
        peak=int(np.cumsum(change[order]).max()),
    )
