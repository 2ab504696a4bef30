"""Dumps of Slurm's accounting: `sacct --allusers --parsable2 --format=...`, any delimiter."""

import math
from collections.abc import Callable, Iterable

import numpy as np

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.clock import Clock
from zerowait.traces.draft import Draft, make_log
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.slurm.runs import Run, assemble
from zerowait.traces.readers.slurm.sacct_header import SacctHeader, find_header
from zerowait.traces.readers.slurm.values import (
    NotSlurmError,
    count,
    duration,
    gpus_of,
    gres_gpus,
    is_missing,
    moment,
    tres,
)
from zerowait.traces.unpack import LogFile

NOT_STARTED = {"PENDING", "REQUEUE_HOLD", "SPECIAL_EXIT", "CONFIGURING"}
RUNNING = {"RUNNING", "SUSPENDED", "COMPLETING", "STAGE_OUT", "STOPPED"}

WORDS = {"service": "Elapsed", "estimate": "Timelimit"}
UNIT_WORDS = {"processors": "AllocCPUS", "nodes": "AllocNodes", "gpus": "GPUs in AllocTRES"}
# What tells each kind of need, the first that a row has.
NEED_FIELDS = {
    "processors": ("alloccpus", "ncpus"),
    "nodes": ("allocnodes", "nnodes"),
    "gpus": (),
}
HEADER_LINES = 50  # a header may come after what a shell prints at login


