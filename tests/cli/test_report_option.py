"""`--report`: refused before the run where it cannot be written, and whole where it can."""

from pathlib import Path

import pytest

from tests.cli.running import answer, refusal

pytestmark = pytest.mark.slow

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


def test_the_page_of_a_sweep_shows_its_points_alone(tmp_path: Path) -> None:
    file = tmp_path / "exp.toml"
    file.write_text(
        'workloads = "figure1"\nservers = [64, 256]\npolicies = ["fcfs"]\narrivals = 1000\n'
    )
    out = ("--out", tmp_path / "out")
    answer("sweep", file, *out)
    file.write_text(file.read_text().replace("fcfs", "bs:fcfs"))
    answer("sweep", file, *out, "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "exp.toml" in page
    assert "1 policies" in page
    assert "servers 64 to 256" in page
