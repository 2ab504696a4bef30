"""What the shell offers on the tab key: policies and workloads by name, and files."""

from collections.abc import Iterator
from pathlib import Path


def complete_policy(incomplete: str) -> Iterator[str]:
    """Names, and behind a colon those of auxiliary policies."""
    from zerowait.policies import POLICIES

    before, colon, begun = incomplete.rpartition(":")
    for name in sorted(POLICIES):
        if name.startswith(begun):
            yield f"{before}{colon}{name}"


def complete_workload(incomplete: str) -> Iterator[str]:
    """Published workloads, and files of the folder."""
    from zerowait.model.workloads import WORKLOADS

    yield from (name for name in sorted(WORKLOADS) if name.startswith(incomplete))
    folder, _, begun = incomplete.rpartition("/")
    here = Path(f"{folder}/" if incomplete.startswith("/") or folder else ".")
    if here.is_dir():
        for path in sorted(here.iterdir()):
            if path.name.startswith(begun) and not path.name.startswith("."):
                shown = f"{folder}/{path.name}" if folder else path.name
                yield f"{shown}/" if path.is_dir() else shown
