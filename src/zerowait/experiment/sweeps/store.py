"""A folder of results, one Parquet file per point of a sweep.

Any reader of Parquet can read it. The checksum stands in the footer, in a place that counts as
blank when it is computed; a damaged file must not be given to a reader, which may believe it or
end the process.

A file appears whole or not at all, so that nothing is lost but the points in flight when a sweep
is killed. Its name tells what is in it: `<point>-<results version>[-failed].parquet`. One that a
disk has damaged since is told by its checksum, and set aside.

Several sweeps may write to one folder. A claim, of who runs a point, is a hidden file that only one
process can make. It is dead with its process, or, if that is on another machine, when it has not
been touched for a while. At worst two sweeps take over a dead claim at the same moment, and run
a point twice with the same numbers.
"""

import contextlib
import errno
import os
import re
import secrets
import socket
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.model import InputError
from zerowait.model.errors import WriteError
from zerowait.policies import parse_policy

if TYPE_CHECKING:
    import polars

CLAIM = ".claim"
BEAT_S = 10.0  # between two touches of a claim that is alive
DEAD_S = 60.0  # untouched for so long, it is dead
EMPTY_S = 2.0  # without a name for so long, its process ended while it made it


class Claims:
    """The claims of one sweep, and what it has seen of others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._own: set[Path] = set()
        self._seen: dict[Path, tuple[int, float]] = {}  # when touched, and since when we know it
        self._beaten = time.monotonic()

    def take(self, name: str) -> bool:
        """Claim a point, and tell whether it is ours now."""
        path = self._path(name)
        if self._is_dead(path):
            path.unlink(missing_ok=True)
        try:
            with path.open("x") as file:
                self._own.add(path)
                file.write(owner())
        except FileExistsError:
            return False
        return True

    def give_back(self, name: str) -> None:
        path = self._path(name)
        self._own.discard(path)
        path.unlink(missing_ok=True)

    def give_all_back(self) -> None:
        for path in self._own:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        self._own.clear()

    def beat(self) -> None:
        """Touch all claims now and then, to show that they are alive."""
        now = time.monotonic()
        if now - self._beaten >= BEAT_S:
            self._beaten = now
            for path in self._own:
                with contextlib.suppress(OSError):
                    os.utime(path)

    def _path(self, name: str) -> Path:
        return self.folder / f".{name}{CLAIM}"

    def _is_dead(self, path: Path) -> bool:
        """Ask its process, or whether it stays untouched by our own clock: those of machines
        differ."""
        try:
            text, touched = path.read_text(), path.stat().st_mtime_ns
        except OSError:  # just given back, or never made
            return False
        now = time.monotonic()
        before, since = self._seen.get(path, (touched, now))
        self._seen[path] = (touched, since if before == touched else now)
        return is_gone(text) or now - self._seen[path][1] >= (DEAD_S if text else EMPTY_S)


def owner() -> str:
    """Name this process among all that may write to a folder."""
    return f"{os.getpid()}.{socket.gethostname()}"


def is_gone(text: str) -> bool:
    """Tell whether the process of this name has ended; one on another machine may not have."""
    pid, _, host = text.partition(".")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except PermissionError:  # of another user, and alive
        return False
    except (ProcessLookupError, OverflowError):
        return True
    return False


MARK = b"zerowait-sha256:"
BLANK = b"0" * sha256().digest_size * 2


def point_bytes(frame: "polars.DataFrame") -> bytes:
    file = BytesIO()
    frame.write_parquet(file, metadata={"checksum": (MARK + BLANK).decode()})
    before, mark, after = file.getvalue().rpartition(MARK)
    return before + mark + _checksum(before, after) + after[len(BLANK) :]


def read_point(path: Path) -> "polars.DataFrame | None":
    """Read the rows of a point; None if its file is damaged."""
    import polars

    content = _content(path)
    return polars.read_parquet(BytesIO(content)) if _is_whole(content) else None


def is_whole(path: Path) -> bool:
    return _is_whole(_content(path))


def _content(path: Path) -> bytes:
    """Read a file; one that cannot be read is as good as empty."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _is_whole(content: bytes) -> bool:
    before, mark, after = content.rpartition(MARK)
    return bool(mark) and after[: len(BLANK)] == _checksum(before, after)


