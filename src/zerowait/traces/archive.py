"""Logs of the Parallel Workloads Archive: which there are, and how to get them.

A checksum is pinned where we have had the file: that of the unpacked text, because it does not
change when a mirror packs a log again. The archive publishes no checksums of its own. Logs
without a pin are named here so that they can be found, and are downloaded only on demand
(`--unverified`).
"""

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import cast
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from zerowait.model import InputError
from zerowait.traces.unpack import LogFile

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"


@dataclass(frozen=True)
class ArchivedLog:
    """A file of the archive; `text_sha256` is of the text, `file_sha256` of the packed file."""

    name: str
    folder: str
    file: str
    servers: int | None = None
    text_sha256: str | None = None
    file_sha256: str | None = None

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.file}"

    @property
    def is_pinned(self) -> bool:
        return bool(self.text_sha256 or self.file_sha256)


LOGS = (
    ArchivedLog(
        "SDSC-SP2", "l_sdsc_sp2", "SDSC-SP2-1998-4.2-cln.swf.gz", 128,
        "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
    ),
    ArchivedLog(
        "CTC-SP2", "l_ctc_sp2", "CTC-SP2-1996-3.1-cln.swf.gz", 338,
        "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
    ),
    ArchivedLog(
        "KTH-SP2", "l_kth_sp2", "KTH-SP2-1996-2.1-cln.swf.gz", 100,
        "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
    ),
    ArchivedLog(
        "NASA-iPSC", "l_nasa_ipsc", "NASA-iPSC-1993-3.1-cln.swf.gz", 128,
        "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
    ),
    ArchivedLog(
        "UniLu-Gaia", "l_unilu_gaia", "UniLu-Gaia-2014-1.swf.gz", 2004,
        "e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
    ),
    # Not seen by us: the packed file's checksum as github.com/ErenAri/HCP-workload-optimizer
    # records it (configs/data/reference_suite.yaml).
    ArchivedLog(
        "HPC2N", "l_hpc2n", "HPC2N-2002-2.2-cln.swf.gz", 240,
        file_sha256="3c534857d6065cfd9cc35aac8d064c9c17172be7acf336de835006f43a626e64",
    ),
    ArchivedLog("ANL-Intrepid", "l_anl_int", "ANL-Intrepid-2009-1.swf.gz"),
    ArchivedLog("CEA-Curie", "l_cea_curie", "CEA-Curie-2011-2.1-cln.swf.gz"),
    ArchivedLog("CIEMAT-Euler", "l_ciemat_euler", "CIEMAT-Euler-2008-1.swf.gz"),
    ArchivedLog("KIT-FH2", "l_kit_fh2", "KIT-FH2-2016-1.swf.gz", 24_048),
    ArchivedLog("LANL-CM5", "l_lanl_cm5", "LANL-CM5-1994-4.1-cln.swf.gz"),
    ArchivedLog("LANL-O2K", "l_lanl_o2k", "LANL-O2K-1999-2.swf.gz"),
    ArchivedLog("LLNL-Atlas", "l_llnl_atlas", "LLNL-Atlas-2006-2.1-cln.swf.gz"),
    ArchivedLog("LLNL-Thunder", "l_llnl_thunder", "LLNL-Thunder-2007-1.1-cln.swf.gz"),
    ArchivedLog("LPC-EGEE", "l_lpc", "LPC-EGEE-2004-1.2-cln.swf.gz"),
    ArchivedLog("METACENTRUM", "l_metacentrum2", "METACENTRUM-2013-3.swf.gz"),
    ArchivedLog("PIK-IPLEX", "l_pik_iplex", "PIK-IPLEX-2009-1.swf.gz"),
    ArchivedLog("RICC", "l_ricc", "RICC-2010-2.swf.gz"),
    ArchivedLog("SDSC-BLUE", "l_sdsc_blue", "SDSC-BLUE-2000-4.2-cln.swf.gz"),
    ArchivedLog("SDSC-DS", "l_sdsc_ds", "SDSC-DS-2004-2.1-cln.swf.gz"),
    ArchivedLog("SDSC-Par95", "l_sdsc_par", "SDSC-Par-1995-3.1-cln.swf.gz"),
    ArchivedLog("SDSC-Par96", "l_sdsc_par", "SDSC-Par-1996-3.1-cln.swf.gz"),
)  # fmt: skip


def find_log(name: str) -> ArchivedLog:
    """Find a log by its short name or its file name, whatever the case."""
    wanted = name.strip().lower().replace("_", "-")
    for log in LOGS:
        stem = log.file.lower()
        if wanted in (log.name.lower(), stem, stem.removesuffix(".gz"), stem[: -len(".swf.gz")]):
            return log
    known = ", ".join(log.name for log in LOGS)
    raise InputError(f"log {name!r}: is not known; known: {known}")


CHUNK_BYTES = 1 << 16
TIMEOUT_S = 30
MAX_BYTES = 1 << 30  # the largest log of the archive has a tenth of it

ALL_IS_THERE = 416  # what a server answers that is asked to go on after the end
PARTIAL = 206

Progress = Callable[[int], None]


