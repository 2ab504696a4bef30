"""sacct dumps: every case that Slurm's accounting has in store."""

from pathlib import Path

import numpy as np
import pytest

from zerowait.model import InputError
from zerowait.traces.log import Log
from zerowait.traces.readers.slurm import find_header
from zerowait.traces.readers.slurm_rows import (
    NotSlurmError,
    parse_gres_gpus,
    parse_row_count,
    parse_row_duration,
    parse_tres,
    total_gpus,
)
from zerowait.traces.reading import read_log

FIELDS = (
    "JobID", "JobName", "User", "Submit", "Eligible", "Start", "End", "ElapsedRaw", "State",
    "AllocNodes", "AllocCPUS", "AllocTRES", "Timelimit", "Suspended",
)  # fmt: skip
DEFAULTS = {
    "JobID": "100", "JobName": "run", "User": "ann", "Submit": "2024-03-01T10:00:00",
    "Eligible": "2024-03-01T10:00:00", "Start": "2024-03-01T10:05:00",
    "End": "2024-03-01T11:05:00", "ElapsedRaw": "3600", "State": "COMPLETED", "AllocNodes": "2",
    "AllocCPUS": "64", "AllocTRES": "billing=64,cpu=64,gres/gpu=8,mem=10G,node=2",
    "Timelimit": "02:00:00", "Suspended": "00:00:00",
}  # fmt: skip
T = "2024-03-01T"


def dump(*rows: dict[str, str], delimiter: str = "|", fields: tuple[str, ...] = FIELDS) -> str:
    lines = [delimiter.join(fields)]
    lines += [delimiter.join((DEFAULTS | row)[name] for name in fields) for row in rows]
    return "\n".join(lines) + "\n"


def read(tmp_path: Path, text: str, **options: object) -> Log:
    path = tmp_path / "jobs.txt"
    path.write_text(text)
    return read_log(path, **options)  # type: ignore[arg-type]


def table(log: Log) -> list[tuple[float, int, float]]:
    jobs = log.jobs
    return list(zip(jobs.arrival, jobs.need, jobs.service, strict=True))


def reasons(log: Log) -> dict[str, int]:
    return {f"{one.action}: {one.reason}": one.count for one in log.cleaning.findings}


def test_a_plain_job(tmp_path: Path) -> None:
    log = read(tmp_path, dump({}))
    assert log.format == "sacct"
    assert table(log) == [(0, 64, 3600)]
    assert np.asarray(log.jobs.estimate).tolist() == [7200]
    assert log.start is not None
    assert log.start.tolist() == [300]
    assert log.user is not None
    assert log.user.tolist() == ["ann"]
    assert log.clock.date(0) == "2024-03-01 10:00"
    assert log.servers is None
    assert log.cleaning.findings == ()


@pytest.mark.parametrize(("need", "expected"), [("processors", 64), ("nodes", 2), ("gpus", 8)])
def test_need_in_the_unit_asked_for(tmp_path: Path, need: str, expected: int) -> None:
    log = read(tmp_path, dump({}), need=need)
    assert np.asarray(log.jobs.need).tolist() == [expected]
    assert log.unit == need


@pytest.mark.parametrize("delimiter", ["|", ",", ";", "\t", "^", "||", "@@", " ; "])
def test_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    """Also one that the lists of resources contain."""
    rows = ({}, {"JobID": "101", "AllocTRES": "cpu=1,node=1", "AllocCPUS": "1"})
    log = read(tmp_path, dump(*rows, delimiter=delimiter), need="processors")
    assert table(log) == [(0, 64, 3600), (0, 1, 3600)]
    gpus = read(tmp_path, dump(*rows, delimiter=delimiter), need="gpus")
    assert np.asarray(gpus.jobs.need).tolist() == [8]
    assert reasons(gpus) == {"dropped: no GPUs in AllocTRES": 1}


def test_parsable_ends_rows_in_a_delimiter(tmp_path: Path) -> None:
    text = "\n".join(line + "|" for line in dump({}).splitlines())
    assert table(read(tmp_path, text)) == [(0, 64, 3600)]


def test_fields_in_any_order_and_case(tmp_path: Path) -> None:
    text = dump({}, fields=FIELDS[::-1])
    text = text.replace("JobID", "jobid").replace("AllocCPUS", "ALLOCCPUS")
    assert table(read(tmp_path, text)) == [(0, 64, 3600)]


