"""Gantt charts: no server twice, nothing lost, honest pixels."""

import base64
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.draws import draws
from tests.pages import check
from zerowait.report import page as page_of
from zerowait.report.gantt.image import coverage, write_image
from zerowait.report.gantt.layout import Gantt, gantt_of, thinned_gantt
from zerowait.traces.clock import Clock

pytestmark = pytest.mark.slow

jobs_lists = st.lists(
    st.tuples(st.integers(0, 50), st.integers(1, 8), st.integers(0, 20)), min_size=1, max_size=40
)


def replay(rows: list[tuple[int, int, int]], policy: str, servers: int = 20) -> zw.Result:
    arrival, need, service = zip(*sorted(rows), strict=True)
    return zw.replay(zw.Jobs(arrival, need, service), servers, policy, jobs=True)


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "bs:fcfs"])
@given(rows=jobs_lists)
@draws(30)
def test_every_job_has_servers_of_its_own(policy: str, rows: list[tuple[int, int, int]]) -> None:
    result = replay(rows, policy)
    if all(service == 0 for _, _, service in rows):
        return
    chart = gantt_of(result)
    held = np.zeros(len(chart.number), int)
    np.add.at(held, chart.job, chart.count)
    lasting = chart.finish > chart.start
    assert (held[lasting] == chart.need[lasting]).all()
    assert (chart.first + chart.count <= chart.servers).all()
    for a in range(len(chart.job)):
        for b in range(a):
            i, j = chart.job[a], chart.job[b]
            apart_in_time = chart.finish[i] <= chart.start[j] or chart.finish[j] <= chart.start[i]
            apart = (
                chart.first[a] + chart.count[a] <= chart.first[b]
                or chart.first[b] + chart.count[b] <= chart.first[a]
            )
            assert apart_in_time or apart


def test_own_servers_and_helpers_are_regions() -> None:
    result = zw.simulate(
        zw.workloads.figure1(256), 256, "bs:fcfs", arrivals=2000, jobs=True, warmup=0
    )
    chart = gantt_of(result)
    assert [name for name, _, _ in chart.regions] == [
        "small", "large x2", "large x4", "large x8", "helpers",
    ]  # fmt: skip
    assert [servers for _, _, servers in chart.regions] == [44, 56, 48, 32, 76]
    assert result.jobs is not None
    helped = result.jobs["helpers"].to_numpy()[chart.number][chart.job]
    assert ((chart.first >= 180) == helped).all()


def test_windows() -> None:
    result = replay([(0, 1, 10), (20, 1, 10), (40, 1, 10)], "fcfs")
    assert gantt_of(result, 15, 35).number.tolist() == [1]
    assert gantt_of(result, 5, None).number.tolist() == [0, 1, 2]
    for window, message in (((12, 18), "no job runs"), ((9, 9), "must end after")):
        with pytest.raises(zw.InputError, match=message):
            gantt_of(result, *window)


def test_those_who_wait_beyond_the_window_are_waited_for() -> None:
    result = replay([(0, 20, 100), (10, 5, 10)], "fcfs")
    chart = gantt_of(result, 20, 50)
    assert chart.number.tolist() == [0]
    assert chart.waited_for.servers[0] == 5
    assert chart.busy.servers[0] == 20


def test_interrupted_jobs_are_refused() -> None:
    result = replay([(0, 1, 10)], "fcfs")
    assert result.jobs is not None
    late = replace(result, jobs=result.jobs.with_columns(result.jobs["end"] + 5))
    with pytest.raises(zw.InputError, match="interrupts jobs"):
        gantt_of(late)
    with pytest.raises(zw.InputError, match="jobs=True"):
        gantt_of(replace(result, jobs=None))


def test_pixels_show_the_share_in_use() -> None:
    """A thousand jobs per pixel: its shade is the utilisation, not the last job drawn."""
    n = 20_000
    jobs = zw.Jobs(np.arange(n) * 1.0, np.full(n, 4), np.full(n, 0.25))
    chart = gantt_of(zw.replay(jobs, 8, "fcfs", jobs=True))
    black = np.zeros((n, 3))
    picture = coverage(chart, black, width=20, height=8)
    assert picture[:4].mean() == pytest.approx(0.75, abs=0.01)  # in use a quarter of the time
    assert picture[4:].min() == 1  # idle servers stay white


