"""Files written whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zerowait.model.errors import WriteError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a file to write to, and move it to the target at the end: no reader sees half."""
    try:
        part = new_part(path)
        try:
            yield part
            # mkstemp makes private files; a result has the permissions of any new file.
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None


def new_part(path: Path) -> Path:
    """Make an empty file beside the target, of a name that nobody has."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    return Path(name)
