"""Dumps of Slurm's accounting: `sacct --allusers --parsable2 --format=...`, any delimiter."""

import re
from dataclasses import dataclass

from zerowait.model import InputError
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log, make_log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.slurm.rows import NEED_FIELDS, UNIT_WORDS, Place, read_row
from zerowait.traces.readers.slurm.runs import Run, draft_of
from zerowait.traces.unpack import LogFile

# Fields by which a header is known; any other may stand between them.
MARKS = frozenset(
    (
        "jobid", "jobidraw", "submit", "eligible", "start", "end", "elapsed", "elapsedraw", "state",
        "allocnodes", "nnodes", "alloccpus", "ncpus", "alloctres", "reqtres", "timelimit",
        "timelimitraw", "user", "uid", "account", "partition", "suspended", "jobname",
        "cputimeraw", "exitcode", "reqcpus", "reqnodes", "allocgres", "qos", "cluster",
    )
)  # fmt: skip
TIMES = frozenset(("start", "end", "submit", "elapsed", "elapsedraw", "eligible", "state"))
TRES_FIELDS = frozenset(("alloctres", "reqtres"))
TRES_PIECE = re.compile(
    r"(cpu|mem|node|billing|energy|vmem|pages|gres/|license/|fs/|bb/|ic/)[^=]*="
)
# Users write what they like into these.
FREE_TEXT = ("jobname", "comment", "admincomment", "systemcomment", "submitline", "workdir",
             "constraints", "reason", "extra")  # fmt: skip
FIRST_TWO = re.compile(r"\s*([A-Za-z]\w*)(\W+)([A-Za-z]\w*)")


@dataclass(frozen=True)
class SacctHeader:
    """The names of the fields, in lower case, and what stands between them."""

    line: str
    names: tuple[str, ...]
    delimiter: str

    @property
    def spelling(self) -> dict[str, str]:
        """The names as the file spells them."""
        spelled = (name.strip() for name in self.line.split(self.delimiter))
        return {name.lower(): name for name in spelled if name}

    def split(self, line: str) -> list[str] | None:
        """The fields of a row; None where they are not as many as the names."""
        pieces = line.split(self.delimiter)
        extra = len(pieces) - len(self.names)
        if extra == 1 and pieces[-1] == "":  # --parsable ends each row in a delimiter
            return pieces[:-1]
        if extra > 0:
            pieces = self._refold(pieces)
        return pieces if len(pieces) == len(self.names) else None

    def _refold(self, pieces: list[str]) -> list[str]:
        """Put together what was cut because a field contains the delimiter: a TRES list in a
        comma-separated dump, or the one field of free text."""
        free = [name for name in self.names if name in FREE_TEXT]
        folded: list[str] = []
        at = 0
        for column, name in enumerate(self.names):
            if at >= len(pieces):
                return pieces
            extra = (len(pieces) - at) - (len(self.names) - column)
            taken = 1
            if name in TRES_FIELDS and TRES_PIECE.match(pieces[at]):
                while extra > 0 and TRES_PIECE.match(pieces[at + taken]):
                    taken, extra = taken + 1, extra - 1
            elif name in free and len(free) == 1:
                after = _tres_pieces(pieces[at + 1 :]) if self._tres_after(column) else 0
                more = max(extra - max(after - self._tres_after(column), 0), 0)
                taken += more
            folded.append(self.delimiter.join(pieces[at : at + taken]))
            at += taken
        return folded if at == len(pieces) else pieces

    def _tres_after(self, column: int) -> int:
        return sum(name in TRES_FIELDS for name in self.names[column + 1 :])


def _tres_pieces(pieces: list[str]) -> int:
    return sum(TRES_PIECE.match(piece) is not None for piece in pieces)


def find_header(line: str) -> SacctHeader | None:
    """A header if the line is one: names that sacct knows, with one text between them."""
    match = FIRST_TWO.match(line)
    if match is None:
        return None
    text = line.strip("\r\n")
    # A name may be followed by blanks only where blanks are not the delimiter.
    delimiter = match[2].strip(" ") or match[2]
    names = [name.strip().lower() for name in text.split(delimiter)]
    if names[-1] == "":
        names.pop()
    known = MARKS.intersection(names)
    if not known & {"jobid", "jobidraw"} or not known & TIMES or len(known) < 3:
        return None
    if len(set(names)) != len(names):
        return None
    return SacctHeader(text, tuple(names), delimiter)


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
