"""Nobody but the page that was opened can ask anything; the command starts and ends cleanly."""

import http.client
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.cli.running import interrupted, started
from tests.conditions import GIVE_UP_S
from tests.small_log import small_log
from zerowait.cli.explore import _subject, explore_command
from zerowait.experiment.checks import entries_of
from zerowait.experiment.files.plan_file import Plan, save_plan
from zerowait.experiment.options import LogFileOptions
from zerowait.explore.html import catalogue
from zerowait.explore.question import Question
from zerowait.explore.server import Explorer, serving
from zerowait.explore.subject import Subject
from zerowait.model import InputError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("explorer asked by HTTP")]

ASKED = "api/compare?workload=figure1&servers=32&policy=no-such"


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    with serving(Subject()) as running:
        got(running.address)  # its thread has imported all it needs
        yield running


class Got(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: str


def got(address: str, path: str | None = None, method: str = "GET", **headers: str) -> Got:
    """Asks with exactly these headers; `path` instead of that of the address."""
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    target = path or parts.path + (f"?{parts.query}" if parts.query else "")
    server = http.client.HTTPConnection(parts.hostname, parts.port, timeout=GIVE_UP_S)
    with closing(server) as connection:
        connection.putrequest(method, target, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        found = connection.getresponse()
        return Got(found.status, found.headers, found.read().decode())


def test_the_page_is_there_and_keeps_to_itself(explorer: Explorer) -> None:
    found = got(explorer.address)
    page = found.body
    assert found.status == 200
    assert "<h1>The explorer</h1>" in page
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert found.headers["referrer-policy"] == "no-referrer"
    for name in ("app.js", "chart.js", "explore.css", "movie.js"):
        assert got(explorer.address + name).status == 200


def test_what_comes_from_elsewhere_is_refused(explorer: Explorer) -> None:
    port = urlsplit(explorer.address).port
    own = f"http://127.0.0.1:{port}"
    path = urlsplit(explorer.address).path
    assert got(explorer.address, Origin=own).status == 200
    assert got(explorer.address, Host=f"localhost:{port}").status == 200
    assert got(explorer.address, Host="evil.example").status == 403
    assert got(explorer.address, Host=f"evil.example:{port}").status == 403
    assert got(explorer.address, Host="127.0.0.1").status == 403
    for origin in (
        "http://evil.example",
        "null",
        "http://127.0.0.1:1",
        f"https://127.0.0.1:{port}",
    ):
        assert got(explorer.address + ASKED, Origin=origin).status == 403
    assert got(explorer.address, Sec_Fetch_Site="cross-site").status == 403
    for wrong in ("/", "/wrong/", "/wrong/" + ASKED, path[:-1], path[:-2] + "/", "/favicon.ico"):
        assert got(explorer.address, wrong).status == 403
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert got(explorer.address, method=method).status == 405


def test_no_file_can_be_fetched(explorer: Explorer) -> None:
    path = urlsplit(explorer.address).path
    for name in ("../../pyproject.toml", "..%2f..%2fpyproject.toml", "html.py", "page/app.js"):
        found = got(explorer.address, path + name)
        assert found.status == 404, name
        assert found.body in ("", "Not Found")


def test_what_is_refused_is_an_answer_in_one_line(explorer: Explorer) -> None:
    found = got(explorer.address + ASKED).body
    kind, told = found.strip().split("\n")
    assert kind == "event: refused"
    assert "there is no policy 'no-such'" in json.loads(told.removeprefix("data: "))


def test_the_command_prints_its_address_and_ends_with_ctrl_c() -> None:
    process = started("explore", "--no-browser", "-k", 64)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert got(address).status == 200
    assert "interrupted; the explorer is closed" in interrupted(process)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (["no-such"], "is not known"),
        (["no-such.toml"], "no-such.toml"),
        (["figure1", "kit-fh2"], "one workload or log and one plan"),
    ],
)
def test_what_cannot_be_explored_is_refused(what: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        explore_command(what=what, servers=None, port=0, browser=False, policy_file=None)


def test_a_plan_and_its_log_are_opened_together(tmp_path: Path) -> None:
    log = small_log(tmp_path / "log.csv", weeks=1)
    plan = Plan(64, "easy", "backfill,order=need", "short jobs wait less", overruns="kill")
    save_plan(plan, tmp_path / "plan.toml")
    options = {one.name: one.default for one in entries_of(LogFileOptions)}
    subject = _subject([str(tmp_path / "plan.toml"), str(log)], None, options | {"max_need": 32})
    assert subject.log is not None
    assert subject.log.jobs.need.max() == 32
    assert subject.servers == 64
    start = catalogue(subject)["start"]
    assert start["policy"] == ["easy", "backfill,order=need"]
    assert start["overruns"] == "kill"
    asked = Question.of([("workload", str(log)), ("policy", "easy")])
    assert asked.command(subject) == f"zerowait compare {log} easy --max-need 32"
    assert "filter_log" in asked.python(subject)
    alone = _subject([str(tmp_path / "plan.toml")], None, options)
    assert (alone.name, alone.servers) == ("figure1", 64)


def test_a_port_that_is_taken_is_refused(explorer: Explorer) -> None:
    port = urlsplit(explorer.address).port
    with pytest.raises(InputError, match="in use"):
        explore_command(what=None, servers=None, port=port, browser=False, policy_file=None)


def test_without_its_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [one for one in sys.modules if one.startswith("zerowait.explore.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(InputError, match=r"pip install 'zerowait\[explore\]'"):
        explore_command(what=None, servers=None, port=0, browser=False, policy_file=None)
