"""Files as streams of bytes, unpacked by what they hold and not by what they are called."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from zerowait.model import InputError

GZIP, XZ, ZSTD, BZIP2 = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh"

# Small enough that a block with one bad line costs little, large enough for vector code to pay.
BLOCK_BYTES = 4 << 20
HEAD_BYTES = 1 << 16

Progress = Callable[[int], None]


class LogFile:
    """A file on disk, read as unpacked bytes. `read` reports the bytes taken from the disk."""

    def __init__(self, path: str | Path, progress: Progress | None = None) -> None:
        self.path = Path(path)
        self._progress = progress or (lambda n_bytes: None)

    def __str__(self) -> str:
        return str(self.path)

    @property
    def size(self) -> int:
        """Bytes on the disk, packed as they are."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise self.unreadable(error) from None

    def unreadable(self, error: Exception) -> InputError:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return InputError(f"{self.path}: cannot be read: {' '.join(reason.split())}")

    def head(self) -> bytes:
        """The first bytes, unpacked."""
        return next(self._pieces(HEAD_BYTES), b"")

    def blocks(self) -> Iterator[bytes]:
        """The text in blocks of whole lines; only the last may lack its newline."""
        rest = b""
        for piece in self._pieces(BLOCK_BYTES):
            cut = piece.rfind(b"\n") + 1
            if cut:
                yield rest + piece[:cut]
                rest = piece[cut:]
            else:
                rest += piece
        if rest:
            yield rest

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines without their ends; bytes that are not UTF-8 are replaced."""
        number = 0
        for block in self.blocks():
            for line in block.decode("utf-8", errors="replace").removesuffix("\n").split("\n"):
                number += 1
                if number == 1:
                    line = line.removeprefix("\ufeff")
                yield number, line.removesuffix("\r")

    def contents(self) -> bytes:
        return b"".join(self._pieces(BLOCK_BYTES))

    def _pieces(self, size: int) -> Iterator[bytes]:
        import zstandard

        try:
            with open(self.path, "rb") as raw:
                pieces = _unpacked(raw, raw.peek(6), size)
                seen = 0
                for piece in pieces:
                    self._progress(raw.tell() - seen)
                    seen = raw.tell()
                    yield piece
        except (EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, gzip.BadGzipFile) as bad:
            raise InputError(f"{self.path}: the packed file is damaged: {bad}") from None
        except OSError as error:
            raise self.unreadable(error) from None


def _unpacked(raw: io.BufferedReader, first: bytes, size: int) -> Iterator[bytes]:
    if first.startswith(ZSTD):
        return _unpacked_zstd(raw, size)
    stream: BinaryIO = raw
    if first.startswith(GZIP):
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    elif first.startswith(XZ):
        stream = cast(BinaryIO, lzma.LZMAFile(raw))  # noqa: SIM115 -- closed with the file
    elif first.startswith(BZIP2):
        import bz2

        stream = cast(BinaryIO, bz2.BZ2File(raw))
    return iter(lambda: stream.read(size), b"")


def _unpacked_zstd(raw: io.BufferedReader, size: int) -> Iterator[bytes]:
    """Frame by frame (pzstd and appended logs have several): the library's own reader takes a
    frame that is cut off for the end of the file."""
    import zstandard

    frame = None
    buffer = b""
    while chunk := raw.read(1 << 17):
        while chunk:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            buffer += frame.decompress(chunk)
            chunk = b""
            if frame.eof:
                chunk, frame = frame.unused_data, None
        while len(buffer) >= size:
            yield buffer[:size]
            buffer = buffer[size:]
    if buffer:
        yield buffer
    if frame is not None:
        raise EOFError("the last frame is cut off")
