"""TOML files: read, held against a schema, and refused with the line that is wrong."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.files.toml_places import Place, line_of, value_lines
from zerowait.model import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError


UNKNOWN = "unknown_"  # begins the type of an error of a union that tells its tables apart by itself


class PlaceError(InputError):
    """Bad input at a place of a file, such as ("policies", 2)."""

    def __init__(self, place: Place, message: object) -> None:
        super().__init__(str(message))
        self.place = place


def place_of(error: InputError) -> Place:
    """Where it is, if that is known."""
    return error.place if isinstance(error, PlaceError) else ()


@dataclass(frozen=True)
class TomlFile:
    """What a file says, and where."""

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
        """The first thing that is wrong: its place, and one line."""
        errors = error.errors(include_url=False)
        # A misspelled field is also a missing one: the spelling is what the user wants to hear of.
        details = min(errors, key=lambda one: one["type"] != "extra_forbidden")
        place = self._place(details)
        return place, _worded(spelled(place), details)

    def _place(self, details: Mapping[str, Any]) -> Place:
        """Pydantic also names the variant of a table that it has tried: what the file does not have
        is no place, unless it is missing."""
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
    """`class[0].need` and the like."""
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
    """The key that tells the tables of a union apart, and what it may say."""
    if details["type"].startswith(UNKNOWN):
        return details["type"].removeprefix(UNKNOWN), details["msg"]
    told = details["ctx"]
    return told["discriminator"].strip("'"), told.get("expected_tags", "").replace("'", "")