def test_a_job_name_with_delimiters_in_it(tmp_path: Path) -> None:
    log = read(tmp_path, dump({"JobName": "a|b|c"}, {"JobID": "101", "JobName": "cpu=1|x"}))
    assert table(log) == [(0, 64, 3600)] * 2
    commas = read(tmp_path, dump({"JobName": "a,b,c"}, delimiter=","))
    assert table(commas) == [(0, 64, 3600)]


def test_steps_are_skipped(tmp_path: Path) -> None:
    steps = ["100.batch", "100.extern", "100.0", "100_3.batch", "100+1.0"]
    log = read(tmp_path, dump({}, *({"JobID": step, "Submit": "x"} for step in steps)))
    assert reasons(log) == {"dropped: a step of a job": 5}


def test_jobs_that_never_ran(tmp_path: Path) -> None:
    log = read(
        tmp_path,
        dump(
            {},
            {"JobID": "1", "State": "CANCELLED by 1000", "Start": "None", "ElapsedRaw": "0"},
            {"JobID": "2", "State": "CANCELLED by 1000", "AllocCPUS": "0", "ElapsedRaw": "0"},
            {"JobID": "3", "State": "PENDING", "Start": "Unknown", "End": "Unknown"},
            {"JobID": "4_[5-10%2]", "State": "PENDING", "Start": "Unknown", "End": "Unknown"},
            {"JobID": "5", "State": "RUNNING", "End": "Unknown", "ElapsedRaw": "60"},
            {"JobID": "6", "State": "FAILED", "Start": "Unknown", "ElapsedRaw": "0"},
        ),
    )
    assert len(log.jobs) == 1
    assert reasons(log) == {
        "dropped: cancelled before it started": 2,
        "dropped: has not started yet": 1,
        "dropped: tasks of an array that have not started": 1,
        "dropped: still running when the log was taken": 1,
        "dropped: never started": 1,
    }


def test_cancelled_while_it_ran(tmp_path: Path) -> None:
    log = read(tmp_path, dump({"State": "CANCELLED by 1000"}))
    assert table(log) == [(0, 64, 3600)]
    assert log.columns["state"].to_list() == ["CANCELLED"]


def test_array_tasks_are_jobs(tmp_path: Path) -> None:
    log = read(tmp_path, dump(*({"JobID": f"7_{task}"} for task in range(3))))
    assert len(log.jobs) == 3


def test_unknown_end(tmp_path: Path) -> None:
    log = read(tmp_path, dump({"State": "NODE_FAIL", "End": "Unknown", "ElapsedRaw": "90"}))
    assert table(log) == [(0, 64, 90)]
    assert "repaired: End is unknown; Start + ElapsedRaw stands in" in reasons(log)


def test_heterogeneous_jobs_are_one(tmp_path: Path) -> None:
    parts = [
        {"JobID": "9+0", "AllocCPUS": "4"},
        {"JobID": "9+1", "AllocCPUS": "16", "ElapsedRaw": "3700"},
        {"JobID": "9+2", "AllocCPUS": "1"},
    ]
    log = read(tmp_path, dump(*parts))
    assert table(log) == [(0, 21, 3700)]
    assert log.columns["job"].to_list() == ["9"]
    assert log.cleaning.count("joined") == 2


def test_requeued_runs_follow_each_other(tmp_path: Path) -> None:
    log = read(
        tmp_path,
        dump(
            {"JobID": "5", "State": "REQUEUED", "End": f"{T}10:15:00", "ElapsedRaw": "600"},
            {"JobID": "5", "Start": f"{T}10:40:00", "End": f"{T}10:50:00", "ElapsedRaw": "600"},
        ),
    )
    assert table(log) == [(0, 64, 600), (900, 64, 600)]
    assert reasons(log)["repaired: requeued; arrives when its run before had ended"] == 1


def test_the_same_row_twice(tmp_path: Path) -> None:
    log = read(tmp_path, dump({}, {}) + dump({}))  # two dumps, one after the other
    assert len(log.jobs) == 1
    assert reasons(log) == {"dropped: the same row again": 2}


def test_clusters_have_numbers_of_their_own(tmp_path: Path) -> None:
    header, row = dump({}).splitlines()
    text = f"Cluster|{header}\none|{row}\ntwo|{row}\n"
    log = read(tmp_path, text)
    assert len(log.jobs) == 2
    assert log.cleaning.findings == ()


@pytest.mark.parametrize("elapsed", ["3000", "3600"])  # taken off by sacct already, or not
def test_suspended_time_is_no_service(tmp_path: Path, elapsed: str) -> None:
    log = read(tmp_path, dump({"Suspended": "00:10:00", "ElapsedRaw": elapsed}))
    assert table(log) == [(0, 64, 3000)]


