"""Tests of one compiled policy run in one worker, with those of the contract."""

from pathlib import Path

import pytest

from tests.kernels import kernel_of

from .replaying import is_compiled

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before xdist, which looks for the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == HERE and not item.path.name.startswith("test_naive"):
            callspec = getattr(item, "callspec", None)
            policy = callspec and callspec.params.get("policy")
            if policy and item.get_closest_marker("slow") and is_compiled(policy):
                item.add_marker(pytest.mark.xdist_group(kernel_of(policy)))
