"""Tables written to files, whole or not at all."""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.model import InputError

if TYPE_CHECKING:
    import polars

SUFFIXES = (".csv", ".parquet")


def check_writable(path: Path) -> None:
    """Refuse, before a long run, a file that could not be written after it."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: unknown kind of table; name it .csv or .parquet")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: the folder {path.parent} cannot be written to")


def write_table(frame: "polars.DataFrame", path: Path) -> None:
    """Write beside the target and move into place, so that no reader sees half a file."""
    check_writable(path)
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        if path.suffix == ".csv":
            frame.write_csv(part)
        else:
            frame.write_parquet(part)
        # mkstemp makes private files; a result has the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
