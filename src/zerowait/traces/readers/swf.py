"""The Standard Workload Format of the Parallel Workloads Archive, version 2.2.

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.model.quantities import Floats, Ints
from zerowait.traces.clock import FIRST_UNIX_TIME, Clock
from zerowait.traces.log import CleaningBook, Draft, Log, make_log
from zerowait.traces.reading import READERS, Reader, Reading
from zerowait.traces.unpack import LogFile

if TYPE_CHECKING:
    import polars

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
    """Return the fields of the header, each with its lines.

    A repeated field (`Queue`, `Note`) keeps all of them in order.
    """
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


def header_servers(header: dict[str, tuple[str, ...]]) -> int | None:
    """Return the processors of the machine, else its nodes, as the header says."""
    for name in ("MaxProcs", "MaxNodes"):
        number = _number(header, name)
        if number is not None and 1 <= number < 2**53:
            return int(number)
    return None


def header_clock(header: dict[str, tuple[str, ...]]) -> Clock:
    """Return the calendar that the header describes."""
    zone = header.get("TimeZoneString", ("",))[0].split()
    origin = _number(header, "UnixStartTime")
    return Clock(
        origin=origin if origin is not None and origin >= FIRST_UNIX_TIME else None,
        zone=zone[0] if zone else None,
        offset=_number(header, "TimeZone"),
    )


def _number(header: dict[str, tuple[str, ...]], name: str) -> float | None:
    """Return the number a field begins with, as in `338 (batch partition; 512 total)`."""
    match = re.match(r"[+-]?\d{1,18}(?!\d)", header.get(name, ("",))[0].replace(",", ""))
    return float(match[0]) if match else None


# The fields of a line, in order; -1 stands for "not known" in each of them.
FIELDS = (
    "job", "submit", "wait", "run_time", "allocated", "cpu_time", "memory", "requested",
    "requested_time", "requested_memory", "status", "user", "group", "executable", "queue",
    "partition", "preceding_job", "think_time",
)  # fmt: skip
N_FIELDS = len(FIELDS)

# Each digit can be matched in one way only, so that a long field takes linear time.
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MOST_FIELDS = 100  # beyond it a line is not SWF, and is looked at by itself
COMMENT = re.compile(rb"\s*(;[^\n]*)\n?")  # and the blank lines before it
IS_PLAIN = np.zeros(256, bool)  # what numbers and the gaps between them are made of
IS_PLAIN[list(b"0123456789.+-eE \t\r\n")] = True
IS_GAP = np.zeros(256, bool)
IS_GAP[list(b" \t\r\n")] = True

Lines = Ints


def read_lines(file: LogFile, book: CleaningBook) -> "tuple[polars.DataFrame, Lines, list[str]]":
    """Read the fields of every line that has them, the lines' numbers, and the comments."""
    import polars

    comments: list[str] = []
    frames = [_frame([])]
    lines = [np.empty(0, np.int64)]
    first = 1  # number of the block's first line
    for block in file.blocks():
        block, n_lines = _take_comments(block, first == 1, comments)
        first += n_lines
        parsed = _parse_block(block, book, first) or _parse_lines(block, book, first, comments)
        frames.append(parsed[0])
        lines.append(parsed[1] + first)
        first += block.count(b"\n")
    return polars.concat(frames, rechunk=True), np.concatenate(lines), comments


def _frame(rows: list[list[float]]) -> "polars.DataFrame":
    import polars

    schema = dict.fromkeys(FIELDS, polars.Float64)
    return polars.DataFrame(rows, schema=schema, orient="row")


def _take_comments(block: bytes, at_start: bool, comments: list[str]) -> tuple[bytes, int]:
    """Cut the header off the first block, so that the rest may be read at once."""
    if not at_start:
        return block, 0
    begin = len(b"\xef\xbb\xbf") if block.startswith(b"\xef\xbb\xbf") else 0
    n_lines = 0
    while match := COMMENT.match(block, begin):
        n_lines += match[0].count(b"\n") or 1
        comments.append(match[1].decode("utf-8", errors="replace").strip())
        begin = match.end()
    return block[begin:], n_lines


