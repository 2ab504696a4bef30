"""The Standard Workload Format of the Parallel Workloads Archive, version 2.2.

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.draft import Draft, make_log
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.swf.header import clock_of, header_fields, servers_of
from zerowait.traces.readers.swf.lines import N_FIELDS, NUMBER, Lines, read_lines
from zerowait.traces.unpack import LogFile

if TYPE_CHECKING:
    import polars

CANCELLED = 5
PARTIAL = (2, 3, 4)  # one burst of a job that was swapped out or checkpointed

WORDS = {
    "arrival": "submit time", "service": "run time", "need": "number of processors",
    "estimate": "requested time",
}  # fmt: skip

Floats = NDArray[np.float64]


def read_swf(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Arrival = submit time, service = run time, need = allocated (else requested) processors."""
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
        arrival=submit,
        service=_floats(table, "run_time"),
        need=np.where(stands_in, requested, allocated),
        columns=_integers_where_whole(table),
        estimate=_floats(table, "requested_time"),
        start=submit + _floats(table, "wait"),
        user=_labels(_floats(table, "user")),
        job=_labels(_floats(table, "job")),
        partition=_labels(_floats(table, "partition")),
        queue=_labels(_floats(table, "queue")),
        servers=servers_of(header),
        header=header,
        clock=clock_of(header),
        words=WORDS,
    )


def _floats(table: "polars.DataFrame", name: str) -> Floats:
    """A column with NaN for what is not known."""
    return table[name].fill_null(float("nan")).to_numpy()


def _not_partial(table: "polars.DataFrame", lines: Lines, book: CleaningBook) -> NDArray[np.bool_]:
    """Bursts of a job that also has a line of its own would be counted twice."""
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


def _labels(values: Floats) -> NDArray[np.int64] | None:
    """Users, queues and so on are numbers; -1 again for one that is not known."""
    known = ~np.isnan(values)
    if not known.any() or (np.abs(values[known]) >= 2.0**53).any():
        return None
    return np.where(known, values, -1).astype(np.int64)


def recognises(head: bytes) -> bool:
    """A header of `;` lines, or a line of 18 numbers."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.decode("utf-8", errors="replace").strip()
        if text:
            words = text.split()
            return text.startswith(";") or (
                len(words) >= N_FIELDS and all(map(NUMBER.fullmatch, words))
            )
    return False


register(Reader("swf", (".swf",), recognises, read_swf))
