"""How waits are distributed: the share of the jobs that wait longer, against the wait."""

from collections.abc import Iterator

import numpy as np

from zerowait.engine.kernel import Floats, Ints
from zerowait.engine.statistics.batches import MAXIMUM, Tally
from zerowait.engine.statistics.histogram import quantiles
from zerowait.engine.statistics.sums import WAIT
from zerowait.experiment.measures import N_SUMS
from zerowait.experiment.replays.replay import Replay
from zerowait.report.waits import counted_waits

# Shares of the jobs that wait longer, evenly on a log axis; as far as there are jobs to say it.
SHARES = 10.0 ** -np.linspace(0.02, 4.0, 45)
FEWEST = 10  # jobs beyond the last share

Curve = tuple[Floats, Floats]  # waits, and the share of the jobs that wait longer


def curves_of_tally(tally: Tally) -> Iterator[Curve]:
    """Of all jobs, then of each class."""
    rows = np.vstack([tally.wait_histogram.sum(axis=0), tally.wait_histogram])
    longest = tally.moments[:, WAIT // N_SUMS, MAXIMUM]
    for counts, most in zip(rows, [longest.max(), *longest], strict=True):
        shares = _told(int(counts.sum()))
        found = quantiles(counts[None, :], tally.origin, tuple(1 - shares), np.array([most]))
        yield _positive(found[:, 0], shares)


def curves_of_replay(result: Replay) -> Iterator[Curve]:
    """The same of the single jobs of a log."""
    waits = counted_waits(result)
    assert waits is not None  # replays of a comparison have their jobs
    everybody: Ints = np.ones(len(waits.wait), np.int64)
    for kept in (everybody, *(waits.job_class == at for at in range(len(result.classes)))):
        own = waits.wait[kept.astype(bool)]
        shares = _told(len(own))
        yield _positive(np.quantile(own, 1 - shares) if len(own) else shares[:0], shares)


def _told(n_jobs: int) -> Floats:
    found: Floats = SHARES[n_jobs * SHARES >= FEWEST]
    return found


def _positive(waits: Floats, shares: Floats) -> Curve:
    """On a log axis nobody waits no time."""
    kept = waits > 0
    return waits[kept], shares[kept]
