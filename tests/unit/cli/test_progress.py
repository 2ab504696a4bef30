"""Lines about progress: now and then, with estimates that compilation does not spoil."""

from dataclasses import dataclass
from typing import Any

import pytest

from zerowait.cli.progress import PointProgress


@dataclass
class Timed:
    """A point, as far as it is told of."""

    seconds: float


def test_the_first_point_was_compiled_and_is_no_measure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("zerowait.cli.progress.time.monotonic", lambda: now)
    points: Any = [Timed(1.0), Timed(2.0), Timed(3.0), Timed(6.0)]
    progress = PointProgress(points)
    for now, point in zip((60.0, 64.0, 75.0), points, strict=False):
        progress.on_point(point)
        if point.seconds == 2.0:
            now = 69.0  # a figure was drawn
            progress.resume()
    assert capsys.readouterr().err == (
        "zerowait: 1 of 4 points\nzerowait: 3 of 4 points, about 12 s left\n"
    )
