"""Dumps of Slurm's accounting: `sacct --allusers --parsable2 --format=...`, any delimiter."""

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.draft import make_log
from zerowait.traces.log import Log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.slurm.rows import NEED_FIELDS, UNIT_WORDS, Place, read_row
from zerowait.traces.readers.slurm.runs import Run, draft_of
from zerowait.traces.readers.slurm.sacct_header import SacctHeader, find_header
from zerowait.traces.unpack import LogFile

HEADER_LINES = 50  # a header may come after what a shell prints at login


def read_sacct(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Arrival = Eligible, service = time run, need = what was allocated, in the unit asked for."""
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
    words = {"need": UNIT_WORDS[wanted.need], "service": "Elapsed", "estimate": "Timelimit"}
    return make_log(draft_of(runs, "sacct", wanted, words, book), book)


def _check_header(file: LogFile, header: SacctHeader, wanted: Reading) -> None:
    names = set(header.names)
    elapsed = bool(names & {"elapsedraw", "elapsed"}) or {"start", "end"} <= names
    need = {*NEED_FIELDS[wanted.need], "alloctres"}
    if wanted.need == "gpus":
        need |= {"allocgres"}
    for there, what in (
        (bool(names & {"submit", "eligible"}), "Eligible"),
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
    return read_row(row, Place(number, header.spelling), wanted, book)


def recognises(head: bytes) -> bool:
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace").split("\n")
    return any(find_header(line) is not None for line in lines[:HEADER_LINES])


register(Reader("sacct", (".sacct", ".slurm"), recognises, read_sacct))