def crowd() -> Gantt:
    result = zw.simulate(
        zw.workloads.figure1(2048), 2048, "bs:fcfs", arrivals=100_000, jobs=True, warmup=0
    )
    return gantt_of(result)


def test_a_hundred_thousand_jobs(tmp_path: Path) -> None:
    """A picture shows all of them; a page those that hold most servers for longest."""
    chart = crowd()
    assert len(chart.number) == 100_000
    write_image(chart, tmp_path / "g.png")
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")
    page = page_of(chart, "zerowait replay")
    assert 2e6 < len(page) < 5e6
    assert re.search(r"<p>Drawn are [\d,]+ of 100,000 jobs, .*?: 9\d(\.\d)?% of the work", page)
    assert "A shorter --window shows every job" in page


def test_thinning_keeps_the_largest_jobs_and_the_peaks() -> None:
    chart = crowd()
    few = thinned_gantt(chart, most=10_000)
    assert 9_000 < len(few.job) <= 10_000
    work = {int(n): w for n, w in zip(chart.number, held(chart), strict=True)}
    kept = set(few.number.tolist())
    assert min(work[n] for n in kept) >= max(w for n, w in work.items() if n not in kept)
    pieces = np.zeros(len(few.number), int)
    np.add.at(pieces, few.job, few.count)
    assert (pieces == few.need).all()
    for whole, thin in ((chart.busy, few.busy), (chart.waited_for, few.waited_for)):
        assert len(thin.times) <= 4002 < len(whole.times)
        assert thin.servers.max() == whole.servers.max()
        assert (np.diff(thin.times) > 0).all()
    assert few.note.startswith(f"Drawn are {len(few.number):,} of 100,000 jobs")
    small = gantt_of(replay([(0, 3, 10), (5, 18, 7)], "fcfs"))
    assert thinned_gantt(small).note == ""
    assert thinned_gantt(small).job.tolist() == small.job.tolist()


def held(chart: Gantt) -> list[float]:
    return ((chart.finish - chart.start) * chart.need).tolist()


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_page_is_whole() -> None:
    """No address is fetched from anywhere, and the numbers are those of the chart."""
    chart = gantt_of(replay([(0, 3, 10), (5, 18, 7)], "fcfs"))
    page = page_of(chart, "zerowait replay <log> --gantt </script>")
    check(page)
    assert "http" not in page
    assert "&lt;log&gt;" in page
    data = data_of(page)
    assert data["servers"] == 20
    assert data["shifts"] == []
    need = np.frombuffer(base64.b64decode(data["need"]), "<u4")
    assert need.tolist() == [3, 18]


def test_dates_are_those_on_the_clusters_wall(tmp_path: Path) -> None:
    """In March 1997 Stockholm put its clocks forward, at one o'clock UTC on the thirtieth."""
    midnight = datetime(1997, 3, 29, tzinfo=UTC).timestamp()
    clock = Clock(midnight, "Europe/Stockholm")
    result = replay([(0, 3, 10), (100_000, 18, 7), (180_000, 2, 100)], "fcfs")
    chart = gantt_of(result, clock=clock)
    page = page_of(chart, "zerowait replay")
    assert "1997-03-29 01:00 to 1997-03-31 04:01" in page
    spring = 25 * 3600
    assert data_of(page)["shifts"] == [[0, midnight + 3600], [spring, midnight + 7200]]
    assert data_of(page)["clock"] == "local time (Europe/Stockholm)"
    write_image(chart, tmp_path / "dated.png")
    write_image(replace(chart, clock=Clock()), tmp_path / "bare.png")
    dated, bare = ((tmp_path / f"{name}.png").read_bytes() for name in ("dated", "bare"))
    assert dated != bare
