"""Values as TOML spells them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def toml_pairs(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield f"{_key(key)} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """TOML's basic strings escape as JSON's do; its floats know inf and nan."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(toml_pairs(value)) + " }"
    return "[" + ", ".join(map(toml_value, value)) + "]"


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else json.dumps(key, ensure_ascii=False)
