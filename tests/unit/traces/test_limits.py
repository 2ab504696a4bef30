"""Files made to hang or to swell a reader: linear time, bounded memory, an error that says how."""

import gzip
import io
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import polars
import pytest
import zstandard

from tests.logs import swf_line
from zerowait.model import InputError
from zerowait.traces.reading import read_log
from zerowait.traces.unpack import LogFile

pytestmark = pytest.mark.slow

LINES = "".join(swf_line(i, submit=i) + "\n" for i in range(1000))
HEADER = "; MaxProcs: 8\n"
CORE_S = 15.0  # what quadratic readers took minutes or hours for


def timed(function: Callable[[], object]) -> float:
    """Return the seconds of a core that a call takes, whatever else the machine does."""
    start = time.process_time()
    function()
    return time.process_time() - start


def test_a_field_of_many_digits(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    line = swf_line().replace("10", "1" * 400_000 + "x", 1)
    path.write_text(HEADER + line + "\n" + LINES)
    assert timed(lambda: read_log(path)) < CORE_S
    log = read_log(path)
    assert len(log.jobs) == 1000
    assert "not a number" in log.cleaning.findings[0].reason
    assert len(log.cleaning.findings[0].examples[0]) < 200


def test_a_first_line_of_many_digits_is_recognised_in_time(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("1" * 60_000 + "x " + swf_line() + "\n" + LINES)
    assert timed(lambda: read_log(path)) < CORE_S


def test_many_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(HEADER + "\n" * 700_000 + LINES)
    assert timed(lambda: read_log(path)) < CORE_S
    assert len(read_log(path).jobs) == 1000


def test_a_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(HEADER.encode() + b"7 " * (20 << 20))
    with pytest.raises(InputError, match=r"line 2 has more than 4194304 bytes.*max_line"):
        read_log(path)
    assert timed(lambda: read_log(path, max_line=1 << 30)) < CORE_S


def test_a_line_of_many_fields(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(HEADER + (swf_line() + " 7" * 1_000_000 + "\n") + LINES)
    log = read_log(path)
    assert len(log.jobs) == 1001


def bomb(pack: str, size: int) -> bytes:
    """Newlines that pack to next to nothing."""
    if pack == "gzip":
        return gzip.compress(b"\n" * size)
    out = io.BytesIO()
    with zstandard.ZstdCompressor().stream_writer(out, closefd=False) as writer:
        for _ in range(size >> 20):
            writer.write(b"\n" * (1 << 20))
    return out.getvalue()


@pytest.mark.parametrize("pack", ["gzip", "zstd"])
def test_a_bomb(tmp_path: Path, pack: str) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(bomb(pack, 300 << 20))
    tracemalloc.start()
    assert len(LogFile(path).head()) == 1 << 16
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80 << 20
    with pytest.raises(InputError, match=r"more than 268435456 bytes.*max_unpacked"):
        read_log(path)
    with pytest.raises(InputError, match="more than 1000000 bytes"):
        read_log(path, max_unpacked=1_000_000)


def test_a_table_of_runs(tmp_path: Path) -> None:
    """Parquet keeps a million equal values in a few bytes."""
    path = tmp_path / "jobs.parquet"
    one = polars.repeat(1, 2_000_000, eager=True)
    polars.DataFrame({"arrival": one, "need": one, "service": one}).write_parquet(path)
    with pytest.raises(InputError, match=r"more than 1000000 bytes.*max_unpacked"):
        read_log(path, max_unpacked=1_000_000)
    assert len(read_log(path).jobs) == 2_000_000
