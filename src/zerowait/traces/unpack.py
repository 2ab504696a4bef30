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
                packed = raw.peek(6)
                stream = _unpacked(raw, packed)
                seen = 0
                while piece := stream.read(size):
                    self._progress(raw.tell() - seen)
                    seen = raw.tell()
                    yield piece
        except (EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, gzip.BadGzipFile) as bad:
            raise InputError(f"{self.path}: the packed file is damaged: {bad}") from None
        except OSError as error:
            raise self.unreadable(error) from None


def _unpacked(raw: io.BufferedReader, first: bytes) -> BinaryIO:
    if first.startswith(GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    if first.startswith(XZ):
        return cast(BinaryIO, lzma.LZMAFile(raw))
    if first.startswith(BZIP2):
        import bz2

        return cast(BinaryIO, bz2.BZ2File(raw))
    if first.startswith(ZSTD):
        import zstandard

        # Several frames one after the other (pzstd, appended logs) are one file.
        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, reader)))
    return raw
