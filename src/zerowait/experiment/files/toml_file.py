"""TOML files: read, held against a schema, and refused with the line that is wrong."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.model import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError

Place = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]*")


def value_lines(text: str) -> dict[Place, int]:
    """Map every table, key and member of an array to its line; `text` must be correct TOML."""
    return _Scanner(text).lines()


def line_of(lines: dict[Place, int], place: Place) -> int | None:
    """Return the line of a place, or of the nearest thing around it that the file has."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: dict[Place, int] = {}
        self.n_tables: dict[Place, int] = {}  # of each array of tables

    def lines(self) -> dict[Place, int]:
        table: Place = ()
        while self._skip_space() < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
        return self.found

    def _skip_space(self) -> int:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.at

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return match.group()

    def _note(self, place: Place) -> None:
        self.found.setdefault(place, self.text.count("\n", 0, self.at) + 1)

    def _keys(self) -> Iterator[str]:
        """Yield the parts of a dotted key."""
        while True:
            self._skip_space()
            quoted = self.text[self.at] in "\"'"
            part = self._take(_STRING if quoted else _BARE_KEY)
            yield part[1:-1] if quoted else part
            self._skip_space()
            if self.text[self.at] != ".":
                return
            self.at += 1

    def _header(self) -> Place:
        is_array = self.text.startswith("[[", self.at)
        line_start = self.at
        self.at += 2 if is_array else 1
        table: Place = ()
        keys = list(self._keys())
        for number, key in enumerate(keys):
            table = (*table, key)
            if is_array and number == len(keys) - 1:
                self.n_tables[table] = self.n_tables.get(table, 0) + 1
            # A table inside an array of tables belongs to the array's latest member.
            if table in self.n_tables:
                table = (*table, self.n_tables[table] - 1)
        end, self.at = self.at, line_start
        self._note(table)
        self.at = end + (2 if is_array else 1)
        return table

    def _pair(self, table: Place) -> None:
        start = self.at
        place = (*table, *self._keys())
        end, self.at = self.at, start
        self._note(place)
        self.at = end + 1
        self._value(place)

    def _value(self, place: Place) -> None:
        self._skip_space()
        first = self.text[self.at]
        if first == "[":
            self._members(place, "]")
        elif first == "{":
            self._members(place, "}")
        elif first in "\"'":
            self._take(_STRING)
        else:
            self._take(_BARE_VALUE)

    def _members(self, place: Place, end: str) -> None:
        """Read the members of an array or of an inline table."""
        self.at += 1
        number = 0
        self._skip_space()
        while self.text[self.at] != end:
            if end == "]":
                self._note((*place, number))
                self._value((*place, number))
            else:
                self._pair(place)
            number += 1
            self._skip_space()
            if self.text[self.at] == ",":
                self.at += 1
                self._skip_space()
        self.at += 1


def toml_pairs(table: Mapping[str, Any], width: int | None = None) -> Iterator[str]:
    """Yield the lines of a table; arrays beyond a width are broken into lines of their own."""
    for key, value in table.items():
        yield f"{_key(key)} = {toml_value(value, width)}"


def toml_value(value: Any, width: int | None = None) -> str:
    """Spell a value; TOML's strings escape as JSON's do, and its floats know inf and nan."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(toml_pairs(value, width)) + " }"
    return _array([toml_value(one, width) for one in value], width)


def _array(items: list[str], width: int | None) -> str:
    """Spell an array on one line if it fits, else on many, as inline tables may hold it."""
    text = "[" + ", ".join(items) + "]"
    if width is None or len(text) <= width:
        return text
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > width and line.strip():
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "[\n" + "\n".join([*lines, line]) + "\n]"


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else json.dumps(key, ensure_ascii=False)


UNKNOWN = "unknown_"  # begins the type of an error of a union that tells its tables apart by itself


class PlaceError(InputError):
    """Bad input at a place of a file, such as ("policies", 2)."""

    def __init__(self, place: Place, message: object) -> None:
        super().__init__(str(message))
        self.place = place


def place_of(error: InputError) -> Place:
    """Return the place of an error; empty where it is not known."""
    return error.place if isinstance(error, PlaceError) else ()


@dataclass(frozen=True)
class TomlFile:
    """A TOML file: its data, and the text they stand in."""

    path: Path
    text: str
    data: dict[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> "TomlFile":
        try:
            text = Path(path).read_text(encoding="utf-8")
            return cls(Path(path), text, tomllib.loads(text))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            reason, _, place = str(error).partition(" (at line ")
            line = place.partition(",")[0]
            at = f"{path}:{line}" if line.isdigit() else path
            raise InputError(f"{at}: not TOML: {reason}") from None

    def check(self, table: Any) -> None:
        """Hold it against a pydantic model."""
        from pydantic import ValidationError

        try:
            table.model_validate(self.data)
        except ValidationError as error:
            raise self.refusal(*self._first(error)) from None

    def refusal(self, place: Place, reason: object) -> InputError:
        line = line_of(value_lines(self.text), place)
        return InputError(f"{self.path}:{line}: {reason}" if line else f"{self.path}: {reason}")

    def _first(self, error: "ValidationError") -> tuple[Place, str]:
        """Return the place of the first thing that is wrong, and one line about it."""
        errors = error.errors(include_url=False)
        # A misspelled field is also a missing one: the spelling is what the user wants to hear of.
        details = min(errors, key=lambda one: one["type"] != "extra_forbidden")
        place = self._place(details)
        return place, _worded(spelled(place), details)

    def _place(self, details: Mapping[str, Any]) -> Place:
        """Find the place of an error; what the file does not have is none, unless it is missing:
        pydantic also names the variant of a table that it tried."""
        place: Place = ()
        value: Any = self.data
        for part in details["loc"]:
            is_key = isinstance(value, dict) and part in value
            if is_key or (isinstance(value, list) and isinstance(part, int)):
                place, value = (*place, part), value[part]
        if details["type"] == "missing":
            return (*place, details["loc"][-1])
        is_table = _is_of_variants(details) and isinstance(value, dict)
        return (*place, _variants(details)[0]) if is_table else place


def spelled(place: Place) -> str:
    """Spell a place, as in `class[0].need`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _worded(place: str, details: Mapping[str, Any]) -> str:
    kind, value, message = details["type"], details["input"], details["msg"]
    if kind == "extra_forbidden":
        return f"{place} = {value!r}: there is no such field; remove it or mend its name"
    if kind == "missing":
        return f"{place}: is missing; add it"
    if _is_of_variants(details):
        key, known = _variants(details)
        if isinstance(value, dict) and key not in value:
            return f"{place}: is missing; add it"
        given = value[key] if isinstance(value, dict) else value
        return f"{place} = {given!r}: is no {key} that can be given so; known: {known}"
    return f"{place} = {value!r}: {message[0].lower()}{message[1:]}"


def _is_of_variants(details: Mapping[str, Any]) -> bool:
    return str(details["type"]).startswith((UNKNOWN, "union_tag"))


def _variants(details: Mapping[str, Any]) -> tuple[str, str]:
    """Return the key that tells the tables of a union apart, and its possible values."""
    if details["type"].startswith(UNKNOWN):
        return details["type"].removeprefix(UNKNOWN), details["msg"]
    told = details["ctx"]
    return told["discriminator"].strip("'"), told.get("expected_tags", "").replace("'", "")
