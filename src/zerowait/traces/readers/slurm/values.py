"""How Slurm prints times, durations, counts and trackable resources (TRES)."""

import math
import re
from datetime import tzinfo
from functools import lru_cache

from zerowait.traces.clock import read_moment

MISSING = {"", "unknown", "none", "n/a", "na", "(null)", "invalid", "-"}
# Slurm's NO_VAL, which `sacct --completion` prints as a count and as a duration.
MISSING |= {"4294967294", "49710-06:28:14"}
NO_LIMIT = {"unlimited", "partition_limit", "infinite"}

DURATION = re.compile(
    r"(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})(?:\.(\d{1,9}))?", re.ASCII
)
COUNT = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)([KMGTP]?)", re.ASCII)
UNIX_TIME = re.compile(r"\d{1,12}(\.\d{1,9})?", re.ASCII)
POWERS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}


class NotSlurmError(ValueError):
    """A text that Slurm would not print."""


def is_missing(text: str) -> bool:
    return text.lower() in MISSING


@lru_cache(maxsize=1 << 14)  # most jobs are eligible when they are submitted
def moment(text: str, zone: tzinfo | None = None) -> float:
    """Seconds since 1970 of a time as sacct prints it, or of a Unix time
    (`SLURM_TIME_FORMAT=%s`); NaN where there is none."""
    if is_missing(text):
        return math.nan
    if UNIX_TIME.fullmatch(text):
        return float(text) or math.nan  # Slurm's "never" is 0
    try:
        return read_moment(text, zone).seconds
    except ValueError as error:
        raise NotSlurmError(str(error)) from None


@lru_cache(maxsize=1 << 14)
def duration(text: str) -> float:
    """Seconds of `[days-][hours:]minutes:seconds`, `days-hours` or a plain number of seconds;
    NaN where there is none or no limit."""
    if is_missing(text) or text.lower() in NO_LIMIT:
        return math.nan
    if UNIX_TIME.fullmatch(text):
        return float(text)
    match = DURATION.fullmatch(text)
    if match is None:
        raise NotSlurmError("not a duration such as 1-12:30:00")
    days, hours, minutes, seconds, fraction = (part or "0" for part in match.groups())
    whole = ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
    return whole + (float(f"0.{fraction}") if fraction != "0" else 0.0)


@lru_cache(maxsize=1 << 14)
def count(text: str) -> float:
    """A number, perhaps shortened (`4K` = 4096); NaN where there is none or no limit."""
    if is_missing(text) or text.lower() in NO_LIMIT:
        return math.nan
    match = COUNT.fullmatch(text)
    if match is None:
        raise NotSlurmError("not a number")
    return float(match[1]) * POWERS[match[2]]


@lru_cache(maxsize=1 << 14)  # a cluster has few shapes of jobs
def tres(text: str) -> dict[str, float]:
    """`billing=4,cpu=4,gres/gpu:a100=2,mem=16G,node=1` as a table; what is no count is left out.

    The table is shared between calls; do not change it."""
    counts: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals:
            try:
                counts[name.strip()] = count(value.strip())
            except NotSlurmError:
                continue
    return counts


def gpus_of(counts: dict[str, float]) -> float:
    """All GPUs; Slurm prints the total beside the kinds, but only where it is tracked."""
    if "gres/gpu" in counts:
        return counts["gres/gpu"]
    kinds = [value for name, value in counts.items() if name.startswith("gres/gpu:")]
    return math.fsum(kinds) if kinds else math.nan


def gres_gpus(text: str) -> float:
    """GPUs per node of the old AllocGRES field: `gpu:4`, `gpu:tesla:2`, `gpu:2(S:0-1)`."""
    total, found = 0.0, False
    for part in text.split(","):
        pieces = part.partition("(")[0].split(":")
        if pieces[0].strip() in ("gpu", "gres/gpu"):
            last = pieces[-1].strip() if len(pieces) > 1 else "1"
            total += float(last) if UNIX_TIME.fullmatch(last) else 1.0
            found = True
    return total if found else math.nan
