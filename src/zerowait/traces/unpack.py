"""Files as streams of bytes, unpacked by what they hold and not by what they are called.

Whatever a file claims to be, memory stays bounded: what it unpacks to and how long its lines are
have limits, which can be raised.
"""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zerowait.model import InputError
from zerowait.model.quantities import refuse

MIB = 1 << 20
# Small enough that a block with one bad line costs little, large enough for vector code to pay.
BLOCK_BYTES = 4 * MIB
HEAD_BYTES = 1 << 16
# Four bytes of zstd may unpack to 128 KiB; this many to 32 MiB, however hostile they are.
ZSTD_BYTES = 1 << 10

# Logs pack to a tenth or so, tables of one user's jobs perhaps to a hundredth.
MAX_RATIO = 200
MAX_SMALL = 256 * MIB  # which any file may unpack to
MAX_LINE = BLOCK_BYTES

Progress = Callable[[int], None]


def _pieces(stream: Any, size: int) -> Iterator[bytes]:
    return iter(lambda: stream.read(size), b"")


def _unpack_zstd(raw: io.BufferedReader, size: int) -> Iterator[bytes]:
    """Yield the content frame by frame: pzstd and appended logs have several frames.

    The library's own reader takes a frame that is cut off for the end of the file.
    """
    import zstandard

    frame = None
    found, length = [], 0
    while chunk := raw.read(ZSTD_BYTES):
        while chunk:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            found.append(frame.decompress(chunk))
            length += len(found[-1])
            chunk = b""
            if frame.eof:
                chunk, frame = frame.unused_data, None
        if length >= size:
            whole = b"".join(found)
            cut = length - length % size
            yield from (whole[at : at + size] for at in range(0, cut, size))
            found, length = [whole[cut:]], length - cut
    if length:
        yield b"".join(found)
    if frame is not None:
        raise EOFError("the last frame is cut off")


def _open_xz(raw: io.BufferedReader) -> lzma.LZMAFile:
    return lzma.LZMAFile(raw)


class Compression(NamedTuple):
    """A way of packing files: what they begin with, how they end, and how to unpack them."""

    magic: bytes
    suffixes: tuple[str, ...]
    unpack: Callable[[io.BufferedReader, int], Iterator[bytes]]


# They read from a file that their reader closes.
COMPRESSIONS = (
    Compression(b"\x1f\x8b", (".gz",), lambda raw, size: _pieces(gzip.GzipFile(fileobj=raw), size)),
    Compression(b"\x28\xb5\x2f\xfd", (".zst", ".zstd"), _unpack_zstd),
    Compression(b"\xfd7zXZ\x00", (".xz",), lambda raw, size: _pieces(_open_xz(raw), size)),
    Compression(b"BZh", (".bz2",), lambda raw, size: _pieces(bz2.BZ2File(raw), size)),
)


def bare_name(path: Path) -> str:
    """Return a file's name in lower case, without the suffix of its compression."""
    name = path.name.lower()
    for compression in COMPRESSIONS:
        for suffix in compression.suffixes:
            name = name.removesuffix(suffix)
    return name


class LogFile:
    """A file on disk, read as unpacked bytes. `read` reports the bytes taken from the disk.

    It may unpack to `max_unpacked` bytes, by default to 200 times its size or to 256 MiB; no
    line may have more than `max_line` bytes.
    """

    def __init__(
        self,
        path: str | Path,
        progress: Progress | None = None,
        max_unpacked: int | None = None,
        max_line: int | None = None,
    ) -> None:
        if not isinstance(path, (str, Path)):
            raise refuse("path", path, "must be the path of a log, a text or a pathlib.Path")
        self.path = Path(path)
        self._progress = progress or (lambda n_bytes: None)
        self._max_unpacked = max_unpacked
        self._max_line = MAX_LINE if max_line is None else max_line

    def __str__(self) -> str:
        return str(self.path)

    @property
    def size(self) -> int:
        """Return the bytes on the disk, packed as they are."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise self.unreadable(error) from None

    def unreadable(self, error: Exception) -> InputError:
        """Return the error to raise where the file cannot be read."""
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return InputError(f"{self.path}: cannot be read: {' '.join(reason.split())}")

    def too_large(self) -> InputError:
        """Return the error to raise where the file unpacks to more than is allowed."""
        return InputError(
            f"{self.path}: unpacks to more than {self.max_unpacked} bytes, which no log of its "
            "size does; max_unpacked (--max-unpacked) allows more"
        )

    def head(self) -> bytes:
        """Return the first bytes, unpacked."""
        return next(self.pieces(HEAD_BYTES), b"")

    def blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines; only the last may lack its newline."""
        rest: list[bytes] = []  # of a line that is not at its end yet
        length, line = 0, 1
        for piece in self.pieces(BLOCK_BYTES):
            cut = piece.rfind(b"\n") + 1
            if cut:
                block = b"".join([*rest, piece[:cut]])
                line += block.count(b"\n")
                yield block
                rest, length = [], 0
            rest.append(piece[cut:])
            length += len(piece) - cut
            if length > self._max_line:
                raise InputError(
                    f"{self.path}: line {line} has more than {self._max_line} bytes, which no log "
                    "has; max_line (--max-line) allows more"
                )
        if length:
            yield b"".join(rest)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield numbered lines without their ends; bytes that are not UTF-8 are replaced."""
        number = 0
        for block in self.blocks():
            for line in block.decode("utf-8", errors="replace").removesuffix("\n").split("\n"):
                number += 1
                if number == 1:
                    line = line.removeprefix("\ufeff")
                yield number, line.removesuffix("\r")

    def pieces(self, size: int = BLOCK_BYTES) -> Iterator[bytes]:
        """Yield the unpacked bytes in pieces of `size`."""
        import zstandard

        try:
            with open(self.path, "rb") as raw:
                seen = total = 0
                first = raw.peek(6)
                known = next((one for one in COMPRESSIONS if first.startswith(one.magic)), None)
                limit = None if known is None else self.max_unpacked
                for piece in _pieces(raw, size) if known is None else known.unpack(raw, size):
                    self._progress(raw.tell() - seen)
                    seen = raw.tell()
                    total += len(piece)
                    if limit is not None and total > limit:
                        raise self.too_large()
                    yield piece
        except (EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, gzip.BadGzipFile) as bad:
            raise InputError(f"{self.path}: the packed file is damaged: {bad}") from None
        except OSError as error:
            raise self.unreadable(error) from None

    @property
    def max_unpacked(self) -> int:
        if self._max_unpacked is not None:
            return self._max_unpacked
        return max(MAX_SMALL, MAX_RATIO * self.size)