def test_without_elapsed_raw(tmp_path: Path) -> None:
    fields = tuple(name for name in FIELDS if name != "ElapsedRaw")
    assert table(read(tmp_path, dump({}, fields=fields))) == [(0, 64, 3600)]
    text = dump({}).replace("ElapsedRaw", "Elapsed").replace("|3600|", "|1-01:00:00|")
    assert table(read(tmp_path, text)) == [(0, 64, 90_000)]


def test_clocks_set_back(tmp_path: Path) -> None:
    log = read(tmp_path, dump({"Start": f"{T}10:50:00", "End": f"{T}10:10:00"}))
    assert table(log) == [(0, 64, 3600)]
    assert "repaired: ended before it started; ElapsedRaw counts" in reasons(log)


def test_eligible_as_arrival(tmp_path: Path) -> None:
    """By default: what a job waits for its own dependencies is not the scheduler's doing."""
    rows = ({"Eligible": f"{T}10:04:00"}, {"JobID": "2"})
    assert table(read(tmp_path, dump(*rows)))[1][0] == 240
    assert table(read(tmp_path, dump(*rows), arrival="submit"))[1][0] == 0
    lacking = dump({}, {"JobID": "3", "Eligible": "Unknown", "Submit": f"{T}10:01:00"})
    assert table(read(tmp_path, lacking))[1][0] == 60
    assert read(tmp_path, lacking).cleaning.findings == ()


def test_cpus_from_tres(tmp_path: Path) -> None:
    fields = tuple(name for name in FIELDS if name not in ("AllocCPUS", "AllocNodes"))
    assert table(read(tmp_path, dump({}, fields=fields))) == [(0, 64, 3600)]
    log = read(tmp_path, dump({"AllocCPUS": "0"}))
    assert table(log) == [(0, 64, 3600)]


def test_unix_times(tmp_path: Path) -> None:
    text = dump({}, {"JobID": "2", "Eligible": "1709287260", "Start": "1709287300"})
    assert table(read(tmp_path, text))[1][0] == 60


def test_malformed_rows(tmp_path: Path) -> None:
    text = dump({}, {"JobID": "2", "Submit": f"{T}25:00:00"}, {"JobID": "3", "AllocCPUS": "many"})
    log = read(tmp_path, text + "cut|off\n")
    assert len(log.jobs) == 1
    assert log.cleaning.count("malformed") == 3
    for message, part in (
        ("line 3: Submit = '2024-03-01T25:00:00': not a time", text),
        ("line 3: AllocCPUS = 'many': not a number", dump({}, {"AllocCPUS": "many"})),
        ("line 3: has 2 fields; the header has 14", dump({}) + "cut|off\n"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path, part, strict=True)


def test_headers_that_lack_something(tmp_path: Path) -> None:
    for missing in ("Submit", "AllocTRES"):
        fields = tuple(
            n for n in FIELDS if n not in (missing, "Eligible", "AllocCPUS", "AllocNodes")
        )
        with pytest.raises(InputError, match=r"field Eligible|field AllocCPUS"):
            read(tmp_path, dump({}, fields=fields))
    with pytest.raises(InputError, match="no header"):
        read(tmp_path, dump({}).split("\n", 1)[1], format="sacct")


def test_find_header() -> None:
    assert find_header("JobID|State|Submit") is not None
    assert find_header("arrival,need,service") is None
    assert find_header("1 2 3") is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00:01", 1), ("1-00:00:00", 86_400), ("05:30", 330), ("10:00:00.5", 36_000.5),
        ("90", 90),
    ],
)  # fmt: skip
def test_duration(text: str, seconds: float) -> None:
    assert parse_row_duration(text) == seconds


def test_values() -> None:
    assert np.isnan(parse_row_duration("UNLIMITED"))
    assert np.isnan(parse_row_duration("Partition_Limit"))
    assert parse_row_count("4K") == 4096
    with pytest.raises(NotSlurmError):
        parse_row_count("four")
    assert total_gpus(parse_tres("cpu=4,gres/gpu:a100=2,gres/gpu:v100=1,mem=4G")) == 3
    assert total_gpus(parse_tres("cpu=4,gres/gpu=2,gres/gpu:a100=2")) == 2
    assert parse_gres_gpus("gpu:tesla:2,craynetwork:1") == 2
    assert parse_gres_gpus("gpu:2(S:0-1)") == 2
