"""Tests that share something dear run in one worker, or it would be made in each."""

import pytest


def test_the_workers_heed_the_groups(request: pytest.FixtureRequest) -> None:
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("one process")
    grouped = [one for one in request.session.items if one.get_closest_marker("xdist_group")]
    assert all("@" in one.nodeid for one in grouped)
