"""Slurm's accounting: dumps of `sacct`, and the file of `JobCompType=jobcomp/filetxt`."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from zerowait.model import InputError
from zerowait.model.jobs import LABELS
from zerowait.model.quantities import Floats
from zerowait.traces.clock import Clock
from zerowait.traces.log import CleaningBook, Draft, Log, make_log
from zerowait.traces.readers.slurm_rows import (
    NEED_FIELDS,
    UNIT_WORDS,
    Row,
    RowPlace,
    SlurmRun,
    read_row,
)
from zerowait.traces.reading import READERS, Reader, Reading
from zerowait.traces.unpack import LogFile


def make_draft(
    runs: list[SlurmRun], format: str, wanted: Reading, words: Mapping[str, str], book: CleaningBook
) -> Draft:
    """Make a draft of the jobs that the runs are, for the rules that hold for every log."""
    import polars

    runs = assemble_runs(runs, book)
    if not runs:
        raise book.nothing_left()

    def column(name: str) -> Floats:
        return np.array([getattr(run, name) for run in runs], np.float64)

    submit, eligible = column("submit"), column("eligible")
    first, second = (submit, eligible) if wanted.arrival == "submit" else (eligible, submit)
    arrival = np.where(np.isnan(first), second, first)
    origin = float(np.nanmin(arrival)) if not np.isnan(arrival).all() else 0.0
    names = ("job", "user", "state", "partition", "qos", "account")
    texts = {name: [getattr(run, name) for run in runs] for name in names}
    times = {name: polars.Series(column(name), nan_to_null=True)
             for name in ("submit", "eligible", "start", "end", "elapsed", "limit")}  # fmt: skip
    labels = {name: np.array(texts[name]) if any(texts[name]) else None for name in names}
    return Draft(
        format=format,
        line=np.array([run.line for run in runs], np.int64),
        values={
            "arrival": arrival - origin,
            "service": column("elapsed"),
            "need": column("need"),
            "estimate": column("limit"),
            "start": column("start") - origin,
            **{name: labels["job" if name == "id" else name] for name in LABELS},
        },
        columns=polars.DataFrame(texts | times),
        unit=wanted.need,
        clock=Clock(origin, zone=wanted.zone, printed=wanted.zone is None),
        words={**words, "arrival": wanted.arrival.capitalize()},
    )


def assemble_runs(runs: list[SlurmRun], book: CleaningBook) -> list[SlurmRun]:
    """Turn runs into jobs: the parts of a heterogeneous job become one.

    Runs of a requeued job, one after the other, stay apart.
    """
    return _arrive_after_the_run_before(_join_components(_drop_copies(runs, book), book), book)


def _drop_copies(runs: list[SlurmRun], book: CleaningBook) -> list[SlurmRun]:
    """Drop jobs that stand twice in dumps of overlapping periods."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for run in runs:
        # As text, because NaN is not equal to itself.
        key = (run.cluster, run.job, str(run.submit), str(run.start), str(run.end), run.state)
        if key in seen:
            book.add("dropped", "the same row again", run.line, f"JobID = {run.job}")
        else:
            seen.add(key)
            kept.append(run)
    return kept


def _join_components(runs: list[SlurmRun], book: CleaningBook) -> list[SlurmRun]:
    """Join the parts of a heterogeneous job, `17+0`, `17+1`, ...: they start together."""
    together: dict[tuple[str, str, str], list[SlurmRun]] = defaultdict(list)
    for run in runs:
        leader, plus, _ = run.job.partition("+")
        if plus:
            together[leader, run.cluster, str(run.start)].append(run)
    joined: dict[int, SlurmRun] = {}
    parts: set[int] = set()
    for (leader, *_), group in together.items():
        if len(group) < 2:
            continue
        first = group[0]
        joined[first.line] = first._replace(
            job=leader,
            submit=-_largest([-run.submit for run in group]),
            end=_largest([run.end for run in group]),
            elapsed=_largest([run.elapsed for run in group]),
            need=math.fsum(run.need for run in group if run.need == run.need) or math.nan,
            limit=_largest([run.limit for run in group]),
        )
        for run in group[1:]:
            detail = f"JobID = {run.job}"
            book.add("joined", "part of a heterogeneous job, joined to its first", run.line, detail)
            parts.add(run.line)
    return [joined.get(run.line, run) for run in runs if run.line not in parts]


