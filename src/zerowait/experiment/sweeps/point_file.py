"""A point as the bytes of its file: Parquet that carries a checksum of itself.

Any reader of Parquet can read it. The checksum stands in the footer, in a place that counts as
blank when it is computed; a damaged file must not be given to a reader, which may believe it or
end the process.
"""

from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

MARK = b"zerowait-sha256:"
BLANK = b"0" * sha256().digest_size * 2


def point_bytes(frame: "polars.DataFrame") -> bytes:
    file = BytesIO()
    frame.write_parquet(file, metadata={"checksum": (MARK + BLANK).decode()})
    before, mark, after = file.getvalue().rpartition(MARK)
    return before + mark + _checksum(before, after) + after[len(BLANK) :]


def read_point(path: Path) -> "polars.DataFrame | None":
    """The rows of a point; none, if it is damaged."""
    import polars

    content = _content(path)
    return polars.read_parquet(BytesIO(content)) if _is_whole(content) else None


def is_whole(path: Path) -> bool:
    return _is_whole(_content(path))


def _content(path: Path) -> bytes:
    """What cannot be read is as good as damaged."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _is_whole(content: bytes) -> bool:
    before, mark, after = content.rpartition(MARK)
    return bool(mark) and after[: len(BLANK)] == _checksum(before, after)


def _checksum(before: bytes, after: bytes) -> bytes:
    return sha256(before + MARK + BLANK + after[len(BLANK) :]).hexdigest().encode()
