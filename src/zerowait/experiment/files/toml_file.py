"""TOML files: read, held against a schema, and refused with the line that is wrong."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.files.toml_places import Place, line_of, value_lines
from zerowait.model import InputError
from zerowait.model.laws import LAWS

if TYPE_CHECKING:
    from pydantic import ValidationError


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
            raise self.refusal(*first_error(error)) from None

    def refusal(self, place: Place, reason: object) -> InputError:
        line = line_of(value_lines(self.text), place)
        return InputError(f"{self.path}:{line}: {reason}" if line else f"{self.path}: {reason}")


def first_error(error: "ValidationError") -> tuple[Place, str]:
    """The first thing that is wrong: its place, and one line."""
    errors = error.errors(include_url=False)
    # A misspelled field is also a missing one: the spelling is what the user wants to hear of.
    details = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    place = tuple(part for part in details["loc"] if not _is_tag(part))
    return place, _worded(spelled(place), details["type"], details["input"], details["msg"])


def spelled(place: Place) -> str:
    """`class[0].need` and the like."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _is_tag(part: str | int) -> bool:
    """Pydantic also names the variant of a table that it has tried."""
    return isinstance(part, str) and (
        part in {"poisson", "renewal", "float", "str"} or part.split(",")[0] in LAWS
    )


def _worded(place: str, kind: str, value: Any, message: str) -> str:
    if kind == "extra_forbidden":
        return f"{place} = {value!r}: there is no such field; remove it or mend its name"
    if kind == "missing":
        return f"{place}: is missing; add it"
    if kind.startswith("union_tag"):
        known = ", ".join(sorted(LAWS))
        given = value.get("law") if isinstance(value, dict) else value
        return f"{place}.law = {given!r}: is not a law that can be given so; known laws: {known}"
    return f"{place} = {value!r}: {message[0].lower()}{message[1:]}"
