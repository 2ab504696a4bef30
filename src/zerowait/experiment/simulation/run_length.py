"""Is a run long enough for what is read off it?"""

from collections.abc import Sequence

import numpy as np

from zerowait.engine.arrays import Floats

SUSPECT = 0.2  # a correlation that makes a difference, however surely it is there
Z = 2.33  # one long run in a hundred is suspected wrongly


def neighbour_correlation(segments: Sequence[Floats]) -> tuple[float, float]:
    """Lag-1 correlation of equal parts, pooled over runs, and its distance from none in errors.

    Independent parts have mean -1/n and variance 1/n for each run (von Neumann 1941; the test that
    Fishman, Management Science 25, 1978, puts to batch means).
    """
    off = [one - one.mean() for one in segments]
    squares = sum(float(one @ one) for one in off)
    if not squares > 0:
        return 0.0, 0.0
    found = sum(float(one[1:] @ one[:-1]) for one in off) / squares
    n = len(segments[0])
    return found, (found + 1 / n) * float(np.sqrt(n * len(segments)))


def notes_on_length(segments: Sequence[Floats], unsettled: Sequence[bool]) -> tuple[str, ...]:
    """What the reader should know of runs that are too short."""
    notes = []
    if sum(unsettled) > len(unsettled) / 2:
        notes.append(
            "MSER-5 would drop more than half of the run as warm-up: the run is too short, or has "
            "no steady state; raise arrivals"
        )
    whole = [one for one in segments if len(one) >= 8 and np.isfinite(one).all()]
    if whole:
        correlation, errors = neighbour_correlation(whole)
        if correlation > SUSPECT and errors > Z:
            notes.append(
                f"runs are short against their own correlation ({correlation:.2f} between "
                f"neighbouring parts of {len(whole[0])}): intervals may be too narrow; raise "
                "arrivals"
            )
    return tuple(notes)
