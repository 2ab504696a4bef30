"""Policies compared on a log: same jobs, paired weeks, groups, recorded waits."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.logs import swf_line
from zerowait.experiment.results.single_jobs import match
from zerowait.experiment.statistics.samples import WEEK_S, samples_of_weeks

WEEKS = 30
N = 3750
POLICIES = ["easy", "first-fit", "fcfs"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(8)
    submit = np.sort(rng.integers(0, int(WEEKS * WEEK_S), N))
    need = rng.choice([1, 2, 3, 5, 8, 16], N)
    run = np.ceil(rng.lognormal(8.8, 0.7, N))
    estimate = np.ceil(run * rng.uniform(1, 4, N))
    lines = [
        swf_line(i + 100, int(submit[i]), 60, int(run[i]), int(need[i]), -1, int(estimate[i]))
        for i in range(N)
    ]
    found = tmp_path_factory.mktemp("logs") / "log.swf"
    found.write_text("; MaxProcs: 16\n" + "\n".join(lines))
    return found


@pytest.fixture(scope="module")
def compared(path: Path) -> zw.LogComparison:
    return zw.compare(zw.read_log(path), None, POLICIES)


def test_numbers_are_those_of_replays(path: Path, compared: zw.LogComparison) -> None:
    for policy, row in zip(POLICIES, compared.table().to_dicts(), strict=False):
        alone = zw.replay(path, policy=policy, jobs=True)
        assert alone.jobs is not None
        assert row["policy"] == policy
        assert row["wait"] == alone.wait
        assert row["wait_p99"] == alone.mean("wait_p99")
        waits = alone.jobs["end"] - alone.jobs["arrival"] - alone.jobs["service"]
        assert row["wait_max"] == waits.max()
        assert row["longest_job"] == str(100 + int(waits.arg_max() or 0))


def test_a_file_is_a_log(path: Path, compared: zw.LogComparison) -> None:
    for given in (path, str(path), zw.read_log(path).jobs):
        servers = 16 if isinstance(given, zw.Jobs) else None
        again = zw.compare(given, servers, POLICIES)
        assert isinstance(again, zw.LogComparison)
        assert again.table()["wait"].to_list()[:3] == compared.table()["wait"].to_list()[:3]


def test_differences_are_paired(compared: zw.LogComparison) -> None:
    easy, fcfs = compared.results[0].wait, compared.results[2].wait
    found = compared.difference("fcfs")
    assert found.mean == pytest.approx(fcfs - easy)
    assert found.low < found.mean < found.high
    assert found.p_value < 0.05
    # A policy differs from itself by nothing, and certainly so.
    same = compared.difference("easy")
    assert (same.mean, same.low, same.high, same.p_value) == (0, 0, 0, 1)
    assert compared.ranking().ranks[-1].policy == "fcfs"
    assert "first-fit" in compared.ranking().ranks[-1].worse_than


def test_groups_hold_every_job_once(compared: zw.LogComparison) -> None:
    for kind in ("need", "estimate"):
        groups = [one for one in compared.groups if one.kind == kind]
        assert sum(one.jobs for one in groups) == N
        assert sum(one.work for one in groups) == pytest.approx(1)
        assert (np.sum([one.mask for one in groups], axis=0) == 1).all()
        means = [compared.mean_of("fcfs", one) for one in groups]
        weights = [one.jobs for one in groups]
        assert np.average(means, weights=weights) == pytest.approx(compared.results[2].wait)
        told = {one.verdict(0.95) for one in compared.changes(kind) if one.policy == "fcfs"}
        assert "loses" in told


def test_recorded_waits_stand_beside(path: Path, compared: zw.LogComparison) -> None:
    recorded = compared.recorded
    assert recorded is not None
    assert (recorded.jobs, recorded.wait, recorded.longest) == (N, 60, 60)
    assert compared.table().to_dicts()[-1]["policy"] == "as recorded"
    stretched = zw.compare(zw.read_log(path), None, ["easy"], load=0.5)
    assert stretched.recorded is None  # they are of other gaps


def test_match_of_waits() -> None:
    arrival = np.arange(6) * WEEK_S / 2
    recorded = np.array([1.0, 3.0, 2.0, 2.0, 8.0, np.nan])
    exact = match(arrival, recorded, recorded)
    assert (exact.error, exact.grade) == (0, "well")
    assert exact.correlation == pytest.approx(1)
    double = match(arrival, 2 * recorded, recorded)
    assert double.error == 1
    assert double.grade == "poorly"
    # Within a week jobs may change places.
    assert match(arrival, recorded[[1, 0, 3, 2, 4, 5]], recorded).error == 0
    # About as long, but in other weeks.
    weeks, waits = np.arange(4) * WEEK_S, np.array([10.0, 11.0, 12.0, 13.0])
    elsewhere = match(weeks, waits[::-1], waits)
    assert elsewhere.error < 0.2
    assert elsewhere.correlation == pytest.approx(-1)
    assert elsewhere.grade == "poorly"
    assert match(arrival, recorded, np.full(6, np.nan)).grade == "not known"
    assert match(arrival, recorded, np.zeros(6)).grade == "not known"


def test_tests_of_differences_keep_their_level() -> None:
    """Where two policies are alike on average, one test in twenty may say otherwise: of 400 with 30
    weeks at most 38 by chance (99.9% of a binomial law, and the approximation's own error of a
    few)."""
    rng = np.random.default_rng(3)
    weeks, n = 30, 600
    arrival = np.sort(rng.uniform(0, weeks * WEEK_S, n))
    week = (arrival // WEEK_S).astype(int)
    rejected = 0
    for _ in range(400):
        shared = rng.normal(0, 1, weeks)[week]  # jobs of a week depend on each other
        own = shared + rng.normal(0, 2, n)
        found = samples_of_weeks({"response": own}, week, []).estimate("response", 0).tested(0.95)
        rejected += found.p_value < 0.05
        # One estimate makes both, so that they never contradict each other.
        assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)
    assert 4 <= rejected <= 38


def test_few_weeks_have_no_intervals(path: Path) -> None:
    log = zw.filter_log(zw.read_log(path), end="14d")
    short = zw.compare(log, None, ["easy", "fcfs"])
    assert not short.n_groups
    assert np.isnan(short.difference("fcfs").low)
    assert not any(one.worse_than for one in short.ranking().ranks)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"arrivals": 10}, "arrivals = 10: is an option of simulations, and this is a log"),
        ({"measure": "in_system"}, "measure = 'in_system': must be one of wait, response"),
        ({"measure": "bounded_slowdown", "bound": 0}, "bound = 0"),
        ({"baseline": "sf"}, "baseline = .*: must be one of easy"),
    ],
)
def test_refusals(path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(zw.InputError, match=message):
        zw.compare(zw.read_log(path), None, POLICIES, **options)  # type: ignore[call-overload]


def test_options_of_logs_are_not_of_workloads() -> None:
    with pytest.raises(zw.InputError, match="overruns = 'kill': is an option of logs"):
        zw.compare("figure1", 256, ["fcfs"], overruns="kill")  # type: ignore[call-overload]
    with pytest.raises(zw.InputError, match="servers: a workload does not say"):
        zw.compare("figure1", None, ["fcfs"])


def test_shown_and_drawn(compared: zw.LogComparison) -> None:
    assert repr(compared).startswith("<Comparison by wait on 16 servers: easy ")
    html = compared._repr_html_()
    assert "as recorded" in html
    assert "short (up to 1 h)" in html
    assert len(compared.plot().axes) == 2
    assert compared.jobs()["policy"].unique().sort().to_list() == sorted(POLICIES)
    assert {"job", "user", "estimate"} <= set(compared.jobs().columns)
