"""CSV and Parquet with named columns, packed files, and how formats are told apart."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars
import pytest
import zstandard

import zerowait as zw
from tests.logs import swf_line
from zerowait.model import InputError
from zerowait.traces.reading import read_log

CSV = "arrival,need,service,job_class,estimate\n0,2,10,b,20\n5,1,3,a,\n5,4,0.5,b,1\n"


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(CSV)
    jobs = zw.read_trace(path)
    assert np.asarray(jobs.arrival).tolist() == [0, 5, 5]
    assert np.asarray(jobs.need).tolist() == [2, 1, 4]
    assert np.asarray(jobs.service).tolist() == [10, 3, 0.5]
    assert np.asarray(jobs.estimate).tolist() == [20, 3, 1]
    assert jobs.class_labels == ["a", "b"]


def test_numbers_as_labels_sort_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service,job_class\n0,1,1,10\n1,1,1,9\n")
    assert zw.read_trace(path).class_labels == [9, 10]


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["1_2", "12"], ["12", "1_2"]),
        (["1.2", "1.7"], ["1.2", "1.7"]),
        (["1", "01"], ["01", "1"]),
        (["12345678901234567890", "9"], ["12345678901234567890", "9"]),
        (["a", ""], ["(none)", "a"]),
        (["-3", "2"], [-3, 2]),
    ],
)
def test_labels_are_text(tmp_path: Path, labels: list[str], classes: list[str]) -> None:
    """Each a class of its own; only whole numbers written plainly sort as numbers."""
    path = tmp_path / "jobs.csv"
    rows = "".join(f"{i},1,1,{label}\n" for i, label in enumerate(labels))
    path.write_text("arrival,need,service,job_class\n" + rows)
    jobs = zw.read_trace(path)
    assert jobs.class_labels == classes
    frame = {"arrival": [0, 1], "need": [1, 1], "service": [1, 1], "job_class": labels}
    polars.DataFrame(frame).write_parquet(tmp_path / "jobs.parquet")
    assert zw.read_trace(tmp_path / "jobs.parquet").class_labels == classes


def test_parquet_labels_of_any_type(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    frame = polars.DataFrame(
        {
            "arrival": [0, 1, 2],
            "need": [1, 1, 1],
            "service": [1, 1, 1],
            "job_class": [1.2, 1.7, None],
            "user": ["ann", None, "bob"],
        }
    )
    frame.write_parquet(path)
    log = read_log(path)
    assert log.jobs.class_labels == ["(none)", "1.2", "1.7"]
    users = zw.trace_info(log).users
    assert users is not None
    assert {one.user for one in users.biggest} == {"ann", "bob", "(not known)"}
    large = polars.Series([2**63, 1, 2], dtype=polars.UInt64)
    frame.with_columns(job_class=large).write_parquet(path)
    assert read_log(path).jobs.class_labels == ["1", "2", str(2**63)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_names(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "jobs.csv"
    text = '"id",submitted,cores,runtime\n7,0,2,10\n8,5,1,3\n'
    path.write_text(text.replace(",", delimiter))
    log = read_log(path, columns={"arrival": "submitted", "need": "cores", "service": "runtime"})
    assert np.asarray(log.jobs.need).tolist() == [2, 1]


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("submitted,cores,runtime\n0,2,10\n")
    with pytest.raises(
        InputError, match=r"column 'arrival' is missing; the file has submitted, co"
    ):
        read_log(path)
    with pytest.raises(InputError, match=r"column 'nodes' \(for need\) is missing"):
        read_log(path, columns={"need": "nodes"})
    with pytest.raises(InputError, match="column 'size': is not known"):
        read_log(path, columns={"size": "cores"})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("0,1,x", "line 2: service = 'x': must be a number, zero or more"),
        ("0,1.5,1", "line 2: need = '1.5': must be a whole number, 1 or more"),
        ("0,1,-1", "line 2: service = '-1'"),
        ("0,1,inf", "line 2: service = 'inf'"),
        ("0,,1", "line 2: need = ''"),
        ("0,1", "line 2: has 2 fields, the header 3"),
        ("5,1,1\n0,1,1", r"line 3: arrival = 0.0: is before the arrival above it"),
    ],
)
def test_tables_are_strict_unless_told_otherwise(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(f"arrival,need,service\n{rows}\n9,1,1\n")
    with pytest.raises(InputError, match=message):
        read_log(path)
    log = read_log(path, strict=False)
    assert log.cleaning.rows == log.cleaning.kept + log.cleaning.lost
    assert np.asarray(log.jobs.arrival)[-1] == 9
    assert log.cleaning.findings


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    frame = polars.DataFrame({"arrival": [0, 5], "need": [2, 1], "service": [1.5, None]})
    frame.write_parquet(path)
    with pytest.raises(InputError, match="line 2: service = nan"):
        read_log(path)
    log = read_log(path, strict=False)
    assert log.format == "parquet"
    assert np.asarray(log.jobs.need).tolist() == [2]
    renamed = tmp_path / "log.bin"  # by its contents
    path.rename(renamed)
    assert read_log(renamed, strict=False).format == "parquet"
    renamed.write_bytes(gzip.compress(renamed.read_bytes()))
    assert read_log(renamed, strict=False).format == "parquet"


def test_parquet_with_text_where_numbers_should_be(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    polars.DataFrame({"arrival": [0], "need": ["a"], "service": [1]}).write_parquet(path)
    with pytest.raises(InputError, match="column 'need' holds String"):
        read_log(path)
    polars.DataFrame({"arrival": ["a"], "need": [2], "service": [1]}).write_parquet(path)
    with pytest.raises(InputError, match="line 1: arrival = 'a': not a time such as"):
        read_log(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match="cannot be read"):
        read_log(path)


def test_a_parquet_file_that_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by fuzzing: garbage lengths make polars abort, which no handler can catch."""
    path = tmp_path / "jobs.parquet"
    polars.DataFrame({"arrival": [0], "need": [2], "service": [1]}).write_parquet(path)
    monkeypatch.setattr("zerowait.traces.readers.parquet.SCRIPT", "import os; os.abort()")
    with pytest.raises(InputError, match="cannot be read"):
        read_log(path)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "zstd frames": lambda data: b"".join(
        zstandard.ZstdCompressor().compress(part) for part in (data[:50], data[50:])
    ),
}


