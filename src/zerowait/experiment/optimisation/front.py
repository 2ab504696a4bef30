"""What cannot be bettered in two objectives at once, and where the bend in it is."""

from collections.abc import Sequence

import numpy as np

from zerowait.engine.arrays import Floats

MOST = 12  # points of a front that are scored and shown


def undominated(points: Sequence[Sequence[float]]) -> list[int]:
    """Numbers of the points that no other is at least as good as in all, by the first objective."""
    order = sorted(range(len(points)), key=lambda at: tuple(points[at]))
    kept: list[int] = []
    for at in order:
        better = any(
            all(a <= b for a, b in zip(points[one], points[at], strict=True)) for one in kept
        )
        if not better:
            kept.append(at)
    return kept


def spread(points: Sequence[Sequence[float]], most: int = MOST) -> list[int]:
    """Numbers of at most so many points, both ends among them, evenly along a front."""
    if len(points) <= most:
        return list(range(len(points)))
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(_scaled(points), axis=0), axis=1)))
    wanted = np.linspace(0, along[-1], most)
    return sorted({int(np.argmin(np.abs(along - place))) for place in wanted})


def knee(points: Sequence[Sequence[float]]) -> int | None:
    """The point farthest below the line between the two ends; None where there is no bend.

    Objectives are scaled to their span on the front (Das, Structural Optimization 18, 1999).
    """
    if len(points) < 3:
        return None
    below = 1 - _scaled(points).sum(axis=1)
    at = int(np.argmax(below))
    return at if below[at] > 0 else None


def _scaled(points: Sequence[Sequence[float]]) -> Floats:
    """Every objective from 0, its best on the front, to 1."""
    every = np.asarray(points, dtype=np.float64)
    span = np.ptp(every, axis=0)
    return np.asarray((every - every.min(axis=0)) / np.where(span > 0, span, 1.0))
