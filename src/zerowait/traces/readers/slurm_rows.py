"""What a row of Slurm's accounting says of a job, and how Slurm prints its values.

A row is a table of texts under sacct's names in lower case (`jobid`, `submit`, `alloccpus`, ...).
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from functools import lru_cache, partial
from typing import NamedTuple

from zerowait.traces.clock import find_zone, read_moment
from zerowait.traces.log import CleaningBook
from zerowait.traces.reading import Reading

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
    """Tell whether Slurm prints this where it knows nothing."""
    return text.lower() in MISSING


@lru_cache(maxsize=1 << 14)  # most jobs are eligible when they are submitted
def parse_row_time(text: str, zone: tzinfo | None = None) -> float:
    """Return a time as sacct prints it, or a Unix time, in seconds since 1970; NaN for none.

    Unix times are printed with `SLURM_TIME_FORMAT=%s`.
    """
    if is_missing(text):
        return math.nan
    if UNIX_TIME.fullmatch(text):
        return float(text) or math.nan  # Slurm's "never" is 0
    try:
        return read_moment(text, zone).seconds
    except ValueError as error:
        raise NotSlurmError(str(error)) from None


@lru_cache(maxsize=1 << 14)
def parse_row_duration(text: str) -> float:
    """Return `[days-][hours:]minutes:seconds`, `days-hours` or plain seconds in seconds.

    NaN where there is none or no limit.
    """
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
def parse_row_count(text: str) -> float:
    """Return a number, perhaps shortened (`4K` = 4096).

    NaN where there is none or no limit.
    """
    if is_missing(text) or text.lower() in NO_LIMIT:
        return math.nan
    match = COUNT.fullmatch(text)
    if match is None:
        raise NotSlurmError("not a number")
    return float(match[1]) * POWERS[match[2]]


@lru_cache(maxsize=1 << 14)  # a cluster has few shapes of jobs
def parse_tres(text: str) -> dict[str, float]:
    """Return `billing=4,cpu=4,gres/gpu:a100=2,mem=16G,node=1` as a table of counts.

    What is not a count is left out. The table is shared between calls; do not change it.
    """
    counts: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals:
            try:
                counts[name.strip()] = parse_row_count(value.strip())
            except NotSlurmError:
                continue
    return counts


def total_gpus(counts: dict[str, float]) -> float:
    """Return the number of all GPUs, NaN where none are named.

    Slurm prints the total beside the kinds, but only where it is tracked.
    """
    if "gres/gpu" in counts:
        return counts["gres/gpu"]
    kinds = [value for name, value in counts.items() if name.startswith("gres/gpu:")]
    return math.fsum(kinds) if kinds else math.nan


def parse_gres_gpus(text: str) -> float:
    """Count the GPUs per node in the old AllocGRES field: `gpu:tesla:2`, `gpu:2(S:0-1)`."""
    total, found = 0.0, False
    for part in text.split(","):
        pieces = part.partition("(")[0].split(":")
        if pieces[0].strip() in ("gpu", "gres/gpu"):
            last = pieces[-1].strip() if len(pieces) > 1 else "1"
            total += float(last) if UNIX_TIME.fullmatch(last) else 1.0
            found = True
    return total if found else math.nan


NOT_STARTED = {"PENDING", "REQUEUE_HOLD", "SPECIAL_EXIT", "CONFIGURING"}
RUNNING = {"RUNNING", "SUSPENDED", "COMPLETING", "STAGE_OUT", "STOPPED"}

UNIT_WORDS = {"processors": "AllocCPUS", "nodes": "AllocNodes", "gpus": "GPUs in AllocTRES"}
# What tells each kind of need, the first that a row has.
NEED_FIELDS = {
    "processors": ("alloccpus", "ncpus"),
    "nodes": ("allocnodes", "nnodes"),
    "gpus": (),
}

Row = Mapping[str, str]


class RowPlace(NamedTuple):
    """Where a row stands, and what its fields are called there."""

    line: int
    spelling: Mapping[str, str]


class SlurmRun(NamedTuple):
    """One allocation of one job, as accounted; NaN is "not known"."""

    line: int
    job: str
    user: str
    state: str
    submit: float
    eligible: float
    start: float
    end: float
    elapsed: float
    need: float
    limit: float
    partition: str
    qos: str
    account: str
    cluster: str  # a dump of several clusters has the same numbers for different jobs


def read_row(row: Row, place: RowPlace, wanted: Reading, book: CleaningBook) -> SlurmRun | None:
    """Return the run of a job, or None with the reason in the book."""
    job = row.get("jobid") or row.get("jobidraw") or ""
    state = (row.get("state", "").upper().split() or [""])[0]  # `CANCELLED by 1000`
    reason = _no_job(job, state, row)
    if reason:
        book.add("dropped", reason, place.line, f"JobID = {job}" if job else "")
        return None
    try:
        return _read_run(row, place.line, job, state, wanted, book)
    except NotSlurmError as error:
        name, text, why = error.args
        field = place.spelling[name]
        shown = text if len(text) <= 40 else text[:37] + "..."
        book.malformed(place.line, f"{field} is {why}", f"{field} = {shown!r}: {why}")
        return None


def _no_job(job: str, state: str, row: Row) -> str:
    """Say why a row is not a job that ran; return an empty text if it is one."""
    if not job:
        return "no JobID"
    if "." in job:
        return "a step of a job"
    if "[" in job:
        return "tasks of an array that have not started"
    if state in NOT_STARTED:
        return "has not started yet"
    start = row.get("start")
    never = start is not None and is_missing(start)
    if never and state == "CANCELLED":
        return "cancelled before it started"
    idle = row.get("elapsedraw", "0") in ("0", "")
    if never and idle:
        return "never started"
    # Older versions print the time of cancellation as the start of a job that never had one.
    nothing = row.get("alloccpus", row.get("allocnodes", "1")) == "0"
    if nothing and idle and row.get("elapsed", "00:00:00") == "00:00:00":
        return "cancelled before it started" if state == "CANCELLED" else "never started"
    return ""


def _read_run(
    row: Row, line: int, job: str, state: str, wanted: Reading, book: CleaningBook
) -> SlurmRun | None:
    # All fields are read before anything is reported: a malformed row is nothing else.
    local = _moments_in(wanted.zone)
    start, end = _value(row, "start", local), _value(row, "end", local)
    submit, eligible = _value(row, "submit", local), _value(row, "eligible", local)
    elapsed = _value(row, "elapsedraw", parse_row_count)
    if math.isnan(elapsed):
        elapsed = _value(row, "elapsed", parse_row_duration)
    suspended = _value(row, "suspended", parse_row_duration)
    minutes = _value(row, "timelimitraw", parse_row_count)
    limit = 60 * minutes if minutes == minutes else _value(row, "timelimit", parse_row_duration)
    where = f"JobID = {job}"
    if state in RUNNING:
        book.add("dropped", "still running when the log was taken", line, where)
        return None
    need = _need(row, wanted.need, line, where, book)
    end, elapsed = _service(start, end, elapsed, suspended, line, where, book)
    return SlurmRun(
        line=line,
        job=job,
        user=row.get("user") or row.get("uid") or "",
        state=state,
        submit=submit,
        eligible=eligible,
        start=start,
        end=end,
        elapsed=elapsed,
        need=need,
        limit=limit,
        partition=row.get("partition", ""),
        qos=row.get("qos", ""),
        account=row.get("account", ""),
        cluster=row.get("cluster", ""),
    )


@lru_cache(maxsize=1)
def _moments_in(zone: str | None) -> Callable[[str], float]:
    return partial(parse_row_time, zone=find_zone(zone)) if zone else parse_row_time


def _service(
    start: float,
    end: float,
    elapsed: float,
    suspended: float,
    line: int,
    where: str,
    book: CleaningBook,
) -> tuple[float, float]:
    """Return the end, and the time for which the job really ran."""
    if end < start:  # clocks are set back in autumn
        book.add("repaired", "ended before it started; ElapsedRaw counts", line, where)
        end = start + elapsed
    if math.isnan(end) and elapsed > 0:
        book.add("repaired", "End is unknown; Start + ElapsedRaw stands in", line, where)
        end = start + elapsed
    held = end - start
    if suspended > 0:
        book.add("noted", "was suspended; that time is no service", line, where)
        held -= suspended
        # sacct takes suspended time off by itself, but not in every version.
        return end, min(elapsed, held) if elapsed == elapsed and held == held else held
    return end, held if math.isnan(elapsed) else elapsed


def _value(row: Row, name: str, read: Callable[[str], float]) -> float:
    text = row.get(name, "")
    try:
        return read(text)
    except NotSlurmError as error:
        raise NotSlurmError(name, text, str(error)) from None


def _need(row: Row, unit: str, line: int, where: str, book: CleaningBook) -> float:
    resources = parse_tres(row.get("alloctres", ""))
    if unit == "gpus":
        gpus = total_gpus(resources)
        if math.isnan(gpus) and "allocgres" in row:
            nodes = _first(row, NEED_FIELDS["nodes"])
            gpus = parse_gres_gpus(row["allocgres"]) * (nodes if nodes > 0 else 1)
        return gpus if gpus > 0 else math.nan
    need = _first(row, NEED_FIELDS[unit])
    if need > 0:
        return need
    allocated = resources.get("cpu" if unit == "processors" else "node", math.nan)
    if allocated > 0 and "alloctres" in row and need == 0:
        book.add("repaired", f"{UNIT_WORDS[unit]} is 0; AllocTRES stands in", line, where)
    return allocated


def _first(row: Row, names: Iterable[str]) -> float:
    for name in names:
        value = _value(row, name, parse_row_count)
        if value == value:
            return value
    return math.nan
