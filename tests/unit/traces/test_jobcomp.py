"""Files of Slurm's jobcomp/filetxt, as version 22.05 writes them."""

from pathlib import Path

import numpy as np
import pytest

from tests.unit.traces.test_sacct import reasons
from zerowait.model import InputError
from zerowait.traces.log import Log
from zerowait.traces.reading import read_log

DEFAULTS = {
    "JobId": "12", "UserId": "ann(1000)", "GroupId": "users(100)", "Name": "wrap",
    "JobState": "COMPLETED", "Partition": "cls_4,helpers", "TimeLimit": "60",
    "StartTime": "2024-05-01T10:05:00", "EndTime": "2024-05-01T10:35:00", "NodeList": "n[1-4]",
    "NodeCnt": "4", "ProcCnt": "16", "WorkDir": "/home/ann", "ReservationName": "",
    "Tres": "cpu=16,mem=4G,node=4,billing=16,gres/gpu=8", "Account": "bio", "QOS": "normal",
    "WcKey": "", "Cluster": "c", "SubmitTime": "2024-05-01T09:00:00",
    "EligibleTime": "2024-05-01T10:00:00", "DerivedExitCode": "0:0", "ExitCode": "0:0",
}  # fmt: skip
T = "2024-05-01T"


def line(**fields: str) -> str:
    return " ".join(f"{key}={value}" for key, value in (DEFAULTS | fields).items()) + " \n"


def read(tmp_path: Path, text: str, **options: object) -> Log:
    path = tmp_path / "slurm_jobcomp.log"
    path.write_text(text)
    return read_log(path, **options)  # type: ignore[arg-type]


def test_a_plain_job(tmp_path: Path) -> None:
    log = read(tmp_path, line())
    assert log.format == "jobcomp"
    assert np.asarray(log.jobs.service).tolist() == [1800]
    assert np.asarray(log.jobs.need).tolist() == [16]
    assert np.asarray(log.jobs.estimate).tolist() == [3600]
    assert log.start is not None
    assert log.start.tolist() == [300]  # after it became eligible
    kept = [log.user, log.job, log.partition, log.queue, log.jobs.account]
    assert [None if one is None else one.tolist() for one in kept] == [
        ["ann"], ["12"], ["cls_4"], ["normal"], ["bio"],
    ]  # fmt: skip
    assert log.clock.date(0) == "2024-05-01 10:00"
    assert log.cleaning.findings == ()


@pytest.mark.parametrize(("need", "expected"), [("nodes", 4), ("gpus", 8)])
def test_needs(tmp_path: Path, need: str, expected: int) -> None:
    assert np.asarray(read(tmp_path, line(), need=need).jobs.need).tolist() == [expected]


def test_submit_as_arrival(tmp_path: Path) -> None:
    log = read(tmp_path, line(), arrival="submit")
    assert log.start is not None
    assert log.start.tolist() == [3900]


def test_jobs_that_never_ran(tmp_path: Path) -> None:
    never = line(JobId="13", JobState="CANCELLED", NodeList="(null)", StartTime="Unknown")
    stamped = line(JobId="14", JobState="CANCELLED", NodeList="(null)", EndTime=f"{T}10:05:00")
    log = read(tmp_path, line() + never + stamped)
    assert len(log.jobs) == 1
    assert reasons(log) == {"dropped: cancelled before it started": 2}


def test_limits_and_names(tmp_path: Path) -> None:
    log = read(tmp_path, line(TimeLimit="UNLIMITED", Name="two words = one", WorkDir="/a b/c"))
    assert log.has_estimate is not None
    assert not log.has_estimate.any()
    assert np.asarray(log.jobs.need).tolist() == [16]


def test_requeued_and_heterogeneous_jobs(tmp_path: Path) -> None:
    again = line(StartTime=f"{T}11:00:00", EndTime=f"{T}11:10:00")
    log = read(tmp_path, line(JobState="REQUEUED") + again)
    assert np.asarray(log.jobs.arrival).tolist() == [0, 2100]  # when the first run had ended
    parts = line() + line(JobId="13")
    parts = parts.replace(" JobState", " HetJobId=12 HetJobOffset=0 JobState", 1)
    parts = parts.replace("JobId=13", "JobId=13 HetJobId=12 HetJobOffset=1", 1)
    log = read(tmp_path, parts)
    assert np.asarray(log.jobs.need).tolist() == [32]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line(Name="x EndTime=2030-01-01T00:00:00"), "line 2: EndTime stands twice"),
        (line(StartTime="yesterday"), "line 2: StartTime = 'yesterday': not a time"),
        ("JobId=12 JobState=COMPLETED\n", "line 2: has no StartTime="),
        (line(ProcCnt="many"), "line 2: ProcCnt = 'many': not a number"),
    ],
)
def test_malformed_lines(tmp_path: Path, text: str, message: str) -> None:
    log = read(tmp_path, line(JobId="9") + text)
    assert len(log.jobs) == 1
    assert log.cleaning.count("malformed") == 1
    with pytest.raises(InputError, match=message):
        read(tmp_path, line(JobId="9") + text, strict=True)


def test_a_name_is_all_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no job is left"):
        read(tmp_path, "JobId=\n" * 3)
