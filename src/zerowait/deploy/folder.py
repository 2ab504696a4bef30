"""The folder of a deployment: written whole or not at all, and read again for the check."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from zerowait.model import InputError


def check_free(folder: Path) -> None:
    """Refuse a folder that could not be written, before any work is done."""
    parent = folder.absolute().parent
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise InputError(f"{folder}: is there already; choose another --out, or remove it")
    if not parent.is_dir():
        raise InputError(f"{folder}: there is no folder {parent}; make it first")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{folder}: the folder {parent} cannot be written to")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """All files at once: they are written elsewhere, and moved into place together."""
    check_free(folder)
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.absolute().parent))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    try:
        for name, text in files.items():
            target = part / name
            target.write_text(text, encoding="utf-8")
            target.chmod(0o755 if name.endswith(".sh") else 0o644)
        part.chmod(0o755)
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def read_folder(folder: Path) -> dict[str, str]:
    """Name and text of its files."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder that 'zerowait deploy slurm' has written")
    files = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            try:
                files[path.name] = path.read_text(encoding="utf-8")
            except OSError as error:
                raise InputError(f"{path}: cannot be read: {error.strerror}") from None
            except UnicodeDecodeError as error:
                raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None
    return files
