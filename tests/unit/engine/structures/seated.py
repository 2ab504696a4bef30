"""Seats with jobs in them, for tests of the structures that go through the seats."""

import numpy as np

from zerowait.engine.seats import Seats, empty_seats


def seated(
    n_seats: int, need: list[int] | None = None, estimate: list[float] | None = None
) -> Seats:
    """Seats whose jobs came in the order of the seats' numbers, mixed up."""
    jobs = empty_seats(n_seats)
    jobs.order[:] = np.random.default_rng(n_seats).permutation(n_seats)
    jobs.need[:] = need or 1
    jobs.estimate[:] = estimate or 1.0
    return jobs