def _largest(values: list[float]) -> float:
    """Return the largest of the known values, NaN where none is known."""
    return max((value for value in values if value == value), default=math.nan)


def _arrive_after_the_run_before(runs: list[SlurmRun], book: CleaningBook) -> list[SlurmRun]:
    """Let each run of a requeued job arrive when the run before it has ended, not earlier.

    Such a job has a row per run (`--duplicates`), all perhaps with the first submit time. Each run
    held servers, so each is a job.
    """
    by_job: dict[tuple[str, str], list[SlurmRun]] = defaultdict(list)
    for run in runs:
        by_job[run.cluster, run.job].append(run)
    moved: dict[int, SlurmRun] = {}
    for group in by_job.values():
        if len(group) < 2:
            continue
        group = sorted(group, key=lambda run: (run.start, run.line))
        for before, run in pairwise(group):
            detail = f"JobID = {run.job}"
            book.add("noted", "a further run of a requeued job; a job of its own", run.line, detail)
            if run.submit < before.end or run.eligible < before.end:
                moved[run.line] = run._replace(
                    submit=max(run.submit, before.end), eligible=max(run.eligible, before.end)
                )
                reason = "requeued; arrives when its run before had ended"
                book.add("repaired", reason, run.line, detail)
    return [moved.get(run.line, run) for run in runs]


# Fields by which a header is known; any other may stand between them.
SACCT_FIELDS = frozenset(
    (
        "jobid", "jobidraw", "submit", "eligible", "start", "end", "elapsed", "elapsedraw", "state",
        "allocnodes", "nnodes", "alloccpus", "ncpus", "alloctres", "reqtres", "timelimit",
        "timelimitraw", "user", "uid", "account", "partition", "suspended", "jobname",
        "cputimeraw", "exitcode", "reqcpus", "reqnodes", "allocgres", "qos", "cluster",
    )
)  # fmt: skip
SACCT_TIMES = frozenset(("start", "end", "submit", "elapsed", "elapsedraw", "eligible", "state"))
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
    """The names of a dump's fields, in lower case, and what stands between them."""

    line: str
    names: tuple[str, ...]
    delimiter: str

    @property
    def spelling(self) -> dict[str, str]:
        """Return the names as the file spells them."""
        spelled = (name.strip() for name in self.line.split(self.delimiter))
        return {name.lower(): name for name in spelled if name}

    def split(self, line: str) -> list[str] | None:
        """Split a row into its fields; return None where they are not as many as the names."""
        pieces = line.split(self.delimiter)
        extra = len(pieces) - len(self.names)
        if extra == 1 and pieces[-1] == "":  # --parsable ends each row in a delimiter
            return pieces[:-1]
        if extra > 0:
            pieces = self._refold(pieces)
        return pieces if len(pieces) == len(self.names) else None

    def _refold(self, pieces: list[str]) -> list[str]:
        """Put together a field that contains the delimiter.

        That is a TRES list in a comma-separated dump, or the one field of free text.
        """
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
    """Return the header if the line is one, else None.

    A header has names that sacct knows, with one text between them.
    """
    match = FIRST_TWO.match(line)
    if match is None:
        return None
    text = line.strip("\r\n")
    # A name may be followed by blanks only where blanks are not the delimiter.
    delimiter = match[2].strip(" ") or match[2]
    names = [name.strip().lower() for name in text.split(delimiter)]
    if names[-1] == "":
        names.pop()
    known = SACCT_FIELDS.intersection(names)
    if not known & {"jobid", "jobidraw"} or not known & SACCT_TIMES or len(known) < 3:
        return None
    if len(set(names)) != len(names):
        return None
    return SacctHeader(text, tuple(names), delimiter)


HEADER_LINES = 50  # a header may come after what a shell prints at login


