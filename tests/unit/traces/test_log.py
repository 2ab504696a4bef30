"""A log as an object: what it shows of itself, and its jobs chosen."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.logs import swf_line
from zerowait.model import InputError
from zerowait.traces.readers import READERS
from zerowait.traces.reading import read_log

TEXT = "; MaxProcs: 64\n" + "".join(swf_line(i, submit=i, procs=1 + i % 4) + "\n" for i in range(9))


@pytest.fixture
def log(tmp_path: Path) -> zw.Log:
    (tmp_path / "small.swf").write_text(TEXT)
    return zw.read_log(tmp_path / "small.swf")


def test_short_names(log: zw.Log) -> None:
    assert repr(log).endswith("small.swf', swf, 9 jobs, 64 servers)")
    assert repr(log.jobs) == "Jobs(<9 jobs, needs 1 to 4, arrivals 0 to 8>)"
    assert len(repr(zw.trace_info(log))) < 200 + len(log.path)
    assert len(repr(zw.fit_workload(log.jobs))) < 500


def test_choosing_jobs(log: zw.Log) -> None:
    small = log.select(np.asarray(log.jobs.need) == 2)
    assert np.asarray(small.jobs.arrival).tolist() == [1, 5]
    assert small.columns["job"].to_list() == [1, 5]
    assert small.start is not None
    assert len(small.start) == 2
    with pytest.raises(InputError, match="none is left"):
        log.select(np.zeros(9, bool))


def test_a_path_jobs_and_a_log_are_taken_alike(log: zw.Log) -> None:
    for function in (zw.trace_info, zw.fit_workload, zw.filter_log):
        told = [repr(function(one)) for one in (log, log.path, Path(log.path))]
        assert len(set(told)) == 1
        # Jobs say of themselves what they are, and nothing of who asked for them on what machine.
        of_jobs = function(log.jobs)
        assert "64 servers" not in repr(of_jobs)
        for wrong in (3, zw.workloads.figure1(256)):
            with pytest.raises(InputError, match=rf"must be a log.*; {function.__name__} takes"):
                function(wrong)
    assert zw.fit_workload(log.jobs).as_dict() == zw.fit_workload(log).as_dict()
    assert len(zw.filter_log(log.jobs, max_need=2).jobs) == 5
    with pytest.raises(InputError, match="path = 3: must be the path of a log"):
        zw.read_log(3)  # type: ignore[arg-type]


def test_work_and_load() -> None:
    jobs = zw.Jobs([0, 10], [2, 3], [5, 10])
    assert jobs.work == 40
    assert jobs.offered_load(4) == 1.0
    assert zw.Jobs([3, 3], [2, 3], [5, 10]).offered_load(4) is None


def test_a_table_with_columns_of_sacct_is_a_table(tmp_path: Path) -> None:
    """Whatever the order in which readers were found."""
    path = tmp_path / "jobs.log"
    path.write_text("arrival,need,service,jobid,user,start\n0,1,2,7,ann,0\n")
    assert READERS["sacct"].recognises(path.read_bytes())
    assert read_log(path).format == "csv"
