"""No input crashes a reader with anything but its own error, and no row is lost unseen."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.logs import swf_line

from zerowait.model import InputError
from zerowait.traces.classes import group
from zerowait.traces.description import trace_info
from zerowait.traces.readers import READERS
from zerowait.traces.reading import read_log

pytestmark = pytest.mark.slow

fuzz = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

SACCT = "JobID|JobName|Submit|Eligible|Start|End|ElapsedRaw|State|AllocCPUS|AllocTRES|Suspended\n"
TABLE = "arrival,need,service,job_class,estimate,user\n"
SEEDS = {
    "swf": "; MaxProcs: 64\n" + "\n".join(swf_line(i, submit=i, procs=i % 9) for i in range(6)),
    "sacct": SACCT + "7|x|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:01:00|"
    "2024-01-01T00:02:00|60|COMPLETED|4|cpu=4,node=1|00:00:00\n",
    "csv": TABLE + "0,1,5,a,9,ann\n3,2,8,b,,bob\n",
    "jobcomp": "JobId=7 UserId=ann(5) Name=x JobState=COMPLETED Partition=p TimeLimit=9 "
    "StartTime=2024-01-01T00:01:00 EndTime=2024-01-01T00:02:00 NodeList=n1 NodeCnt=1 ProcCnt=4 "
    "Tres=cpu=4,node=1 SubmitTime=2024-01-01T00:00:00 EligibleTime=2024-01-01T00:00:00 \n",
}

words = st.sampled_from(
    [
        "-1", "0", "1", "7", "1e5", "1e308", "1e999", "-3", "nan", "inf", "x", "", ";", "|", ",",
        "\t", "Unknown", "None", "2024-03-01T10:00:00", "9999-12-31T23:59:59",
        "0001-01-01T00:00:00", "1-00:00:00", "UNLIMITED", "CANCELLED by 5", "RUNNING", "PENDING",
        "Name=x", "ProcCnt=1", "StartTime=Unknown", "NodeList=(null)", "HetJobId=5",
        "5.batch", "5_[1-3]", "5+0", "5+1", "cpu=4,gres/gpu=2", "4K", '"', "\ufeff", "\x00", "é",
        "18446744073709551616", "0.5", "²", "１", "1_0",
    ]
)  # fmt: skip
separators = st.sampled_from([" ", "|", ",", "\t", "  "])


@st.composite
def texts(draw: st.DrawFn, name: str) -> bytes:
    """A good file with lines of words put in, cut out and changed."""
    lines = SEEDS[name].split("\n")
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(lines)))
        separator = draw(separators)
        line = separator.join(draw(st.lists(words, max_size=20)))
        kind = draw(st.sampled_from(["insert", "replace", "mix", "cut"]))
        if kind == "insert" or at == len(lines):
            lines.insert(at, line)
        elif kind == "replace":
            lines[at] = line
        elif kind == "cut":
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        else:
            old = lines[at].split("|" if "|" in lines[at] else "," if "," in lines[at] else None)
            if old:
                old[draw(st.integers(0, len(old) - 1))] = draw(words)
            lines[at] = ("|" if name == "sacct" else "," if name == "csv" else " ").join(old)
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return ending.join(lines).encode()


def check(contents: bytes, name: str, **options: object) -> None:
    """Read; what comes out must be whole, and what is said about it must add up."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(contents)
        try:
            log = read_log(path, **options)  # type: ignore[arg-type]
        except InputError as error:
            refused = str(error)
        else:
            refused = ""
        if refused:
            assert "\n" not in refused
            assert str(path) in refused
            return
        cleaning = log.cleaning
        assert cleaning.rows == cleaning.kept + cleaning.lost
        assert cleaning.kept == len(log.jobs) == log.columns.height > 0
        assert (np.diff(np.asarray(log.jobs.arrival)) >= 0).all()
        info = trace_info(log)
        assert info.jobs == cleaning.kept
        assert len(group(log.jobs, "auto")) >= 1


@pytest.mark.parametrize("name", SEEDS)
@given(data=st.data(), strict=st.sampled_from([None, True, False]))
@fuzz
def test_texts(name: str, data: st.DataObject, strict: bool | None) -> None:
    slurm = name in ("sacct", "jobcomp")
    need = data.draw(st.sampled_from(["processors", "nodes", "gpus"])) if slurm else None
    options = {"need": need} if need else {}
    check(data.draw(texts(name)), f"log.{name}", strict=strict, **options)


@pytest.mark.parametrize("format", [*READERS, None])
@given(contents=st.binary(max_size=400), strict=st.booleans())
@fuzz
def test_any_bytes(format: str | None, contents: bytes, strict: bool) -> None:
    check(contents, "log.swf", format=format, strict=strict)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.mark.parametrize("packer", PACKERS)
@given(data=st.data())
@fuzz
def test_damaged_archives(packer: str, data: st.DataObject) -> None:
    packed = bytearray(PACKERS[packer](SEEDS["swf"].encode()))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(packed[: data.draw(st.integers(1, len(packed)))]), f"log.swf.{packer}")


@given(data=st.data())
@settings(fuzz, max_examples=10)  # a process each
def test_damaged_parquet(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "seed.parquet"
        frame = polars.DataFrame({"arrival": [0.0, 1.0], "need": [1, 2], "service": [3.0, None]})
        frame.write_parquet(path)
        contents = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        contents[data.draw(st.integers(4, len(contents) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(contents), "log.parquet", strict=data.draw(st.booleans()))


@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 10**6), st.integers(0, 10**5), st.integers(1, 64), st.integers(1, 10**5)
        ),
        min_size=1,
        max_size=30,
    )
)
@fuzz
def test_swf_is_read_back(rows: list[tuple[int, int, int, int]]) -> None:
    rows = sorted(rows, key=lambda row: row[0])
    text = "\n".join(
        swf_line(i, submit=a, run=s, procs=n, estimate=e) for i, (a, s, n, e) in enumerate(rows)
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_text(text)
        jobs = read_log(path, strict=True).jobs
    columns = (jobs.arrival, jobs.service, jobs.need, jobs.estimate)
    assert list(zip(*columns, strict=True)) == rows
