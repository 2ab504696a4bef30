"""SWF: all columns, the header, what is missing, what is malformed, and speed."""

from pathlib import Path

import numpy as np
import pytest

from tests.logs import swf_line
from zerowait.model import InputError
from zerowait.traces.log import CleaningBook, Log
from zerowait.traces.readers import swf
from zerowait.traces.reading import read_log
from zerowait.traces.unpack import BLOCK_BYTES

HEADER = """\
; Version: 2.2
; Computer: IBM SP2
; Information: http://www.example.org/
;              http://www.example.org/second
; UnixStartTime: 835823160
; TimeZone: -18000
; TimeZoneString: US/Eastern
; MaxNodes: 338 (batch partition; 512 total)
; MaxProcs: 100
; Queue:  1 small
; Queue:  2 large
; Note: a note
;       that goes on
"""


def read(tmp_path: Path, text: str, **options: object) -> Log:
    path = tmp_path / "log.swf"
    path.write_text(text)
    return read_log(path, **options)  # type: ignore[arg-type]


def findings(log: Log) -> dict[tuple[str, str], int]:
    return {(one.action, one.reason): one.count for one in log.cleaning.findings}


def test_columns_and_header(tmp_path: Path) -> None:
    line = " 7  100  5  60.5  4  50 1024  8  120  2048 1 11 12 13 14 15 6 17"
    log = read(tmp_path, HEADER + line + "\n")
    assert log.format == "swf"
    assert np.asarray(log.jobs.arrival).tolist() == [100]
    assert np.asarray(log.jobs.need).tolist() == [4]
    assert np.asarray(log.jobs.service).tolist() == [60.5]
    assert np.asarray(log.jobs.estimate).tolist() == [120]
    assert log.start is not None
    assert log.start.tolist() == [105]
    assert log.user is not None
    assert log.user.tolist() == [11]
    labels = [log.jobs.columns[name].tolist() for name in ("id", "account", "qos", "partition")]
    assert labels == [[7], [12], [14], [15]]
    assert log.columns.columns == list(swf.FIELDS)
    row = [7, 100, 5, 60.5, 4, 50, 1024, 8, 120, 2048, 1, 11, 12, 13, 14, 15, 6, 17]
    assert list(log.columns.row(0)) == row
    assert log.servers == 100
    assert log.header["Queue"] == ("1 small", "2 large")
    assert log.header["Note"] == ("a note", "that goes on")
    assert log.header["Information"] == ("http://www.example.org/", "http://www.example.org/second")
    assert log.clock.date(0) == "1996-06-26 17:06"


def test_minus_one_is_missing(tmp_path: Path) -> None:
    log = read(tmp_path, swf_line(1) + "\n" + swf_line(2, wait=-1, user=-1))
    assert log.columns["memory"].to_list() == [None, None]
    assert log.columns["wait"].to_list() == [0, None]
    assert log.start is not None
    assert np.isnan(log.start[1])
    assert log.user is not None
    assert log.user.tolist() == [1, -1]


def test_need_is_allocated_else_requested(tmp_path: Path) -> None:
    lines = [
        swf_line(1, procs=4, requested=8),
        swf_line(2, procs=-1, requested=8),
        swf_line(3, procs=0, requested=2),
        swf_line(4, procs=-1, requested=-1),
    ]
    log = read(tmp_path, "\n".join(lines))
    assert np.asarray(log.jobs.need).tolist() == [4, 8, 2]
    assert findings(log)[("repaired", "no allocated processors; the requested ones stand in")] == 2
    assert findings(log)[("dropped", "no number of processors")] == 1


