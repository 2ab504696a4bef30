"""Files of Slurm's `JobCompType=jobcomp/filetxt`: a line of `Key=value` pairs for each job."""

import re

from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.log import Log, make_log
from zerowait.traces.readers.base import Reader, Reading, register
from zerowait.traces.readers.slurm.rows import Place, Row, read_row
from zerowait.traces.readers.slurm.runs import draft_of
from zerowait.traces.unpack import LogFile

KEY = re.compile(r"(?:^|(?<=\s))([A-Z][A-Za-z]*)=")
# sacct's name: the key of this file.
KEYS = {
    "jobid": "JobId", "user": "UserId", "state": "JobState", "partition": "Partition",
    "timelimitraw": "TimeLimit", "submit": "SubmitTime", "eligible": "EligibleTime",
    "start": "StartTime", "end": "EndTime", "allocnodes": "NodeCnt", "alloccpus": "ProcCnt",
    "alloctres": "Tres", "account": "Account", "qos": "QOS", "cluster": "Cluster",
}  # fmt: skip
REQUIRED = ("jobid", "state", "start", "end")
NEED_WORDS = {"processors": "ProcCnt", "nodes": "NodeCnt", "gpus": "GPUs in Tres"}


def read_jobcomp(file: LogFile, wanted: Reading, book: CleaningBook) -> Log:
    """Arrival = EligibleTime, service = EndTime - StartTime, need = what was allocated."""
    runs = []
    for number, line in file.lines():
        if not line.strip():
            continue
        book.rows += 1
        row = _row(line, number, book)
        run = None if row is None else read_row(row, Place(number, KEYS), wanted, book)
        if run is not None:
            runs.append(run)
    words = {
        "need": NEED_WORDS[wanted.need],
        "service": "EndTime - StartTime",
        "estimate": "TimeLimit",
    }
    return make_log(draft_of(runs, "jobcomp", wanted, words, book), book)


def _row(line: str, number: int, book: CleaningBook) -> Row | None:
    """The fields under sacct's names. Users choose names of jobs and folders: where these hold a
    key of ours, a field stands twice, and nobody can tell which is meant."""
    found: dict[str, str] = {}
    keys = list(KEY.finditer(line))
    ends = [*(key.start() for key in keys), len(line)][1:]
    for key, end in zip(keys, ends, strict=True):
        if key[1] in found and key[1] in KEYS.values():
            book.malformed(number, f"{key[1]} stands twice", f"{key[1]} stands twice")
            return None
        found.setdefault(key[1], line[key.end() : end].strip())
    row = {name: found[key] for name, key in KEYS.items() if key in found}
    missing = [KEYS[name] for name in REQUIRED if name not in row]
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


def recognises(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"JobId=")


register(Reader("jobcomp", (".jobcomp",), recognises, read_jobcomp))
