"""Download a log of the archive: cached, checked, and resumed where it was cut off."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zerowait.model import InputError
from zerowait.traces.archive.catalogue import ARCHIVE, ArchivedLog, find_log
from zerowait.traces.unpack import LogFile

CHUNK_BYTES = 1 << 16
TIMEOUT_S = 30

Progress = Callable[[int], None]


def download_log(
    log: str | ArchivedLog,
    folder: Path | None = None,
    *,
    base_url: str = ARCHIVE,
    unverified: bool = False,
    progress: Progress | None = None,
) -> Path:
    """The path of the log, fetched unless it is there already and intact.

    A log whose checksum is not pinned is refused, unless `unverified` takes it as it comes.
    """
    wanted = find_log(log) if isinstance(log, str) else log
    if not wanted.is_pinned and not unverified:
        raise InputError(
            f"log {wanted.name!r}: its checksum is not pinned, so what arrives cannot be checked; "
            "--unverified takes it all the same"
        )
    import pooch

    pooch.get_logger().setLevel("ERROR")  # we say ourselves what happens
    folder = Path(folder) if folder is not None else pooch.os_cache("zerowait") / "traces"
    target = folder / wanted.file
    if target.is_file() and _fault(wanted, target) is None:
        return target
    target.unlink(missing_ok=True)
    url = f"{base_url.rstrip('/')}/{wanted.path}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Pooch moves a finished download into place; checks of the text come after.
        found = Path(
            pooch.retrieve(
                url,
                known_hash=f"sha256:{wanted.file_sha256}" if wanted.file_sha256 else None,
                fname=wanted.file,
                path=folder,
                downloader=_Resuming(folder / f"{wanted.file}.part", progress),
            )
        )
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{url}: is not the log that was pinned: {error}") from None
    fault = _fault(wanted, found)
    if fault is not None:
        found.unlink()
        raise InputError(f"{url}: {fault}; nothing was kept")
    return found


def text_sha256(path: Path) -> str:
    """Of the unpacked text, read in pieces."""
    digest = hashlib.sha256()
    for block in LogFile(path).blocks():
        digest.update(block)
    return digest.hexdigest()


def _fault(log: ArchivedLog, path: Path) -> str | None:
    """What is wrong with a file, if anything is."""
    if log.file_sha256:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != log.file_sha256:
            return f"has SHA-256 {found}, where {log.file_sha256} is pinned"
    if log.text_sha256 or not log.is_pinned:
        try:
            found = text_sha256(path)
        except InputError as error:
            return str(error)
        if log.text_sha256 and found != log.text_sha256:
            return f"its text has SHA-256 {found}, where {log.text_sha256} is pinned"
    return None


class _Resuming:
    """A downloader for pooch that keeps what has arrived and asks only for the rest."""

    def __init__(self, part: Path, progress: Progress | None) -> None:
        self.part, self.progress = part, progress or (lambda n_bytes: None)

    def __call__(self, url: str, output_file: Any, _: Any) -> None:
        import requests
        import urllib3

        try:
            self._fetch(url)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise InputError(
                f"{url}: cannot be reached ({_reason(error)}); without a network, put the file "
                f"into {self.part.parent} by hand; what had arrived is kept and the next try goes "
                "on from there"
            ) from None
        shutil.move(self.part, output_file)

    def _fetch(self, url: str) -> None:
        import requests

        have = self.part.stat().st_size if self.part.exists() else 0
        # A packed file must arrive as it is: no server may pack or unpack it on the way.
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_S) as answer:
            if answer.status_code == requests.codes.requested_range_not_satisfiable:
                # All of it was there, or the file has changed: the checksum will tell.
                return
            answer.raise_for_status()
            resumed = answer.status_code == requests.codes.partial_content
            expected = int(answer.headers.get("Content-Length", 0))
            self.progress(have if resumed else 0)
            arrived = 0
            with open(self.part, "ab" if resumed else "wb") as file:
                for piece in answer.raw.stream(CHUNK_BYTES, decode_content=False):
                    file.write(piece)
                    arrived += len(piece)
                    self.progress(len(piece))
        if arrived < expected:
            raise requests.ConnectionError(f"{arrived} of {expected} bytes arrived")


def _reason(error: Exception) -> str:
    response = getattr(error, "response", None)
    if response is not None:
        return f"HTTP status {response.status_code}"
    return type(error).__name__
