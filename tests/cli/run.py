"""The program as a user starts it."""

import subprocess
import sys
from pathlib import Path


def zerowait(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "zerowait", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    return done


def refused(*arguments: str | Path) -> str:
    """The one line of an error; nothing is printed besides it."""
    done = zerowait(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("zerowait: error: ")
    return done.stderr.removeprefix("zerowait: error: ").strip()
