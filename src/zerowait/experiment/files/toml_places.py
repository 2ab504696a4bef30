"""Where the values of a TOML file stand, which Python's reader does not tell."""

import re
from collections.abc import Iterator

Place = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]*")


def value_lines(text: str) -> dict[Place, int]:
    """The line of every table, key and member of an array; `text` must be correct TOML."""
    return _Scanner(text).lines()


def line_of(lines: dict[Place, int], place: Place) -> int | None:
    """The line of a place, or of the nearest thing around it that the file has."""
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
        """The parts of a dotted key."""
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
        """Of an array or of an inline table."""
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
