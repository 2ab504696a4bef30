"""Files written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.model import InputError

if TYPE_CHECKING:
    import polars

TABLES = (".csv", ".parquet")


def check_writable(path: Path, suffixes: tuple[str, ...] = TABLES) -> None:
    """Refuse, before a long run, a file that could not be written after it."""
    if path.suffix not in suffixes:
        kind = "table" if suffixes == TABLES else "file"
        raise InputError(f"{path}: unknown kind of {kind}; name it {' or '.join(suffixes)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: the folder {path.parent} cannot be written to")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file beside the target to write to, moved into place at the end: no reader sees half."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        # mkstemp makes private files; a result has the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_table(frame: "polars.DataFrame", path: Path) -> None:
    check_writable(path)
    with whole_file(path) as part:
        if path.suffix == ".csv":
            frame.write_csv(part)
        else:
            frame.write_parquet(part)


def write_text(text: str, path: Path) -> None:
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")
