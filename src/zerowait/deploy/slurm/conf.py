"""Reading slurm.conf as Slurm does: includes, continued lines, comments, keys in any case."""

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
    """One line, continued ones joined; keys are lower case, values as written."""

    path: Path
    number: int  # of its first line
    n_lines: int
    pairs: tuple[tuple[str, str], ...]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}"

    @property
    def table(self) -> str | None:
        """What the line is about, where it is not about the whole cluster."""
        first = self.pairs[0][0]
        return first if first in TABLES else None


@dataclass(frozen=True)
class Setting:
    """The value that holds, and where it stands."""

    key: str
    value: str
    line: ConfLine


@dataclass(frozen=True)
class SlurmConf:
    """A configuration with all it includes, in the order in which Slurm reads it."""

    path: Path
    lines: tuple[ConfLine, ...]
    texts: Mapping[Path, str]  # of every file

    def settings(self, key: str) -> list[Setting]:
        """Every place that sets it; the last holds."""
        wanted = key.lower()
        return [
            Setting(key, value, line)
            for line in self.lines
            if line.table is None
            for name, value in line.pairs
            if name == wanted
        ]

    def setting(self, key: str) -> Setting | None:
        found = self.settings(key)
        return found[-1] if found else None

    def value(self, key: str, default: str = "") -> str:
        found = self.setting(key)
        return default if found is None else found.value

    def tables(self, kind: str) -> Iterator[tuple[str, dict[str, str], ConfLine]]:
        """Name and attributes of each line of a kind, with what DEFAULT lines before it say."""
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


def read_conf(path: str | Path) -> SlurmConf:
    """Read a configuration; one that Slurm could not read is refused with its line."""
    path = Path(path).absolute()
    texts: dict[Path, str] = {}
    lines = tuple(_Reader(path.parent, texts).lines(path, 0))
    return SlurmConf(path, lines, texts)


class _Reader:
    def __init__(self, folder: Path, texts: dict[Path, str]) -> None:
        self.folder, self.texts = folder, texts
        self.cluster = ""

    def lines(self, path: Path, depth: int) -> Iterator[ConfLine]:
        self.texts[path] = _text(path)
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
    """With the line ends that it has: a patch must find them, and Slurm does not mind."""
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise _UnreadableError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"{path}: byte {error.start} is not UTF-8 text") from None


def _joined(text: str) -> Iterator[tuple[int, int, str]]:
    """Number of the first line, how many lines, and the text without comments and escapes."""
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