def download_log(
    log: str | ArchivedLog,
    folder: Path | None = None,
    *,
    base_url: str = ARCHIVE,
    unverified: bool = False,
    progress: Progress | None = None,
    max_bytes: int = MAX_BYTES,
    max_unpacked: int | None = None,
) -> Path:
    """Return the path of a log, fetched unless it is there already and intact.

    A log whose checksum is not pinned is refused, unless `unverified` takes it as it comes. What
    arrives may have `max_bytes`, and unpack to `max_unpacked` (as in `read_log`).
    """
    wanted = find_log(log) if isinstance(log, str) else log
    if not wanted.is_pinned and not unverified:
        raise InputError(
            f"log {wanted.name!r}: its checksum is not pinned, so what arrives cannot be checked; "
            "--unverified takes it all the same"
        )
    folder = cache_folder() / "traces" if folder is None else Path(folder)
    target, part = folder / wanted.file, folder / f"{wanted.file}.part"
    if target.is_file() and _fault(wanted, target, max_unpacked) is None:
        return target
    url = f"{base_url.rstrip('/')}/{wanted.path}"
    if not url.startswith(("http://", "https://")):
        raise InputError(f"{url}: must begin with http:// or https://")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _fetch(url, part, progress or (lambda n_bytes: None), max_bytes)
        fault = _fault(wanted, part, max_unpacked)
        if fault is not None:
            part.unlink()
            raise InputError(f"{url}: is not the log that was asked for: {fault}; nothing was kept")
        os.replace(part, target)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return target


def cache_folder() -> Path:
    """Return the folder where the system keeps what programs can fetch again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "zerowait"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/zerowait"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zerowait"


def text_sha256(path: Path, max_unpacked: int | None = None) -> str:
    """Return the checksum of the unpacked text, read in pieces."""
    digest = hashlib.sha256()
    for piece in LogFile(path, max_unpacked=max_unpacked).pieces():
        digest.update(piece)
    return digest.hexdigest()


def _fault(log: ArchivedLog, path: Path, max_unpacked: int | None) -> str | None:
    """Say what is wrong with a file; return None where nothing is."""
    if log.file_sha256:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != log.file_sha256:
            return f"has SHA-256 {found}, where {log.file_sha256} is pinned"
    if log.text_sha256 or not log.is_pinned:
        try:
            found = text_sha256(path, max_unpacked)
        except InputError as error:
            return str(error)
        if log.text_sha256 and found != log.text_sha256:
            return f"its text has SHA-256 {found}, where {log.text_sha256} is pinned"
    return None


def _fetch(url: str, part: Path, progress: Progress, max_bytes: int) -> None:
    """Fetch what is still missing of the file, and add it to what had arrived."""
    if part.is_symlink() or (part.exists() and part.stat().st_nlink > 1):
        part.unlink()  # not ours: what it stands for must not be written to
    have = part.stat().st_size if part.exists() else 0
    with _Answer(url, part, have) as answer:
        if answer.status == ALL_IS_THERE:
            return  # or the file has changed: the checksum will tell
        have = have if answer.status == PARTIAL else 0
        expected = have + answer.length
        with open(part, "ab", opener=_without_links) as file:
            file.truncate(have)
            progress(have)
            while have <= max_bytes >= expected and (piece := answer.read()):
                file.write(piece)
                have += len(piece)
                progress(len(piece))
    if max(have, expected) > max_bytes:
        part.unlink()
        raise InputError(
            f"{url}: is larger than {max_bytes} bytes, which no log of the archive is; nothing was "
            "kept; max_bytes (--max-bytes) allows more"
        )
    if have < expected:
        raise answer.broken_off(f"{have} of {expected} bytes arrived")


def _without_links(path: str, flags: int) -> int:
    """Open a file, but not a link that was planted in the meantime."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


class _Answer:
    """A server's answer; whatever goes wrong on the way is told as an InputError."""

    def __init__(self, url: str, part: Path, have: int) -> None:
        self.url, self.part, self.length = url, part, 0
        # A packed file must arrive as it is: no server may pack or unpack it on the way.
        headers = {"Accept-Encoding": "identity", "User-Agent": "zerowait"}
        headers |= {"Range": f"bytes={have}-"} if have else {}
        try:
            self._stream: HTTPResponse | HTTPError = urlopen(
                Request(url, headers=headers), timeout=TIMEOUT_S
            )
            self.length = int(self._stream.headers.get("Content-Length") or 0)
        except HTTPError as error:
            if error.code != ALL_IS_THERE:
                raise self.broken_off(f"HTTP status {error.code}") from None
            self._stream = error
        except (URLError, HTTPException, OSError, ValueError) as error:
            raise self.broken_off(type(getattr(error, "reason", error)).__name__) from None
        self.status = cast(int, self._stream.status)

    def __enter__(self) -> "_Answer":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def read(self) -> bytes:
        """Return the next bytes, none at the end."""
        try:
            return self._stream.read(CHUNK_BYTES)
        except (HTTPException, OSError) as error:
            raise self.broken_off(type(error).__name__) from None

    def broken_off(self, reason: str) -> InputError:
        """Return the error to raise where the server cannot be reached."""
        return InputError(
            f"{self.url}: cannot be reached ({reason}); without a network, put the file into "
            f"{self.part.parent} by hand; what had arrived is kept and the next try goes on from "
            "there"
        )


__all__ = ["ARCHIVE", "LOGS", "ArchivedLog", "download_log", "find_log", "text_sha256"]
