"""Names of many nodes in brackets: n[1-3,7] is n1, n2, n3, n7."""

import itertools
import re
from collections.abc import Iterator

from zerowait.model import InputError

MOST_NODES = 100_000
RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def expand(text: str) -> list[str]:
    """Every name of a list; digits keep their leading zeros."""
    names: list[str] = []
    for part in _split(text):
        names += _expand_one(part, text)
        if len(names) > MOST_NODES:
            raise InputError(f"{text[:60]!r}: names more than {MOST_NODES} nodes")
    return names


def _split(text: str) -> Iterator[str]:
    """At the commas outside brackets."""
    depth, begun = 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth == 0:
            yield text[begun:at]
            begun = at + 1
    if depth != 0:
        raise InputError(f"{text[:60]!r}: brackets of a list of nodes do not match")
    yield text[begun:]


def _expand_one(part: str, whole: str) -> Iterator[str]:
    pieces = re.split(r"\[([^\[\]]*)\]", part)  # fixed, inside brackets, fixed, ...
    choices: list[list[str]] = [
        list(_numbers(piece, whole)) if i % 2 else [piece] for i, piece in enumerate(pieces)
    ]
    for combination in itertools.product(*choices):
        name = "".join(combination)
        if not name or "[" in name or "]" in name:
            raise InputError(f"{whole[:60]!r}: is no list of nodes")
        yield name


def _numbers(piece: str, whole: str) -> Iterator[str]:
    for item in piece.split(","):
        match = RANGE.fullmatch(item.strip())
        if match is None:
            raise InputError(f"{whole[:60]!r}: {item!r} is no range of nodes")
        low, high = match[1], match[2] or match[1]
        if not int(low) <= int(high) <= int(low) + MOST_NODES:
            raise InputError(f"{whole[:60]!r}: {item!r} is no range of nodes")
        for number in range(int(low), int(high) + 1):
            yield str(number).zfill(len(low))


def compress(names: list[str]) -> str:
    """The names in brackets again, in their order, as few pieces as it takes."""
    pieces: list[str] = []
    for (prefix, width), group in itertools.groupby(names, key=_stem):
        members = [name[len(prefix) :] for name in group]
        if width == 0 or len(members) == 1:
            pieces += [prefix + member for member in members]
        else:
            pieces.append(f"{prefix}[{','.join(_runs(members))}]")
    return ",".join(pieces)


def _stem(name: str) -> tuple[str, int]:
    """What stands before the last digits, and their number where it is fixed by zeros."""
    digits = len(name) - len(name.rstrip("0123456789"))
    if digits == 0:
        return name, 0
    number = name[-digits:]
    return name[:-digits], digits if number.startswith("0") else -1


def _runs(members: list[str]) -> Iterator[str]:
    numbered = enumerate(members)
    for _, run in itertools.groupby(numbered, key=lambda pair: int(pair[1]) - pair[0]):
        found = [member for _, member in run]
        yield found[0] if len(found) == 1 else f"{found[0]}-{found[-1]}"