@pytest.mark.parametrize("packer", PACKERS)
def test_packed_by_contents(tmp_path: Path, packer: str) -> None:
    text = "\n".join(swf_line(i, submit=i) for i in range(100)).encode()
    path = tmp_path / "some.log"  # the name gives nothing away
    path.write_bytes(PACKERS[packer](text))
    log = read_log(path)
    assert log.format == "swf"
    assert len(log.jobs) == 100
    path.write_bytes(PACKERS[packer](text)[:-20])
    with pytest.raises(InputError, match=r"damaged|no job is left|cannot be read"):
        read_log(path, strict=True)


def test_contents_before_names(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("; Version: 2.2\n" + swf_line(1))
    assert read_log(path).format == "swf"
    path.write_text("\ufeff" + CSV)
    assert read_log(path).format == "csv"
    path = tmp_path / "jobs.swf"
    path.write_text("junk\n" + swf_line(1))
    assert read_log(path).format == "swf"  # by its name


def test_files_that_are_no_logs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_log(tmp_path / "none.swf")
    with pytest.raises(InputError, match="is a folder"):
        read_log(tmp_path)
    path = tmp_path / "x.bin"
    path.write_text("hello")
    with pytest.raises(InputError, match="unknown kind of log"):
        read_log(path)
    path.write_text("")
    with pytest.raises(InputError, match="holds no jobs"):
        read_log(path)
    with pytest.raises(InputError, match="format = 'xls'"):
        read_log(path, format="xls")


def written(tmp_path: Path, rows: dict[str, list[object]], **options: object) -> list[zw.Log]:
    """The same table as CSV and as Parquet."""
    frame = polars.DataFrame(rows)
    frame.write_csv(tmp_path / "jobs.csv")
    frame.write_parquet(tmp_path / "jobs.parquet")
    return [read_log(tmp_path / f"jobs.{kind}", **options) for kind in ("csv", "parquet")]  # type: ignore[arg-type]


REST: dict[str, list[object]] = {"need": [1, 2, 1], "service": [60, 60, 60]}


@pytest.mark.parametrize(
    ("arrival", "arrivals", "first", "clock"),
    [
        (
            ["2024-03-31T01:59:00", "2024-03-31T03:00:00", "2024-03-31 03:00:30.5"],
            [0, 3660, 3690.5], "2024-03-31 01:59", "local time, as the log prints it",
        ),
        (
            ["2024-03-31T01:59:00+01:00", "2024-03-31T03:00:00+02:00", "2024-03-31T01:01:00Z"],
            [0, 60, 120], "2024-03-31 01:59", "local time (UTC+01:00)",
        ),
    ],
)  # fmt: skip
def test_dates(
    tmp_path: Path, arrival: list[object], arrivals: list[float], first: str, clock: str
) -> None:
    for log in written(tmp_path, {"arrival": arrival, "start": arrival} | REST):
        assert np.asarray(log.jobs.arrival).tolist() == arrivals
        assert log.start is not None
        assert log.start.tolist() == arrivals
        assert log.clock.date(0.0) == first
        assert str(log.clock) == clock


def test_dates_in_a_named_zone(tmp_path: Path) -> None:
    """An hour is missing from this night in Berlin."""
    arrival = ["2024-03-31T01:59:00", "2024-03-31T03:00:00", "2024-03-31T03:01:00"]
    for log in written(tmp_path, {"arrival": arrival} | REST, zone="Europe/Berlin"):
        assert np.asarray(log.jobs.arrival).tolist() == [0, 60, 120]
        assert log.clock.date(60.0) == "2024-03-31 03:00"
    with pytest.raises(InputError, match="zone = 'Atlantis': is not known"):
        read_log(tmp_path / "jobs.csv", zone="Atlantis")


def test_parquet_stamps(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    stamps = polars.Series(["2024-03-31T01:59:00", "2024-03-31T03:00:00", "2024-03-31T03:01:00"])
    stamps = stamps.str.to_datetime()
    for aware, zone in ((True, None), (False, "Europe/Berlin")):
        column = stamps.dt.replace_time_zone("Europe/Berlin") if aware else stamps
        polars.DataFrame({"arrival": column} | REST).write_parquet(path)
        log = read_log(path, zone=zone)
        assert np.asarray(log.jobs.arrival).tolist() == [0, 60, 120]
        assert log.clock.date(60.0) == "2024-03-31 03:00"
    assert np.asarray(read_log(path).jobs.arrival).tolist() == [0, 3660, 3720]


@pytest.mark.parametrize(
    ("arrival", "message"),
    [
        (["2024-03-31T01:59:00", "3 o'clock", ""], 'line 3: arrival = "3 o\'clock": not a time'),
        (["2024-03-31T01:59:00", "2024-03-31T02:00:00Z", ""], "line 3: .*--zone names one"),
        (["2024-03-31", "2024-03-30", "2024-03-31"], "line 3: arrival = 2024-03-30 00:00:00"),
        (["soon", "later", ""], "line 2: arrival = 'soon': not a time"),
    ],
)
def test_bad_dates(tmp_path: Path, arrival: list[str], message: str) -> None:
    path = tmp_path / "jobs.csv"
    polars.DataFrame({"arrival": arrival} | REST).write_csv(path)
    with pytest.raises(InputError, match=message):
        read_log(path)


def test_dates_beside_numbers(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service,start\n2024-03-31,1,5,7\n")
    with pytest.raises(InputError, match="one has dates, the other numbers"):
        read_log(path)


def test_gpus_as_needs(tmp_path: Path) -> None:
    """Jobs that need none are left out, and told."""
    rows: dict[str, list[object]] = {"arrival": [0, 1, 2], "gpus": [8, 0, 2], "service": [5, 5, 5]}
    for log in written(tmp_path, rows, need="gpus"):
        assert np.asarray(log.jobs.need).tolist() == [8, 2]
        assert log.unit == "gpus"
        assert log.cleaning.findings[0].reason == "no gpus"
    with pytest.raises(InputError, match="column 'need' is missing"):
        read_log(tmp_path / "jobs.parquet")
    with pytest.raises(InputError, match="column 'nodes' is missing"):
        read_log(tmp_path / "jobs.parquet", need="nodes")
    by_hand = read_log(tmp_path / "jobs.csv", need="gpus", columns={"need": "gpus"})
    assert by_hand.unit == "gpus"


def test_ids_partitions_and_queues_are_kept(tmp_path: Path) -> None:
    rows = {"arrival": [0, 1, 2], "job": [7, 8, 9], "partition": ["a", "b", None]} | REST
    rows["account"] = ["x", "x", "y"]
    for log in written(tmp_path, rows):
        assert log.job is not None
        assert log.job.tolist() == ["7", "8", "9"]
        assert log.partition is not None
        assert log.partition.tolist() == ["a", "b", ""]
        assert log.jobs.account is not None
        assert log.jobs.account.tolist() == ["x", "x", "y"]
        assert log.queue is None
