"""The documentation builds without a warning, knows every register, and has no dead links."""

import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import zerowait as zw
from tests.unit.experiment.test_options import TAKEN
from zerowait.cli import COMMANDS
from zerowait.experiment.checks import entries_of
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.options import SweepOptions
from zerowait.model.laws import LAWS
from zerowait.model.workloads import WORKLOADS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("built documentation")]

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Warnings are errors: a page that no list names, a link to nowhere, a bad docstring."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    done = subprocess.run(
        [*command, "-d", out / "doctrees", ROOT / "docs", out / "html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out / "html"


def test_the_reference_has_everything_that_can_be_named(site: Path) -> None:
    reference = {
        path.stem: unescape(path.read_text()) for path in (site / "reference").glob("*.html")
    }
    # Other tests of this process may have registered some of their own.
    for kind in (one for one in zw.POLICIES.values() if one.__module__.startswith("zerowait.")):
        assert f">{kind.name}<" in reference["policies"]
        assert kind.throughput_optimal in reference["policies"]
        assert kind.source.split(";")[0] in reference["policies"]
    for name in COMMANDS:
        assert f">zerowait {name}<" in reference["commands"]
    for page, names in {"laws": LAWS, "workloads": WORKLOADS, "measures": MEASURES}.items():
        assert all(f">{name}<" in reference[page] for name in names)
    for name in zw.__all__:
        if name not in ("__version__", "workloads"):
            assert f'id="zerowait.{name}"' in reference["python"], name


def test_the_reference_has_every_option_of_every_function(site: Path) -> None:
    text = (site / "reference" / "options.html").read_text()
    _, *pieces = re.split(r"<h2>(\w+)<", text)
    told = dict(zip(pieces[::2], pieces[1::2], strict=True))
    kinds = {function.__name__: kind for function, kind, _ in TAKEN} | {"sweep": SweepOptions}
    for name, kind in kinds.items():
        for one in entries_of(kind):
            assert f">{one.name}<" in told[name], (name, one.name)


class Links(HTMLParser):
    """What a page has: places to go to, places to be gone to, things to fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.ids: set[str] = set()
        self.fetched: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.add(str(given["href"]))
        self.fetched |= (
            {str(given["src"])} if tag in ("script", "img") and "src" in given else set()
        )


def test_links_lead_somewhere_and_nothing_is_fetched_from_afar(site: Path) -> None:
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html")}
    assert len(pages) > 30
    for path, page in pages.items():
        assert not [source for source in page.fetched if source.startswith(("http", "//"))]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].ids | {""}, f"{path}: {link}"


def test_every_page_of_the_repository_is_on_the_site(site: Path) -> None:
    for document in (ROOT / "docs").rglob("*.md"):
        place = document.relative_to(ROOT / "docs")
        if "_build" not in place.parts and place != Path("decisions/README.md"):
            assert (site / place).with_suffix(".html").exists()
