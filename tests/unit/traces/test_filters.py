"""Some of a log's jobs, by name and by time."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.logs import KTH, real_log, swf_line
from zerowait.model import InputError
from zerowait.traces.reading import filter_log

ROWS = """arrival,need,service,user,partition,queue
2024-05-01T00:00:00,1,60,ann,short,a
2024-05-01T12:00:00,2,60,bob,short,"a,b"
2024-05-02T00:00:00,3,60,ann,long,b
2024-05-03T06:00:00,4,60,cyd,long,b
"""


@pytest.fixture
def log(tmp_path: Path) -> zw.Log:
    (tmp_path / "jobs.csv").write_text(ROWS)
    return zw.read_log(tmp_path / "jobs.csv")


def needs(log: zw.Log) -> list[int]:
    return np.asarray(log.jobs.need).tolist()


@pytest.mark.parametrize(
    ("conditions", "left"),
    [
        ({}, [1, 2, 3, 4]),
        ({"partition": "short"}, [1, 2]),
        ({"user": "ann,cyd"}, [1, 3, 4]),
        ({"user": ["ann", "cyd"], "partition": "long"}, [3, 4]),
        ({"max_need": 2}, [1, 2]),
        ({"queue": "a,b"}, [2]),  # a name with a comma in it
        ({"queue": ["a", "b"]}, [1, 3, 4]),
        ({"begin": "2024-05-01T12:00:00"}, [2, 3, 4]),
        ({"end": "2024-05-01"}, [1, 2]),  # the whole day
        ({"end": "2024-05-01T12:00:00"}, [1]),
        ({"begin": "1d"}, [3, 4]),
        ({"begin": "12h", "end": "1.5d"}, [2, 3]),
        ({"begin": 43_200, "end": 86_400}, [2]),
    ],
)
def test_conditions(log: zw.Log, conditions: dict[str, str], left: list[int]) -> None:
    found = filter_log(log, **conditions)  # type: ignore[arg-type]
    assert needs(found) == left
    assert found.user is not None
    assert len(found.user) == found.columns.height == len(left)
    assert found.clock == log.clock


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"partition": "gpu"}, "partition = 'gpu': the log has 'long', 'short'"),
        (
            {"begin": "2025-01-01"},
            "no job is left of 4; the log has arrivals from 2024-05-01",
        ),
        ({"begin": "soon"}, "from = 'soon': not a time such as .*, nor days such as 10d"),
        ({"begin": "2d", "end": "1d"}, "no job is left"),
    ],
)
def test_filters_that_leave_no_job_are_refused(
    log: zw.Log, conditions: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        filter_log(log, **conditions)  # type: ignore[arg-type]


def test_logs_that_do_not_say(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("".join(swf_line(i, submit=3600 * i) + "\n" for i in range(48)))
    log = zw.read_log(path)
    with pytest.raises(InputError, match="does not say the partition of its jobs; leave out par"):
        filter_log(log, partition="1")
    with pytest.raises(InputError, match="dates of this log are not known; give days"):
        filter_log(log, begin="2024-05-01")
    assert len(filter_log(log, begin="1d").jobs) == 24
    assert len(filter_log(log, user="1").jobs) == 48  # SWF numbers its users


def test_dates_of_a_real_log() -> None:
    log = zw.read_log(real_log(KTH))
    week = filter_log(log, begin="1996-11-04", end="1996-11-10")
    dates = [week.clock.date(float(time)) for time in np.asarray(week.jobs.arrival)[[0, -1]]]
    assert dates[0] is not None
    assert dates[1] is not None
    assert dates[0].startswith("1996-11-04")
    assert dates[1].startswith("1996-11-10")