def read_sacct(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Read a dump of sacct.

    Arrival = Eligible, service = time run, need = what was allocated, in the unit asked for.
    """
    header: SacctHeader | None = None
    runs: list[SlurmRun] = []
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
            run = _read_sacct_row(header, line, number, wanted, book)
            if run is not None:
                runs.append(run)
    if header is None:
        raise InputError(
            f"{file}: has no header that names JobID, Submit, ...; run sacct without --noheader"
        )
    words = {"need": UNIT_WORDS[wanted.need], "service": "Elapsed", "estimate": "Timelimit"}
    return make_log(make_draft(runs, "sacct", wanted, words, book), book)


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


def _read_sacct_row(
    header: SacctHeader, line: str, number: int, wanted: Reading, book: CleaningBook
) -> SlurmRun | None:
    pieces = header.split(line)
    if pieces is None:
        found = len(line.split(header.delimiter))
        detail = f"has {found} fields; the header has {len(header.names)}"
        book.malformed(number, "another number of fields than the header", detail)
        return None
    row = {name: piece.strip() for name, piece in zip(header.names, pieces, strict=True)}
    return read_row(row, RowPlace(number, header.spelling), wanted, book)


def is_sacct(head: bytes) -> bool:
    """Tell a dump of sacct by its header."""
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace").split("\n")
    return any(find_header(line) is not None for line in lines[:HEADER_LINES])


READERS.register(Reader("sacct", (".sacct", ".slurm"), is_sacct, read_sacct))


JOBCOMP_KEY = re.compile(r"(?:^|(?<=\s))([A-Z][A-Za-z]*)=")
# sacct's name: the key of this file.
JOBCOMP_KEYS = {
    "jobid": "JobId", "user": "UserId", "state": "JobState", "partition": "Partition",
    "timelimitraw": "TimeLimit", "submit": "SubmitTime", "eligible": "EligibleTime",
    "start": "StartTime", "end": "EndTime", "allocnodes": "NodeCnt", "alloccpus": "ProcCnt",
    "alloctres": "Tres", "account": "Account", "qos": "QOS", "cluster": "Cluster",
}  # fmt: skip
JOBCOMP_REQUIRED = ("jobid", "state", "start", "end")
JOBCOMP_NEEDS = {"processors": "ProcCnt", "nodes": "NodeCnt", "gpus": "GPUs in Tres"}


def read_jobcomp(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Read a file of jobcomp/filetxt.

    Arrival = EligibleTime, service = EndTime - StartTime, need = what was allocated.
    """
    runs = []
    for number, line in file.lines():
        if not line.strip():
            continue
        book.rows += 1
        row = _read_jobcomp_line(line, number, book)
        run = None if row is None else read_row(row, RowPlace(number, JOBCOMP_KEYS), wanted, book)
        if run is not None:
            runs.append(run)
    words = {
        "need": JOBCOMP_NEEDS[wanted.need],
        "service": "EndTime - StartTime",
        "estimate": "TimeLimit",
    }
    return make_log(make_draft(runs, "jobcomp", wanted, words, book), book)


def _read_jobcomp_line(line: str, number: int, book: CleaningBook) -> Row | None:
    """Return the fields of a line under sacct's names, or None with the reason in the book.

    Users choose the names of jobs and folders: where these hold a key of ours, a field stands
    twice, and nobody can tell which is meant.
    """
    found: dict[str, str] = {}
    keys = list(JOBCOMP_KEY.finditer(line))
    ends = [*(key.start() for key in keys), len(line)][1:]
    for key, end in zip(keys, ends, strict=True):
        if key[1] in found and key[1] in JOBCOMP_KEYS.values():
            book.malformed(number, f"{key[1]} stands twice", f"{key[1]} stands twice")
            return None
        found.setdefault(key[1], line[key.end() : end].strip())
    row = {name: found[key] for name, key in JOBCOMP_KEYS.items() if key in found}
    missing = [JOBCOMP_KEYS[name] for name in JOBCOMP_REQUIRED if name not in row]
    if missing:
        book.malformed(number, f"no {missing[0]}", f"has no {missing[0]}=")
        return None
    row["user"] = row.get("user", "").partition("(")[0]  # `ann(1000)`
    row["partition"] = row.get("partition", "").partition(",")[0]  # the one it ran in comes first
    if "HetJobId" in found:
        row["jobid"] = f"{found['HetJobId']}+{found.get('HetJobOffset', '0')}"
    if found.get("NodeList") == "(null)":
        row["start"] = ""  # it never had a node
    return row


def is_jobcomp(head: bytes) -> bool:
    """Tell a file of jobcomp/filetxt by its first key."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"JobId=")


READERS.register(Reader("jobcomp", (".jobcomp",), is_jobcomp, read_jobcomp))
