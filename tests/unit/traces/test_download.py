"""Downloads from a server of our own: checked, cached, resumed, refused."""

import contextlib
import gzip
import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.logs import SDSC, real_log, swf_line
from zerowait.model import InputError
from zerowait.traces.archive import LOGS, ArchivedLog, download_log, find_log
from zerowait.traces.reading import read_log

TEXT = "\n".join(swf_line(i, submit=i) for i in range(5000)).encode()
LOG = ArchivedLog("TEST", "l_test", "TEST-1.swf.gz", 8, hashlib.sha256(TEXT).hexdigest())


class Archive:
    """Files by path; `cut` bytes are sent and then the line goes dead."""

    def __init__(self, files: dict[str, bytes], ranges: bool = True) -> None:
        self.files, self.ranges = files, ranges
        self.cut: int | None = None
        self.asked: list[str | None] = []
        self.endless, self.sent = False, 0
        self.on_ask: Callable[[], None] = lambda: None
        archive = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                contents = archive.files.get(self.path)
                wanted = self.headers.get("Range")
                archive.asked.append(wanted)
                archive.on_ask()
                if contents is None:
                    self.send_error(404)
                    return
                start = 0
                if wanted and archive.ranges:
                    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                    if start >= len(contents):
                        self.send_error(416)
                        return
                    self.send_response(206)
                else:
                    self.send_response(200)
                if archive.endless:
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        while True:
                            archive.sent += self.wfile.write(bytes(1 << 16))
                    return
                body = contents[start:]
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body if archive.cut is None else body[: archive.cut])

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def archive() -> Iterator[Archive]:
    server = Archive({f"/{LOG.path}": gzip.compress(TEXT)})
    yield server
    server.close()


def test_fetched_once(archive: Archive, tmp_path: Path) -> None:
    arrived: list[int] = []
    path = download_log(LOG, tmp_path, base_url=archive.url, progress=arrived.append)
    assert len(read_log(path).jobs) == 5000
    assert sum(arrived) == path.stat().st_size
    assert download_log(LOG, tmp_path, base_url=archive.url) == path
    assert len(archive.asked) == 1
    assert [file.name for file in tmp_path.iterdir()] == [LOG.file]


def test_resumed_where_it_was_cut_off(archive: Archive, tmp_path: Path) -> None:
    archive.cut = 1000
    with pytest.raises(InputError, match="the next try goes on from there"):
        download_log(LOG, tmp_path, base_url=archive.url)
    assert (tmp_path / f"{LOG.file}.part").stat().st_size == 1000
    archive.cut = None
    path = download_log(LOG, tmp_path, base_url=archive.url)
    assert archive.asked[-1] == "bytes=1000-"
    assert gzip.decompress(path.read_bytes()) == TEXT
    assert not (tmp_path / f"{LOG.file}.part").exists()


def test_a_server_that_cannot_resume(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / f"{LOG.file}.part").write_bytes(b"something else")
    archive.ranges = False
    path = download_log(LOG, tmp_path, base_url=archive.url)
    assert gzip.decompress(path.read_bytes()) == TEXT


def test_packed_anew_is_the_same_log(archive: Archive, tmp_path: Path) -> None:
    archive.files[f"/{LOG.path}"] = gzip.compress(TEXT, compresslevel=1)
    assert download_log(LOG, tmp_path, base_url=archive.url).exists()


@pytest.mark.parametrize(
    "contents",
    [gzip.compress(TEXT + b"\n", mtime=0), b"<html>no such log</html>"],
    ids=["a line more", "a page"],
)
def test_another_text_is_refused(archive: Archive, tmp_path: Path, contents: bytes) -> None:
    archive.files[f"/{LOG.path}"] = contents
    with pytest.raises(InputError, match=r"SHA-256 .* is pinned; nothing was kept"):
        download_log(LOG, tmp_path, base_url=archive.url)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_cache_is_fetched_again(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / LOG.file).write_bytes(b"rubbish")
    path = download_log(LOG, tmp_path, base_url=archive.url)
    assert gzip.decompress(path.read_bytes()) == TEXT