def _parse_block(
    block: bytes, book: CleaningBook, first: int
) -> "tuple[polars.DataFrame, Lines] | None":
    """Parse all lines at once; return None where something is out of the ordinary."""
    if block.isspace():
        return _frame([]), np.empty(0, np.int64)
    data = np.frombuffer(block, np.uint8)
    if not IS_PLAIN[data].all():
        return None
    gap = IS_GAP[data]
    begins = ~gap
    begins[1:] &= gap[:-1]
    ends = np.flatnonzero(data == ord("\n"))
    if len(data) and data[-1] != ord("\n"):
        ends = np.append(ends, len(data))
    n_words = np.diff(np.searchsorted(np.flatnonzero(begins), ends), prepend=0)
    lines = np.flatnonzero(n_words)
    if len(lines) == 0:
        return _frame([]), lines
    width = int(n_words[lines[0]])
    if not N_FIELDS <= width <= MOST_FIELDS or (n_words[lines] != width).any():
        return None
    frame = _numbers(data, gap, width)
    if frame is None:
        return None
    book.rows += len(lines)
    if width > N_FIELDS:
        _report_extra(book, lines + first, width)
    return frame, lines


def _numbers(
    data: NDArray[np.uint8], gap: NDArray[np.bool_], width: int
) -> "polars.DataFrame | None":
    """Parse the first fields of each line.

    Every gap becomes one comma or newline, and polars does the rest, at five times the speed of
    anything in NumPy.
    """
    import polars

    separates = gap.copy()
    separates[0] = False
    separates[1:] &= ~gap[:-1]
    kept = separates | ~gap
    plain = data[kept]
    at = np.flatnonzero(separates[kept])
    plain[at] = ord(",")
    plain[at[width - 1 :: width]] = ord("\n")
    names = [*FIELDS, *(str(column) for column in range(N_FIELDS, width))]
    try:
        frame = polars.read_csv(
            plain.tobytes(),
            has_header=False,
            schema=dict.fromkeys(names, polars.Float64),
            columns=list(range(N_FIELDS)),
            quote_char=None,
        )
    except polars.exceptions.PolarsError:
        return None
    # A number too large for a float, or none at all, is for the reader line by line to name.
    return (
        frame
        if frame.select(polars.all_horizontal(polars.all().is_finite().all())).item()
        else None
    )


def _parse_lines(
    block: bytes, book: CleaningBook, first: int, comments: list[str]
) -> "tuple[polars.DataFrame, Lines]":
    """Parse line by line, to say which is malformed and why."""
    rows: list[list[float]] = []
    lines: list[int] = []
    for at, text in enumerate(block.decode("utf-8", errors="replace").split("\n")):
        words = text.split()
        if not words:
            continue
        if words[0].startswith(";"):
            comments.append(text.strip())
            continue
        book.rows += 1
        row = _parse_row(words, book, first + at)
        if row is not None:
            rows.append(row)
            lines.append(at)
    return _frame(rows), np.array(lines, np.int64)


def _parse_row(words: Sequence[str], book: CleaningBook, line: int) -> list[float] | None:
    if len(words) < N_FIELDS:
        detail = f"has {len(words)} fields; SWF has {N_FIELDS}"
        book.malformed(line, "too few fields", detail)
        return None
    row = []
    for at, word in enumerate(words[:N_FIELDS]):
        value = float(word) if NUMBER.fullmatch(word) else float("nan")
        if not np.isfinite(value):
            shown = word if len(word) <= 40 else word[:37] + "..."
            detail = f"field {at + 1} ({FIELDS[at]}) = {shown!r}: not a number"
            book.malformed(line, f"field {at + 1} ({FIELDS[at]}) is not a number", detail)
            return None
        row.append(value)
    if len(words) > N_FIELDS:
        _report_extra(book, np.array([line]), len(words))
    return row


def _report_extra(book: CleaningBook, lines: Lines, width: int) -> None:
    details = [f"has {width} fields"] * 3
    book.add_rows("repaired", "more than 18 fields; the rest is ignored", lines, details)


CANCELLED = 5
PARTIAL = (2, 3, 4)  # one burst of a job that was swapped out or checkpointed

