"""`--report`: refused before the run where it cannot be written, and whole where it can."""

from pathlib import Path

import pytest

from tests.cli.running import answer, refusal

SMALL = ("figure1", "fcfs", "bs:fcfs", "-k", "64", "--load", "0.5", "--arrivals", "2000")


@pytest.mark.parametrize(
    ("name", "said"),
    [("page.txt", "unknown kind of file; name it .html"), ("none/page.html", "there is no folder")],
)
def test_a_page_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, name: str, said: str
) -> None:
    endless = ("--arrivals", "1000000000000")
    assert said in refusal("compare", *SMALL, *endless, "--report", tmp_path / name)
    assert said in refusal("replay", tmp_path / "no.swf", "--report", tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_report_beside_json(tmp_path: Path) -> None:
    told = answer("compare", *SMALL, "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert told["command"].startswith("zerowait compare figure1 fcfs")
    assert '<pre class="command">zerowait compare figure1 fcfs' in page
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
