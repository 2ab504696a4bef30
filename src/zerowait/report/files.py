"""Files that commands write: refused before a run, written whole or not at all after it."""

from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.experiment.files.whole_file import new_part, whole_file
from zerowait.model import InputError

if TYPE_CHECKING:
    import polars

TABLES = (".csv", ".parquet")


def check_writable(path: Path, suffixes: tuple[str, ...] = TABLES) -> None:
    """Refuse, before a long run, a file that could not be written after it."""
    if path.suffix not in suffixes:
        kind = "table" if suffixes == TABLES else "file"
        raise InputError(f"{path}: unknown kind of {kind}; name it {' or '.join(suffixes)}")
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; name a file in it")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
        new_part(path).unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def check_folder(path: Path) -> None:
    """Refuse, before a long run, a folder that could not be written to; it need not exist yet."""
    try:
        there = next(one for one in (path, *path.absolute().parents) if one.exists())
        if not there.is_dir():
            raise InputError(f"{path}: {there} is a file, not a folder; choose another")
        new_part(there / path.name).unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be written to: {error.strerror}") from None


def write_table(frame: "polars.DataFrame", path: Path) -> None:
    import polars

    with whole_file(path) as part:
        try:
            if path.suffix == ".csv":
                frame.write_csv(part)
            else:
                frame.write_parquet(part)
        except polars.exceptions.PolarsError as error:  # a full disk, in words of its own
            raise OSError(" ".join(str(error).split())) from None


def write_text(text: str, path: Path) -> None:
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")
