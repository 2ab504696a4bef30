"""Claims: who runs a point, where several sweeps write to one folder.

A claim is a hidden file that only one process can make. It is dead with its process, or, if that
is on another machine, when it has not been touched for a while. At worst two sweeps take over
a dead claim at the same moment, and run a point twice with the same numbers.
"""

import contextlib
import os
import socket
import time
from pathlib import Path

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
