"""Promises of a deployment as they were kept or broken."""

from collections.abc import Iterable


def show_promises(rows: Iterable[tuple[str, bool, str, str, str]]) -> None:
    """Promise, whether it holds, why it was not tried, and what was expected and seen."""
    for promise, holds, skipped, expected, seen in rows:
        word = "not tried" if skipped else "kept" if holds else "BROKEN"
        print(f"{word:9}  {promise}")
        if skipped:
            print(f"{'':11}{skipped}")
        else:
            print(f"{'':11}expected: {expected}\n{'':11}seen:     {seen}")
