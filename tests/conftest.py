"""Which tests are slow, which share something dear, and in what order they run."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import tests.draws  # noqa: F401 (for the profile it loads, before any test asks for settings)
from tests.chromium import launched
from zerowait.policies import POLICIES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# What starts a process, builds something or takes seconds of a core: beginnings of tests' names.
SLOW = (
    "browser/",
    "cli/",
    "explore/",
    "golden/",
    "slurm/",
    "statistical/",
    "test_distribution.py",
    "test_docs_site.py",
    "test_documents.py::test_examples",
    "unit/analysis/test_chain.py::test_extrapolat",
    "unit/analysis/test_chain.py::test_mbs_routing_is_corollary_1",
    "unit/analysis/test_chain.py::test_truncation_error",
    "unit/analysis/test_erlang.py::test_b_to_ten_digits",
    "unit/analysis/test_erlang.py::test_c_to_ten_digits",
    "unit/engine/test_compile.py",
    "unit/engine/test_faults.py::test_the_compiler",
    "unit/engine/structures/test_packing.py::test_bundles",
    "unit/engine/structures/test_packing.py::test_packing",
    "unit/engine/structures/test_reach.py",
    "unit/experiment/comparisons/test_compare.py::test_controls",
    "unit/experiment/optimisation/test_optimise.py",
    "unit/experiment/plans/test_plan.py",
    "unit/experiment/replays/test_fit_check.py",
    "unit/experiment/sweeps/test_executors.py",
    "unit/experiment/sweeps/test_sweep.py",
    "unit/model/test_gittins_rank.py::test_ranks_in_30_digits",
    "unit/policies/test_conservative.py",
    "unit/report/test_gantt.py",
    "unit/report/test_notebook.py",
    "unit/traces/test_fits.py",
    "unit/traces/test_limits.py",
)
# Tests of these share pages, a site, a wheel, a cluster, a plan: made once, so in one worker.
TOGETHER = (
    "browser/test_reports.py", "explore/test_access_check.py", "explore/test_page.py",
    "golden/test_reproduce.py", "slurm/test_rehearsal.py", "test_distribution.py",
    "test_docs_site.py", "unit/analysis/test_erlang.py", "unit/engine/test_compile.py",
    "unit/experiment/plans/test_plan.py", "unit/experiment/sweeps/test_executors.py",
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # before xdist, which looks for the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        place = item.nodeid.removeprefix("tests/")
        if place.startswith(SLOW) or (place.startswith("oracle/") and draws_examples(item)):
            item.add_marker(pytest.mark.slow)
        group = shared_by(item, place)
        if group is not None:
            item.add_marker(pytest.mark.xdist_group(group))
    # Slow ones first: at the end the short ones keep both workers busy.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def draws_examples(item: pytest.Item) -> bool:
    """Is it one of hypothesis? In the oracle these draw hundreds of job lists."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


def shared_by(item: pytest.Item, place: str) -> str | None:
    """The file whose fixtures a test shares with others, or the policy they have compiled."""
    if place.startswith(TOGETHER):
        return place.partition("::")[0]
    if place.startswith("contract/") and isinstance(item, pytest.Function):
        callspec = getattr(item, "callspec", None)
        return callspec and callspec.params.get("spec")
    return None


@pytest.fixture(autouse=True)
def register_as_before() -> Iterator[None]:
    """What a test registers, others in the same process do not see."""
    before = dict(POLICIES)
    yield
    POLICIES.clear()
    POLICIES.update(before)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """One for all pages that a file of tests looks at."""
    with launched() as one:
        yield one


@pytest.fixture(scope="module")
def context(browser: "Browser") -> "Iterator[BrowserContext]":
    """Where pages are opened that ask for nothing special: one of their own each would cost as much
    as what they show."""
    one = browser.new_context(viewport={"width": 1200, "height": 900})
    yield one
    one.close()
