"""The header of an SWF log: fields in comments."""

import re
from collections.abc import Sequence

from zerowait.traces.clock import FIRST_UNIX_TIME, Clock

# The fields that the standard defines, and those that the archive's logs use as well.
KNOWN = (
    "Version", "Computer", "Installation", "Acknowledge", "Information", "Conversion", "MaxJobs",
    "MaxRecords", "Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime",
    "EndTime", "MaxNodes", "MaxProcs", "MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues",
    "Queues", "Queue", "MaxPartitions", "Partitions", "Partition", "Note", "Copyright",
)  # fmt: skip
SPELLING = {name.lower(): name for name in KNOWN}
# Not `http://...`, and not a sentence with a colon in it.
FIELD = re.compile(r"([A-Za-z]\w{0,30})\s*:(?!//)\s*(.*)")
# A line that is set far in goes on with the field above.
SET_IN = re.compile(r";\s{8,}\S")


def header_fields(comments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Field: its lines. A repeated field (`Queue`, `Note`) keeps all of them in order."""
    fields: dict[str, list[str]] = {}
    current = ""
    for comment in comments:
        text = comment.lstrip(";").strip()
        match = FIELD.fullmatch(text)
        name = match[1] if match else ""
        if match and (name.lower() in SPELLING or not SET_IN.match(comment)):
            current = SPELLING.get(name.lower(), name)
            fields.setdefault(current, []).append(match[2])
        elif text and current:
            fields[current].append(text)
        elif not text:
            current = ""
    return {name: tuple(lines) for name, lines in fields.items()}


def servers_of(header: dict[str, tuple[str, ...]]) -> int | None:
    """The processors of the machine, else its nodes."""
    for name in ("MaxProcs", "MaxNodes"):
        number = _number(header, name)
        if number is not None and 1 <= number < 2**53:
            return int(number)
    return None


def clock_of(header: dict[str, tuple[str, ...]]) -> Clock:
    zone = header.get("TimeZoneString", ("",))[0].split()
    origin = _number(header, "UnixStartTime")
    return Clock(
        origin=origin if origin is not None and origin >= FIRST_UNIX_TIME else None,
        zone=zone[0] if zone else None,
        offset=_number(header, "TimeZone"),
    )


def _number(header: dict[str, tuple[str, ...]], name: str) -> float | None:
    """The number a field begins with: `338 (batch partition; 512 total)`."""
    match = re.match(r"[+-]?\d{1,18}(?!\d)", header.get(name, ("",))[0].replace(",", ""))
    return float(match[0]) if match else None
