"""A clock for the controller: faster than real time, can be put forward, with shorter pauses."""

import mmap
import struct
import subprocess
import time
from importlib.resources import as_file, files
from pathlib import Path

from zerowait.deploy.cluster.programs import COMPILERS, find_program
from zerowait.model import InputError

FACE = struct.Struct("4d")  # began, speed, offset, pace: as in clock.c


class Clock:
    """The time that the controller sees; `environment` makes it see it."""

    def __init__(self, folder: Path, speed: float = 1.0, pace: float = 1.0) -> None:
        self.library, self.face = folder / "clock.so", folder / "clock"
        _compile(self.library)
        self.began, self.speed, self.offset, self.pace = time.time(), speed, 0.0, pace
        self.face.write_bytes(self._shown())
        with self.face.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), FACE.size)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "ZEROWAIT_CLOCK": str(self.face)}

    def now(self) -> float:
        return self.began + (time.time() - self.began) * self.speed + self.offset

    def put_forward(self, seconds: float) -> None:
        """From now on the controller's time is so much later."""
        self.offset += seconds
        self._map[:] = self._shown()

    def _shown(self) -> bytes:
        return FACE.pack(self.began, self.speed, self.offset, self.pace)

    def close(self) -> None:
        self._map.close()


def _compile(library: Path) -> None:
    compiler = next(filter(None, map(find_program, COMPILERS)), None)
    if compiler is None:
        raise InputError(f"no C compiler ({', '.join(COMPILERS)}): install gcc and libc6-dev")
    with as_file(files("zerowait.deploy.cluster") / "clock.c") as source:
        done = subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200]
        raise InputError(f"{compiler}: cannot compile the controller's clock: {reason}")
