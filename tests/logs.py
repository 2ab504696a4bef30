"""Real logs for tests: in $ZEROWAIT_TRACES or ../shared/traces, never in the repository."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("ZEROWAIT_TRACES") or ROOT.parent / "shared" / "traces")

SDSC = "SDSC-SP2-1998-4.2-cln.swf.gz"
SDSC_OLD = "SDSC-SP2-1998-4.1-cln.RECONSTRUCTED.swf.gz"
CTC = "CTC-SP2-1996-3.1-cln.swf.gz"
KTH = "KTH-SP2-1996-2.1-cln.swf.gz"
NASA = "NASA-iPSC-1993-3.1-cln.swf.gz"
GAIA = "UniLu-Gaia-2014-1.swf.gz"
KIT = "KIT-FH2-2016-1.first25358.cqsim-derived.csv.gz"


def real_log(name: str) -> Path:
    """The path of a real log; the test is skipped, with the reason, where there is none."""
    path = FOLDER / name
    if not path.exists():
        reason = f"the log {name} is not in {FOLDER}; set ZEROWAIT_TRACES to where it is"
        if os.environ.get("ZEROWAIT_LOGS") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def swf_line(
    job: int = 1,
    submit: float = 0,
    wait: float = 0,
    run: float = 10,
    procs: int = 1,
    requested: int = -1,
    estimate: float = -1,
    status: int = 1,
    user: int = 1,
) -> str:
    """A line of 18 fields."""
    return (
        f"{job} {submit} {wait} {run} {procs} -1 -1 {requested} {estimate} -1 {status} "
        f"{user} -1 -1 -1 -1 -1 -1"
    )