WORDS = {
    "arrival": "submit time", "service": "run time", "need": "number of processors",
    "estimate": "requested time",
}  # fmt: skip

# What a column of jobs is called in a line.
LABEL_FIELDS = {
    "user": "user", "account": "group", "partition": "partition", "qos": "queue", "id": "job",
}  # fmt: skip


def read_swf(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Read a log in the Standard Workload Format.

    Arrival = submit time, service = run time, need = allocated (else requested) processors.
    """
    if wanted.need != "processors":
        raise InputError(f"{file}: need = {wanted.need!r}: SWF counts processors only")
    table, lines, comments = read_lines(file, book)
    return make_log(_draft(table, lines, header_fields(comments), book), book)


def _draft(
    table: "polars.DataFrame", lines: Lines, header: dict[str, tuple[str, ...]], book: CleaningBook
) -> Draft:
    import polars

    table = table.with_columns(polars.when(polars.all() != -1).then(polars.all()))
    keep = _not_partial(table, lines, book)
    keep &= _has_started(table, lines, keep, book)
    if not keep.all():
        table, lines = table.filter(polars.Series(keep)), lines[keep]
    allocated, requested = _floats(table, "allocated"), _floats(table, "requested")
    # Some logs write 0 for "not known".
    stands_in = ~(allocated > 0) & (requested > 0)
    book.add_rows(
        "repaired", "no allocated processors; the requested ones stand in", lines[stands_in]
    )
    submit = _floats(table, "submit")
    return Draft(
        format="swf",
        line=lines,
        values={
            "arrival": submit,
            "service": _floats(table, "run_time"),
            "need": np.where(stands_in, requested, allocated),
            "estimate": _floats(table, "requested_time"),
            "start": submit + _floats(table, "wait"),
            **{ours: _labels(_floats(table, field)) for ours, field in LABEL_FIELDS.items()},
        },
        columns=_integers_where_whole(table),
        servers=header_servers(header),
        header=header,
        clock=header_clock(header),
        words=WORDS,
    )


def _floats(table: "polars.DataFrame", name: str) -> Floats:
    """Return a column with NaN for what is not known."""
    return table[name].fill_null(float("nan")).to_numpy()


def _not_partial(table: "polars.DataFrame", lines: Lines, book: CleaningBook) -> NDArray[np.bool_]:
    """Drop the bursts of a job that also has a line of its own.

    They would be counted twice.
    """
    job = _floats(table, "job")
    partial = np.isin(_floats(table, "status"), PARTIAL)
    if partial.any():
        partial &= np.isin(job, job[~partial])
    book.add_rows("dropped", "part of a job that has its own line (status 2, 3, 4)", lines[partial])
    return ~partial


def _has_started(
    table: "polars.DataFrame", lines: Lines, keep: NDArray[np.bool_], book: CleaningBook
) -> NDArray[np.bool_]:
    never = (_floats(table, "status") == CANCELLED) & np.isnan(_floats(table, "run_time"))
    book.add_rows("dropped", "cancelled before it started (status 5)", lines[keep & never])
    return np.asarray(~never)


def _integers_where_whole(table: "polars.DataFrame") -> "polars.DataFrame":
    import polars

    every = polars.all()
    whole = table.select(((every % 1 == 0) & (every.abs() < 2.0**53)).all(ignore_nulls=True))
    names = [name for name in table.columns if whole[name][0]]
    return table.with_columns(polars.col(names).cast(polars.Int64))


def _labels(values: Floats) -> Ints | None:
    """Return users, queues and so on as numbers, -1 for one that is not known."""
    known = ~np.isnan(values)
    if not known.any() or (np.abs(values[known]) >= 2.0**53).any():
        return None
    return np.where(known, values, -1).astype(np.int64)


def is_swf(head: bytes) -> bool:
    """Tell SWF by a header of `;` lines, or by a line of 18 numbers."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.decode("utf-8", errors="replace").strip()
        if text:
            words = text.split()
            return text.startswith(";") or (
                len(words) >= N_FIELDS and all(map(NUMBER.fullmatch, words))
            )
    return False


READERS.register(Reader("swf", (".swf",), is_swf, read_swf))