def _checksum(before: bytes, after: bytes) -> bytes:
    return sha256(before + MARK + BLANK + after[len(BLANK) :]).hexdigest().encode()


_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*")
CLOSE = 1e-9  # relative: a load that was worked out from a rate is off by rounding


def chosen_rows(frame: "polars.DataFrame", conditions: Sequence[str]) -> "polars.DataFrame":
    """Return the rows for which every condition holds."""
    for condition in conditions:
        frame = frame.filter(_expression(frame, condition))
    return frame


def check_columns(frame: "polars.DataFrame", names: Sequence[str]) -> None:
    for name in names:
        if name not in frame.columns:
            raise InputError(f"column {name!r}: is not in these results; {_known(frame)}")


def _expression(frame: "polars.DataFrame", condition: str) -> "polars.Expr":
    import polars

    match = _CONDITION.fullmatch(condition)
    if match is None:
        raise InputError(f"condition {condition!r}: must be COLUMN=VALUE (or <, <=, >, >=, !=)")
    name, sign, text = match.groups()
    check_columns(frame, [name])
    column, kind = polars.col(name), frame.schema[name]
    if kind == polars.Boolean:
        value: Any = {"true": True, "false": False}.get(text.lower())
    elif kind.is_numeric():
        value = _number(text)
    else:
        value = _policy(text) if name == "policy" else text
    if value is None:
        raise InputError(f"condition {condition!r}: {text!r} cannot be a value of {name}")
    if isinstance(value, float):
        near = (column - value).abs() <= CLOSE * max(1.0, abs(value))
        signs = {"=": near, "!=": ~near, "<=": (column < value) | near}
        signs |= {">=": (column > value) | near, "<": (column < value) & ~near}
        return (signs | {">": (column > value) & ~near})[sign]
    plain_signs: dict[str, polars.Expr] = {
        "=": column == value, "!=": column != value, "<": column < value,
        "<=": column <= value, ">": column > value, ">=": column >= value,
    }  # fmt: skip
    return plain_signs[sign]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _policy(text: str) -> str:
    """Spell a policy as results do; a user's own policy stays as it is."""
    try:
        return parse_policy(text).spec
    except InputError:
        return text


def _known(frame: "polars.DataFrame") -> str:
    return f"it has {', '.join(frame.columns)}"


SUFFIX = ".parquet"
FAILED = "failed"
DONE = "done"
PART = ".part"
DAMAGED = ".damaged"
NAMED = 5  # damaged files in a message
# What network disks say of a folder that cannot be synced by itself; a rename is safe there or not.
NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
_PART = re.compile(r"\.[0-9a-f]{8}\.(\d+\..+)\.part")  # ours, with its owner
Replaced = dict[str, list[Path]]  # files of a point that its new one takes the place of
ORDER = ("workload", "servers", "load", "policy", "seed", "point")


@dataclass(frozen=True)
class StoredPoint:
    """One file of the store: what its name tells."""

    path: Path
    point: str
    results_version: str
    failed: bool

    @property
    def is_whole(self) -> bool:
        return is_whole(self.path)