def test_a_packed_files_checksum(archive: Archive, tmp_path: Path) -> None:
    packed = archive.files[f"/{LOG.path}"]
    good = ArchivedLog("T", LOG.folder, LOG.file, file_sha256=hashlib.sha256(packed).hexdigest())
    assert download_log(good, tmp_path / "a", base_url=archive.url).exists()
    bad = ArchivedLog("T", LOG.folder, LOG.file, file_sha256="0" * 64)
    with pytest.raises(InputError, match="is not the log that was asked for"):
        download_log(bad, tmp_path / "b", base_url=archive.url)


def test_logs_without_a_checksum(archive: Archive, tmp_path: Path) -> None:
    unpinned = ArchivedLog("T", LOG.folder, LOG.file)
    with pytest.raises(InputError, match=r"not pinned.*--unverified"):
        download_log(unpinned, tmp_path, base_url=archive.url)
    assert download_log(unpinned, tmp_path, base_url=archive.url, unverified=True).exists()


def test_a_planted_link_is_never_written_to(archive: Archive, tmp_path: Path) -> None:
    """A symbolic or a hard link where the unfinished download is kept."""
    for link in (Path.symlink_to, Path.hardlink_to):
        victim = tmp_path / "precious"
        victim.write_bytes(b"do not touch")
        part = tmp_path / "cache" / f"{LOG.file}.part"
        part.parent.mkdir(exist_ok=True)
        link(part, victim)
        path = download_log(LOG, part.parent, base_url=archive.url)
        assert victim.read_bytes() == b"do not touch"
        assert not path.is_symlink()
        assert gzip.decompress(path.read_bytes()) == TEXT
        path.unlink()


def test_a_link_planted_during_the_download(archive: Archive, tmp_path: Path) -> None:
    victim = tmp_path / "precious"
    victim.write_bytes(b"do not touch")
    part = tmp_path / f"{LOG.file}.part"
    archive.on_ask = lambda: part.symlink_to(victim)
    with pytest.raises(InputError, match="cannot be written"):
        download_log(LOG, tmp_path, base_url=archive.url)
    assert victim.read_bytes() == b"do not touch"


def test_a_body_without_end(archive: Archive, tmp_path: Path) -> None:
    archive.endless = True
    with pytest.raises(InputError, match=r"larger than 1000000 bytes.*nothing was kept; max_bytes"):
        download_log(LOG, tmp_path, base_url=archive.url, max_bytes=1_000_000)
    assert list(tmp_path.iterdir()) == []
    assert archive.sent < 50_000_000


def test_a_bomb(archive: Archive, tmp_path: Path) -> None:
    archive.files[f"/{LOG.path}"] = gzip.compress(bytes(300 << 20))
    unpinned = ArchivedLog("T", LOG.folder, LOG.file)
    with pytest.raises(InputError, match=r"unpacks to more than 268435456 bytes.*max_unpacked"):
        download_log(unpinned, tmp_path, base_url=archive.url, unverified=True)
    assert list(tmp_path.iterdir()) == []


def test_no_network(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be reached .*by hand"):
        download_log(LOG, tmp_path, base_url="http://127.0.0.1:9")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="must begin with http"):
        download_log(LOG, tmp_path, base_url="file:///etc")


def test_not_found(archive: Archive, tmp_path: Path) -> None:
    archive.files.clear()
    with pytest.raises(InputError, match="HTTP status 404"):
        download_log(LOG, tmp_path, base_url=archive.url)


def test_names() -> None:
    assert find_log("sdsc-sp2") is find_log("SDSC_SP2") is find_log("SDSC-SP2-1998-4.2-cln.swf.gz")
    assert len({log.name for log in LOGS}) == len(LOGS)
    with pytest.raises(InputError, match="known: SDSC-SP2, CTC-SP2"):
        find_log("nowhere")


def test_a_real_log_has_the_pinned_checksum(tmp_path: Path) -> None:
    """The shared copy was packed anew; its text is the archive's."""
    path = real_log(SDSC)
    server = Archive({f"/{find_log('SDSC-SP2').path}": path.read_bytes()})
    try:
        assert len(read_log(download_log("SDSC-SP2", tmp_path, base_url=server.url)).jobs) == 54_044
    finally:
        server.close()