def test_cleaning_counts_every_row(tmp_path: Path) -> None:
    lines = [
        swf_line(1, submit=50),
        swf_line(2, submit=20),  # out of order
        swf_line(3, run=-1),
        swf_line(4, run=-1, procs=-1, status=5),
        swf_line(5, submit=-1),
        swf_line(6, run=-7),
        swf_line(7, run=0, submit=60),
        "not a job",
        swf_line(8).replace("10", "ten", 1),
        "",
        "; a comment in the middle",
        swf_line(9, submit=70, estimate=5),
    ]
    log = read(tmp_path, "\n".join(lines))
    assert np.asarray(log.jobs.arrival).tolist() == [20, 50, 60, 70]
    cleaning = log.cleaning
    assert cleaning.rows == 10
    assert cleaning.kept == 4
    assert cleaning.rows == cleaning.kept + cleaning.lost
    assert findings(log) == {
        ("malformed", "too few fields"): 1,
        ("malformed", "field 4 (run_time) is not a number"): 1,
        ("dropped", "no run time"): 1,
        ("dropped", "cancelled before it started (status 5)"): 1,
        ("dropped", "no submit time"): 1,
        ("dropped", "run time is not a number, zero or more"): 1,
        ("repaired", "stands after a later arrival; put in order"): 1,
        ("noted", "takes no time at all; kept"): 1,
        ("noted", "no requested time; the service time stands in"): 3,
        ("noted", "ran longer than its requested time; kept"): 1,
    }
    malformed = cleaning.findings[1]
    assert malformed.examples == ("line 9: field 4 (run_time) = 'ten': not a number",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2 3", "line 2: has 3 fields; SWF has 18"),
        (swf_line(2).replace("10", "x", 1), r"line 2: field 4 \(run_time\) = 'x': not a number"),
        (swf_line(2).replace("10", "nan", 1), r"line 2: field 4 \(run_time\) = 'nan'"),
        (swf_line(2).replace("10", "1e999", 1), r"line 2: field 4 \(run_time\) = '1e999'"),
        (swf_line(2).replace("10", "1-2", 1), r"line 2: field 4 \(run_time\) = '1-2'"),
        (swf_line(2).replace("10", "1_0", 1), r"line 2: field 4 \(run_time\) = '1_0'"),
    ],
)
def test_strict_stops_at_the_first_malformed_line(tmp_path: Path, line: str, message: str) -> None:
    text = swf_line(1) + "\n" + line + "\n" + swf_line(3)
    assert len(read(tmp_path, text).jobs) == 2
    with pytest.raises(InputError, match=message):
        read(tmp_path, text, strict=True)


def test_parts_of_a_job_are_not_counted_twice(tmp_path: Path) -> None:
    lines = [
        swf_line(1, status=1, run=30),
        swf_line(1, status=2, run=10),
        swf_line(1, status=3, run=20),
        swf_line(2, status=3, run=40),  # the only line of its job
    ]
    log = read(tmp_path, "\n".join(lines))
    assert np.asarray(log.jobs.service).tolist() == [30, 40]


def test_more_fields_than_18_are_ignored_and_reported(tmp_path: Path) -> None:
    log = read(tmp_path, f"{swf_line(1)} 99\n{swf_line(2)} 98\n")
    assert len(log.jobs) == 2
    assert findings(log)[("repaired", "more than 18 fields; the rest is ignored")] == 2
    mixed = read(tmp_path, f"{swf_line(1)} 99\n{swf_line(2)}\n")
    assert findings(mixed)[("repaired", "more than 18 fields; the rest is ignored")] == 1


def test_nodes_and_gpus_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="SWF counts processors only"):
        read(tmp_path, swf_line(1), need="gpus")


def test_both_ways_of_parsing_agree(tmp_path: Path) -> None:
    """Block by block and line by line, on numbers of every shape."""
    rng = np.random.default_rng(1)
    shapes = ["{:.0f}", "{:.2f}", "{:g}", "{:e}", "+{:.0f}", "{:.0f}."]
    rows = [
        " ".join(rng.choice(shapes).format(v) for v in rng.integers(0, 10**6, 18))
        for _ in range(400)
    ]
    block = ("\n".join(rows) + "\r\n\n").encode()
    book = CleaningBook("log")
    fast = swf._parse_block(block, book, 1)
    slow = swf._parse_lines(block, book, 1, [])
    assert fast is not None
    assert fast[0].equals(slow[0])
    assert np.array_equal(fast[1], slow[1])
    assert book.rows == 800


def test_lines_are_numbered_across_blocks(tmp_path: Path) -> None:
    n = BLOCK_BYTES // 40
    lines = [swf_line(i, submit=i) for i in range(n)]
    lines[n - 2] = "broken"
    log = read(tmp_path, HEADER + "\n".join(lines))
    assert log.cleaning.findings[0].examples[0].startswith(f"line {n - 1 + HEADER.count(chr(10))}:")
    assert len(log.jobs) == n - 1


def test_a_log_without_usable_jobs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no jobs"):
        read(tmp_path, HEADER)
    with pytest.raises(InputError, match=r"no job is left of 2 rows; 2 dropped \(no run time\)"):
        read(tmp_path, swf_line(1, run=-1) + "\n" + swf_line(2, run=-1))
