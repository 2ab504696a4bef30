"""Names and values from outside, made safe inside Lua and slurm.conf."""

import math
import re
import string

from zerowait.model import InputError

PLAIN = string.ascii_letters + string.digits + " _-.:=/,+"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


def lua_string(text: str) -> str:
    """A Lua string: whatever is not a plain letter, digit or harmless sign becomes its bytes."""
    quoted = [chr(byte) if chr(byte) in PLAIN else f"\\{byte:03d}" for byte in text.encode()]
    return '"' + "".join(quoted) + '"'


def lua_number(value: float) -> str:
    if value == math.inf:
        return "math.huge"
    return repr(int(value)) if value == int(value) else repr(float(value))


def comment(text: str) -> str:
    """Text for a comment: on one line, and without what a reader could take for code."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def conf_value(value: str) -> str:
    """A value for slurm.conf, in quotes where it needs them."""
    if not value.isprintable() or '"' in value:
        raise InputError(f"{value!r}: cannot be written to slurm.conf")
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'"{escaped}"' if " " in value or not value else escaped


def partition_name(prefix: str, text: str) -> str:
    """A name for a partition that Slurm and shells take as it is; odd signs become lines."""
    name = prefix + re.sub(r"[^A-Za-z0-9-]+", "_", text).strip("_")
    if name == prefix or not NAME.fullmatch(name):
        raise InputError(f"class {text!r}: makes no name of a partition; rename it")
    return name
