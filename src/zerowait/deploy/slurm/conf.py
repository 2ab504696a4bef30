"""slurm.conf as Slurm reads it: includes, continued lines, comments, lists of nodes."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from zerowait.model import InputError

PAIR = re.compile(r'\s*([A-Za-z0-9_.]+)\s*([-*+/]?)=\s*(?:"([^"]*)"|(\S+))(?:\s|$)')
INCLUDE = re.compile(r"\s*include\s+(\S.*)", re.IGNORECASE)
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)#.*")
ESCAPE = re.compile(r"\\(.?)")
DEEPEST = 20  # includes inside includes
# Keys that begin a line about one thing, of which there may be many.
TABLES = ("nodename", "partitionname", "nodeset", "downnodes", "frontendname")
DEFAULT = "DEFAULT"


@dataclass(frozen=True)
class ConfLine:
    """A line with those that continue it; keys are lower case, values as written."""

    path: Path
    number: int  # of its first line
    n_lines: int
    pairs: tuple[tuple[str, str], ...]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}"

    @property
    def table(self) -> str | None:
        """Return what kind of thing the line is about; None: the whole cluster."""
        first = self.pairs[0][0]
        return first if first in TABLES else None


@dataclass(frozen=True)
class SlurmSetting:
    """The value of a setting, and the line that it stands in."""

    key: str
    value: str
    line: ConfLine


@dataclass(frozen=True)
class SlurmConf:
    """A configuration with all it includes, in the order in which Slurm reads it."""

    path: Path
    lines: tuple[ConfLine, ...]
    texts: Mapping[Path, str]  # of every file

    def settings(self, key: str) -> list[SlurmSetting]:
        """Return every place that sets a key; the last holds."""
        wanted = key.lower()
        return [
            SlurmSetting(key, value, line)
            for line in self.lines
            if line.table is None
            for name, value in line.pairs
            if name == wanted
        ]

    def setting(self, key: str) -> SlurmSetting | None:
        found = self.settings(key)
        return found[-1] if found else None

    def value(self, key: str, default: str = "") -> str:
        found = self.setting(key)
        return default if found is None else found.value

    def tables(self, kind: str) -> Iterator[tuple[str, dict[str, str], ConfLine]]:
        """Yield name and attributes of each line of a kind, with what DEFAULT lines say."""
        defaults: dict[str, str] = {}
        for line in self.lines:
            if line.table != kind.lower():
                continue
            attributes = dict(line.pairs)
            name = attributes.pop(kind.lower())
            if name.upper() == DEFAULT:
                defaults |= attributes
            else:
                yield name, defaults | attributes, line


def read_slurm_conf(path: str | Path, instead: Mapping[Path, str] | None = None) -> SlurmConf:
    """Read a configuration; one that Slurm could not read is refused with its line.

    Texts in `instead` stand for the files of these paths.
    """
    path = Path(path).absolute()
    reader = _Reader(path.parent, instead or {})
    lines = tuple(reader.lines(path, 0))
    return SlurmConf(path, lines, reader.texts)


class _Reader:
    def __init__(self, folder: Path, instead: Mapping[Path, str]) -> None:
        self.folder, self.instead = folder, instead
        self.texts: dict[Path, str] = {}
        self.cluster = ""

    def lines(self, path: Path, depth: int) -> Iterator[ConfLine]:
        self.texts[path] = self.instead[path] if path in self.instead else _text(path)
        for number, n_lines, text in _joined(self.texts[path]):
            place = f"{path}:{number}"
            include = INCLUDE.fullmatch(text)
            if include is not None:
                if depth == DEEPEST:
                    raise InputError(f"{place}: includes are nested more than {DEEPEST} deep")
                yield from self._included(include[1].strip(), place, depth)
            elif text.strip():
                line = ConfLine(path, number, n_lines, tuple(_pairs(text, place)))
                self.cluster = dict(line.pairs).get("clustername", self.cluster)
                yield line

    def _included(self, name: str, place: str, depth: int) -> Iterator[ConfLine]:
        target = self.folder / name.replace("%c", self.cluster)
        try:
            yield from self.lines(target, depth + 1)
        except _UnreadableError as error:
            raise InputError(f"{place}: include {name}: {error}") from None


class _UnreadableError(InputError):
    """A file that cannot be read, whoever asked for it."""


def _text(path: Path) -> str:
    """Read a file with the line ends it has: a patch must find them; Slurm does not mind."""
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise _UnreadableError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"{path}: byte {error.start} is not UTF-8 text") from None


def _joined(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield joined lines: number of the first, how many, text without comments and escapes."""
    begun, held = 0, ""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        begun = begun or number
        held += COMMENT.sub(r"\1", line)
        stripped = held.rstrip()
        backslashes = len(stripped) - len(stripped.rstrip("\\"))
        if backslashes % 2 == 1 and number < len(lines):
            held = stripped[:-1]
            continue
        yield begun, number - begun + 1, ESCAPE.sub(r"\1", held)
        begun, held = 0, ""


def _pairs(text: str, place: str) -> Iterator[tuple[str, str]]:
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = PAIR.match(text, at)
        if match is None:
            rest = text[at:].strip()
            raise InputError(f"{place}: {rest[:60]!r} is not of the form Key=Value")
        quoted = match[3]
        yield match[1].lower(), match[4] if quoted is None else quoted
        at = match.end()


def comment_text(text: str) -> str:
    """Make a text fit for a comment: on one line, and without what a reader could take for code."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def conf_value(value: str) -> str:
    """Write a value as slurm.conf wants it, in quotes where it needs them."""
    if not value.isprintable() or '"' in value:
        raise InputError(f"{value!r}: cannot be written to slurm.conf")
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'"{escaped}"' if " " in value or not value else escaped


LONGEST_HOSTLIST = 100_000
RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def expand_hostlist(text: str) -> list[str]:
    """List every name of a host list such as n[1-3,7]; digits keep their leading zeros."""
    names: list[str] = []
    for part in _split_hostlist(text):
        names += _expand_one(part, text)
        if len(names) > LONGEST_HOSTLIST:
            raise InputError(f"{text[:60]!r}: names more than {LONGEST_HOSTLIST} nodes")
    return names


def _split_hostlist(text: str) -> Iterator[str]:
    """Split at the commas outside brackets."""
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
        if not int(low) <= int(high) <= int(low) + LONGEST_HOSTLIST:
            raise InputError(f"{whole[:60]!r}: {item!r} is no range of nodes")
        for number in range(int(low), int(high) + 1):
            yield str(number).zfill(len(low))


def compress_hostlist(names: list[str]) -> str:
    """Write names as a host list, in their order, in as few pieces as it takes."""
    pieces: list[str] = []
    for (prefix, width), group in itertools.groupby(names, key=_stem):
        members = [name[len(prefix) :] for name in group]
        if width == 0 or len(members) == 1:
            pieces += [prefix + member for member in members]
        else:
            pieces.append(f"{prefix}[{','.join(_runs(members))}]")
    return ",".join(pieces)


def _stem(name: str) -> tuple[str, int]:
    """Return what stands before the last digits, and how many these are if zeros fix that."""
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