def read_sacct(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Arrival = Submit, service = time run, need = what was allocated, in the unit asked for."""
    header: SacctHeader | None = None
    runs: list[Run] = []
    for number, line in file.lines():
        if not line.strip():
            continue
        if header is None:
            header = find_header(line)
            if header is not None:
                _check_header(file, header, wanted)
            elif number > HEADER_LINES:
                break
        elif line.strip() != header.line.strip():
            book.rows += 1
            run = _run(header, line, number, wanted, book)
            if run is not None:
                runs.append(run)
    if header is None:
        raise InputError(
            f"{file}: has no header that names JobID, Submit, ...; run sacct without --noheader"
        )
    runs = assemble(runs, book)
    if not runs:
        raise book.nothing_left()
    return make_log(_draft(runs, wanted), book)


def _check_header(file: LogFile, header: SacctHeader, wanted: Reading) -> None:
    names = set(header.names)
    elapsed = bool(names & {"elapsedraw", "elapsed"}) or {"start", "end"} <= names
    need = {*NEED_FIELDS[wanted.need], "alloctres"}
    if wanted.need == "gpus":
        need |= {"allocgres"}
    arrival = {"eligible"} if wanted.arrival == "eligible" else {"submit", "eligible"}
    for there, what in (
        (bool(names & arrival), wanted.arrival.capitalize()),
        (elapsed, "ElapsedRaw"),
        (bool(names & need), UNIT_WORDS[wanted.need].split()[-1]),
    ):
        if not there:
            raise InputError(
                f"{file}: field {what} is missing from the header; run sacct again with it in "
                "--format"
            )


def _run(
    header: SacctHeader, line: str, number: int, wanted: Reading, book: CleaningBook
) -> Run | None:
    pieces = header.split(line)
    if pieces is None:
        found = len(line.split(header.delimiter))
        detail = f"has {found} fields; the header has {len(header.names)}"
        book.malformed(number, "another number of fields than the header", detail)
        return None
    row = {name: piece.strip() for name, piece in zip(header.names, pieces, strict=True)}
    job = row.get("jobid") or row.get("jobidraw") or ""
    state = row.get("state", "").upper().split()  # `CANCELLED by 1000`
    reason = _no_job(job, state[0] if state else "", row)
    if reason:
        book.add("dropped", reason, number, f"JobID = {job}" if job else "")
        return None
    try:
        return _read_run(row, number, job, state[0] if state else "", wanted, book)
    except NotSlurmError as error:
        name, text, why = error.args
        field = header.spelling[name]
        shown = text if len(text) <= 40 else text[:37] + "..."
        book.malformed(number, f"{field} is {why}", f"{field} = {shown!r}: {why}")
        return None


def _no_job(job: str, state: str, row: dict[str, str]) -> str:
    """Why a row is no job that ran, if it is none."""
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
    row: dict[str, str], line: int, job: str, state: str, wanted: Reading, book: CleaningBook
) -> Run | None:
    # All fields are read before anything is reported: a malformed row is nothing else.
    start, end = _value(row, "start", moment), _value(row, "end", moment)
    submit, eligible = _value(row, "submit", moment), _value(row, "eligible", moment)
    elapsed = _value(row, "elapsedraw", count)
    if math.isnan(elapsed):
        elapsed = _value(row, "elapsed", duration)
    suspended = _value(row, "suspended", duration)
    limit = _limit(row)
    where = f"JobID = {job}"
    if state in RUNNING:
        book.add("dropped", "still running when the log was taken", line, where)
        return None
    need = _need(row, wanted.need, line, where, book)
    end, elapsed = _service(start, end, elapsed, suspended, line, where, book)
    return Run(
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
        account=row.get("account", ""),
        cluster=row.get("cluster", ""),
    )


def _service(
    start: float,
    end: float,
    elapsed: float,
    suspended: float,
    line: int,
    where: str,
    book: CleaningBook,
) -> tuple[float, float]:
    """The end, and the time for which the job really ran."""
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


def _value(row: dict[str, str], name: str, read: Callable[[str], float]) -> float:
    text = row.get(name, "")
    try:
        return read(text)
    except NotSlurmError as error:
        raise NotSlurmError(name, text, str(error)) from None


def _limit(row: dict[str, str]) -> float:
    minutes = _value(row, "timelimitraw", count)
    return 60 * minutes if minutes == minutes else _value(row, "timelimit", duration)


def _need(row: dict[str, str], unit: str, line: int, where: str, book: CleaningBook) -> float:
    resources = tres(row.get("alloctres", ""))
    if unit == "gpus":
        gpus = gpus_of(resources)
        if math.isnan(gpus) and "allocgres" in row:
            nodes = _first(row, NEED_FIELDS["nodes"])
            gpus = gres_gpus(row["allocgres"]) * (nodes if nodes > 0 else 1)
        if not gpus > 0:
            return math.nan
        return gpus
    need = _first(row, NEED_FIELDS[unit])
    if need > 0:
        return need
    allocated = resources.get("cpu" if unit == "processors" else "node", math.nan)
    if allocated > 0 and "alloctres" in row and need == 0:
        book.add("repaired", f"{UNIT_WORDS[unit]} is 0; AllocTRES stands in", line, where)
    return allocated


def _first(row: dict[str, str], names: Iterable[str]) -> float:
    for name in names:
        value = _value(row, name, count)
        if value == value:
            return value
    return math.nan


def _draft(runs: list[Run], wanted: Reading) -> Draft:
    import polars

    def column(name: str) -> "np.typing.NDArray[np.float64]":
        return np.array([getattr(run, name) for run in runs], np.float64)

    submit, eligible, start = column("submit"), column("eligible"), column("start")
    arrival = eligible if wanted.arrival == "eligible" else np.where(
        np.isnan(submit), eligible, submit
    )  # fmt: skip
    known = arrival[~np.isnan(arrival)]
    origin = float(known.min()) if len(known) else 0.0
    texts = {name: [getattr(run, name) for run in runs]
             for name in ("job", "user", "state", "partition", "account")}  # fmt: skip
    times = {name: polars.Series(column(name), nan_to_null=True)
             for name in ("submit", "eligible", "start", "end", "elapsed", "limit")}  # fmt: skip
    return Draft(
        format="sacct",
        line=np.array([run.line for run in runs], np.int64),
        arrival=arrival - origin,
        service=column("elapsed"),
        need=column("need"),
        columns=polars.DataFrame(texts | times),
        estimate=column("limit"),
        start=start - origin,
        user=np.array(texts["user"]) if any(texts["user"]) else None,
        unit=wanted.need,
        clock=Clock(origin=origin, printed=True),
        words=WORDS | {"need": UNIT_WORDS[wanted.need], "arrival": wanted.arrival.capitalize()},
    )


def recognises(head: bytes) -> bool:
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace").split("\n")
    return any(find_header(line) is not None for line in lines[:HEADER_LINES])


register(Reader("sacct", (".sacct", ".slurm"), recognises, read_sacct))
