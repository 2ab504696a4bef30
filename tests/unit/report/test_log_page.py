"""The page of a log: self-contained, valid, and safe whatever the log says."""

from pathlib import Path

from tests.logs import swf_line
from tests.pages import check
from zerowait.report import page as page_of
from zerowait.report.documents.log import LogDocument
from zerowait.traces.reading import read_log


def test_a_full_log(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    lines = [
        swf_line(
            i, submit=i * 5000, wait=i % 3, run=60 + i, procs=1 + i % 9, estimate=500, user=i % 4
        )
        for i in range(300)
    ]
    path.write_text("; Installation: <b>HPC & co</b>\n; MaxProcs: 32\n" + "\n".join(lines))
    log = read_log(path)
    page = page_of(LogDocument(log, command="zerowait trace info <log>"))
    tags = check(page)
    assert tags.count["figure"] == 7
    assert "b" not in tags.count or "<b>HPC" not in page
    assert "HPC &amp; co" in page


def test_a_bare_table_of_one_job(tmp_path: Path) -> None:
    path = tmp_path / "<script>.csv"
    path.write_text("arrival,need,service\n0,1,0\n")
    log = read_log(path)
    page = page_of(LogDocument(log, command="x"))
    tags = check(page)
    assert tags.count["figure"] == 5
    assert tags.count["script"] == 1  # the frame's own


def test_the_same_log_gives_the_same_page(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service,user\n0,1,5,$a$\n9,4,5,b_\n")
    log = read_log(path)
    assert page_of(LogDocument(log, command="x")) == page_of(LogDocument(log, command="x"))
