"""A log in numbers, checked against numbers worked out by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.logs import swf_line
from zerowait.traces.clock import Clock
from zerowait.traces.description import trace_info
from zerowait.traces.reading import read_log

DAY = 86_400


def write(tmp_path: Path, lines: list[str], header: str = "") -> Path:
    path = tmp_path / "log.swf"
    path.write_text(header + "\n".join(lines))
    return path


def test_numbers(tmp_path: Path) -> None:
    # Two users; needs 1, 2, 3; waits of 0, 10, 20; estimates exact, twofold and too short.
    lines = [
        swf_line(1, submit=0, wait=0, run=100, procs=1, estimate=100, user=7),
        swf_line(2, submit=100, wait=10, run=50, procs=2, estimate=100, user=7),
        swf_line(3, submit=200, wait=20, run=30, procs=3, estimate=20, user=8),
    ]
    info = trace_info(read_log(write(tmp_path, lines, "; MaxProcs: 4\n")), classes="exact")
    assert info.jobs == 3
    assert info.span == 200
    assert info.servers == 4
    assert info.work == 100 + 100 + 90
    assert info.offered_load == pytest.approx(290 / (4 * 200))
    assert info.needs.distinct == 3
    assert info.needs.powers_of_two == pytest.approx(2 / 3)
    assert info.needs.powers_of_two_work == pytest.approx(200 / 290)
    assert [one.jobs for one in info.classes] == [1, 1, 1, 3]
    everything = info.classes[-1]
    assert everything.cv_service == pytest.approx(np.std([100, 50, 30], ddof=1) / 60)
    assert everything.mean_gap == 100
    assert everything.cv_gap == 0
    assert info.recorded is not None
    assert info.recorded.mean_wait == 10
    assert info.recorded.peak == 3  # job 3 starts at 220, when job 2 has long gone
    assert info.estimates is not None
    assert info.estimates.exact == pytest.approx(1 / 3)
    assert info.estimates.too_short == pytest.approx(1 / 3)
    assert info.estimates.median_accuracy == 1
    assert sum(info.estimates.histogram) == 3
    assert info.users is not None
    assert info.users.count == 2
    assert info.users.biggest[0].user == "7"
    assert info.users.biggest[0].work == pytest.approx(200 / 290)
    assert info.users.half_of_work == 1
    json.dumps(info.as_dict(), allow_nan=False)


def test_without_servers_estimates_users(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service\n0,2,10\n")
    info = trace_info(read_log(path))
    assert info.servers is None
    assert info.offered_load is None
    assert info.estimates is None
    assert info.users is None
    assert info.recorded is None
    assert trace_info(read_log(path), servers=8).servers == 8


def test_peak_where_the_log_names_no_servers(tmp_path: Path) -> None:
    lines = [swf_line(i, submit=0, wait=i, run=10, procs=4) for i in range(3)]
    info = trace_info(read_log(write(tmp_path, lines)))
    assert info.servers == 12
    assert "most in use" in info.servers_from


def test_rhythm(tmp_path: Path) -> None:
    # 2024-01-01 was a Monday; the log starts at midnight in Berlin.
    header = "; UnixStartTime: 1704063600\n; TimeZoneString: Europe/Berlin\n"
    times = [9 * 3600, 9 * 3600 + 60, DAY + 14 * 3600, 5 * DAY]
    lines = [swf_line(i, submit=t) for i, t in enumerate(times)]
    found = trace_info(read_log(write(tmp_path, lines, header))).rhythm
    assert found.dated
    assert found.by_hour[9] == 2
    assert found.by_hour[14] == 1
    assert found.by_day == (2, 1, 0, 0, 0, 1, 0)
    assert found.peak_hour == 9
    assert found.weekend == pytest.approx(1 / 4)
    assert found.by_hour_of_week[9] == 2


def test_summer_time() -> None:
    """Noon is noon on both sides of the change, though 24 hours are not a day then."""
    clock = Clock(origin=1_711_753_200, zone="Europe/Berlin")  # 2024-03-30 00:00
    noon, next_noon = 12 * 3600, 12 * 3600 + 23 * 3600
    hours = clock.hours_of_week(np.array([noon, next_noon], dtype=float)) % 24
    assert hours.tolist() == [12, 12]
    assert clock.date(next_noon) == "2024-03-31 12:00"


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (Clock(), "not known"),
        (Clock(origin=1e9, zone="No/Where", offset=3600), r"UTC\+01:00"),
        (Clock(origin=1e9), "UTC"),
        (Clock(origin=1e9, printed=True), "as the log prints it"),
    ],
)
def test_clocks(clock: Clock, text: str) -> None:
    import re

    assert re.search(text, str(clock))


def test_overruns_are_named(tmp_path: Path) -> None:
    rows = [(60, 100), (500, 100), (900, 600), (7, -1)]
    text = "".join(
        swf_line(10 + i, submit=i, run=run, estimate=estimate) + "\n"
        for i, (run, estimate) in enumerate(rows)
    )
    (tmp_path / "log.swf").write_text(text)
    info = trace_info(read_log(tmp_path / "log.swf"))
    found = info.overruns
    assert found is not None
    assert (found.jobs, found.share, found.longest_service) == (2, pytest.approx(2 / 3), 900)
    assert found.worst_ratio == 5
    assert found.excess == pytest.approx(700 / 1467)
    assert [one.job for one in found.named] == ["11", "12"]
    assert any("2 jobs ran longer" in text and "11 (5 times)" in text for text in info.warnings)


def test_a_log_in_which_nobody_waited(tmp_path: Path) -> None:
    """Its submit times may be the starts."""
    for wait, flagged in ((0, True), (1, False)):
        lines = [swf_line(i, submit=i, wait=wait * (i == 3)) + "\n" for i in range(5)]
        (tmp_path / "log.swf").write_text("".join(lines))
        info = trace_info(read_log(tmp_path / "log.swf"))
        assert any("may be the starts" in text for text in info.warnings) is flagged