class Store:
    """The points in a folder. Several sweeps may write to it at once."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def open(self) -> None:
        """Make the folder, and clear away what killed sweeps left half-written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.folder}: cannot be made: {error.strerror}") from None
        if not os.access(self.folder, os.W_OK):
            raise InputError(f"{self.folder}: cannot be written to; choose another folder")
        for entry in self.folder.iterdir():
            if _is_abandoned(entry):
                entry.unlink(missing_ok=True)

    def points(self) -> list[StoredPoint]:
        """List the files of points by their names alone."""
        if not self.folder.is_dir():
            return []
        names = sorted(entry.name for entry in os.scandir(self.folder))
        return [found for found in map(self._stored, names) if found is not None]

    def _stored(self, name: str) -> StoredPoint | None:
        point, dash, rest = name.removesuffix(SUFFIX).partition("-")
        if name.startswith(".") or not name.endswith(SUFFIX) or not dash:
            return None
        version, _, failed = rest.partition("-")
        return StoredPoint(self.folder / name, point, version, failed == FAILED)

    def path(self, point: str, results_version: str, failed: bool = False) -> Path:
        end = f"-{FAILED}" if failed else ""
        return self.folder / f"{point}-{results_version}{end}{SUFFIX}"

    def write(self, frame: "polars.DataFrame", target: Path, replaced: Iterable[Path] = ()) -> None:
        """Store a finished point in place of what was stored of it before."""
        part = target.with_name(f".{secrets.token_hex(4)}.{owner()}{PART}")
        try:
            try:
                part.write_bytes(point_bytes(frame))
                _sync(part)
                part.replace(target)
            except BaseException:
                with contextlib.suppress(OSError):
                    part.unlink(missing_ok=True)
                raise
            self._sync_folder()
            for old in replaced:
                if old != target:
                    old.unlink(missing_ok=True)
        except OSError as error:
            raise self._failure(error) from None

    def claim(self, claims: Claims, point: str) -> bool:
        """Claim a point; tell whether it is ours to run."""
        try:
            return claims.take(point)
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> WriteError:
        return WriteError(
            f"{self.folder}: cannot be written: {error.strerror}; finished points are kept, the "
            "same sweep goes on from there"
        )

    def _sync_folder(self) -> None:
        try:
            _sync(self.folder)
        except OSError as error:
            if error.errno not in NO_SYNC:
                raise

    def set_aside(self, damaged: Sequence[Path]) -> None:
        """Rename damaged files, so that their points are run again; nothing is deleted."""
        for path in damaged:
            with contextlib.suppress(FileNotFoundError):  # another sweep has been faster
                path.replace(path.with_name(path.name + DAMAGED))
        if damaged:
            warnings.warn(
                f"{_listed(damaged)}: damaged; set aside as *{DAMAGED} and run again", stacklevel=3
            )

    def read(self, points: Iterable[str] | None = None) -> "polars.DataFrame":
        """Read all rows, or those of some points, sorted by what was simulated."""
        import polars

        wanted = None if points is None else set(points)
        files = [one.path for one in self.points() if wanted is None or one.point in wanted]
        found = {path: read_point(path) for path in files}
        damaged = [path for path, frame in found.items() if frame is None]
        if damaged:
            warnings.warn(f"{_listed(damaged)}: damaged and left out; run its sweep again",
                          stacklevel=3)  # fmt: skip
        whole = [frame for frame in found.values() if frame is not None]
        if not whole:
            return polars.DataFrame()
        frame = polars.concat(whole, how="diagonal_relaxed")
        # A sweep killed between adding a file and removing the one before leaves both.
        latest = polars.col("finished_at") == polars.col("finished_at").max().over("point")
        return frame.filter(latest).sort(ORDER, maintain_order=True)


def load(folder: str | Path) -> "polars.DataFrame":
    """Read the results of sweeps: one row per point and class, and one for all classes."""
    frame = Store(folder).read()
    if not len(frame):
        raise InputError(f"{folder}: holds no results; 'zerowait sweep FILE --out {folder}' does")
    return frame


def _listed(paths: Sequence[Path]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(map(str, paths[:NAMED])) + more


def _sync(path: Path) -> None:
    """Force a file onto the disk; else a rename may reach it before the content does."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_abandoned(path: Path) -> bool:
    """Tell whether a file is one of ours whose process is gone."""
    part = _PART.fullmatch(path.name)
    if part is not None:
        return is_gone(part[1])
    try:
        return path.name.startswith(".") and path.suffix == CLAIM and is_gone(path.read_text())
    except (OSError, UnicodeDecodeError):
        return False
