"""The movie in a real browser: what is drawn at each step is what the table of jobs says."""

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.contract.test_policies import job_list
from tests.explore.test_movie import occupancies
from zerowait.explore.movie import Movie, log_stage, movie, workload_stage
from zerowait.report.document import Source
from zerowait.report.html.page import Page as Frame
from zerowait.report.html.page import Section

pytestmark = pytest.mark.slow

BODY = """<link rel="stylesheet" href="movie.css"><div id="stage"></div><script type="module">
import { mount } from "./movie.js";
mount(document.getElementById("stage"), await (await fetch("movies.json")).json(), $options);
</script>"""
HANDLE = "document.getElementById('stage').movie"
Opener = Callable[..., None]


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which anything on the console fails the test."""
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.close()
    assert faults == []


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Iterator[Opener]:
    """Opens a small page that imports the module from a server on loopback."""
    for name in ("movie.js", "movie.css"):
        text = files("zerowait.explore").joinpath("page", name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "favicon.ico").touch()
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def show(movies: list[Movie], **options: Any) -> None:
            (tmp_path / "movies.json").write_text(json.dumps([one.as_dict() for one in movies]))
            body = BODY.replace("$options", json.dumps(options))
            frame = Frame("Movie", "", [], [Section("Movie", body)], Source("", {}), scripts=())
            (tmp_path / "index.html").write_text(str(frame), encoding="utf-8")
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            page.wait_for_function(HANDLE)

        yield show
        server.shutdown()


def expected(found: Movie) -> list[tuple[dict[int, set[int]], list[int]]]:
    """After no step, one, two, ...: the servers of each job in service, and the queue."""
    after = [(held, list(step.queue)) for step, held in occupancies(found)]
    return [({}, []), *after]


def check(shown: dict[str, Any], known: list[tuple[dict[int, set[int]], list[int]]]) -> None:
    held, queue = known[shown["step"] + 1]
    drawn = {
        int(job): {server for first, n in pieces for server in range(first, first + n)}
        for job, pieces in shown["running"].items()
    }
    assert drawn == held
    assert shown["queue"] == queue


# Drawn parts of one region must not overlap, must lie in its tiles, and have the size of what
# they stand for.
GEOMETRY = """() => [...document.querySelectorAll('.movie-tiles')].flatMap(tiles => {
    const box = tiles.getBoundingClientRect();
    const cell = box.width / +getComputedStyle(tiles).getPropertyValue('--across');
    const parts = [...tiles.children].map(one => one.getBoundingClientRect());
    const faults = [];
    parts.forEach((a, i) => {
        if (a.left < box.left - 1 || a.right > box.right + 1 || a.bottom > box.bottom + 1) faults.push('outside');
        parts.slice(0, i).forEach(b => {
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) faults.push('overlap');
        });
    });
    const area = parts.reduce((sum, one) => sum + Math.round((one.width + 1) / cell), 0);
    const busy = [...tiles.querySelectorAll('[data-first]')].reduce((sum, one) => sum + +one.dataset.count, 0);
    if (area !== busy) faults.push(`${area} tiles drawn, ${busy} busy`);
    return faults;
})"""  # noqa: E501

WALK = f"""() => {{
    const faults = {GEOMETRY}, movie = {HANDLE}, frames = [];
    const words = () => [...document.querySelectorAll('.movie-words')].map(one => one.textContent);
    for (let at = 0; at < movie.length; at++, movie.next())
        frames.push({{ shown: movie.occupancy(), faults: faults(), words: words() }});
    return frames;
}}"""
BACK = f"""() => {{
    const movie = {HANDLE};
    return Array.from({{ length: movie.length }}, () => {{
        const shown = movie.occupancy();
        movie.back();
        return shown;
    }});
}}"""

PAIRS = [
    (["bs:fcfs", "fcfs"], True),
    (["bs:first-fit", "easy"], False),
    (["msf", "bs:server-filling-srpt"], True),
    (["mbs:fcfs"], True),
]


@pytest.mark.parametrize(("policies", "whole"), PAIRS)
def test_every_step_is_drawn_as_the_table_says(
    page: Page, opened: Opener, policies: list[str], whole: bool
) -> None:
    stage = log_stage(job_list(policies[0], whole, n_jobs=30), 24)
    movies = [movie(stage, policy) for policy in policies]
    page.emulate_media(reduced_motion="reduce")  # nothing is on its way when it is measured
    opened(movies)
    known = [expected(one) for one in movies]
    frames = page.evaluate(WALK)
    seen: list[set[int]] = [set() for _ in movies]
    for at, frame in enumerate(frames):
        assert frame["faults"] == [], at
        for m, one in enumerate(frame["shown"]):
            check(one, known[m])
            seen[m].add(one["step"])
            if one["step"] >= 0:
                assert frame["words"][m] == movies[m].steps[one["step"]].words
    for m, one_movie in enumerate(movies):
        assert seen[m] == set(range(-1, len(one_movie.steps)))
    back = page.evaluate(BACK)
    assert back == [frame["shown"] for frame in reversed(frames)]


def small() -> list[Movie]:
    stage = workload_stage("figure1", 32, load=0.9, jobs=12, seed=4)
    return [movie(stage, policy) for policy in ("bs:fcfs", "fcfs")]


def test_keys_buttons_and_slider_step(page: Page, opened: Opener) -> None:
    movies = small()
    opened(movies)

    def at() -> int:
        return int(page.evaluate(f"{HANDLE}.at"))

    page.locator(".movie").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert at() == 2
    said = page.locator(".movie-live").text_content() or ""
    assert movies[0].steps[1].words in said
    assert page.locator(".movie-live").get_attribute("aria-live") == "polite"
    assert page.locator(".movie-rules [aria-current]").count() == 2
    page.get_by_role("button", name="step forward").click()
    assert at() == 3
    page.get_by_role("button", name="step forward").press("ArrowRight")
    assert at() == 4
    slider = page.get_by_role("slider", name="step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert at() == 5
    steps, time = page.evaluate(f"{HANDLE}.length") - 1, page.locator(".movie-clock").text_content()
    assert slider.get_attribute("aria-valuetext") == f"step 5 of {steps}, {time}"
    page.locator(".movie").focus()
    page.keyboard.press("Space")
    assert page.evaluate(f"{HANDLE}.playing")
    page.keyboard.press("Space")
    assert not page.evaluate(f"{HANDLE}.playing")
    page.keyboard.press("End")
    assert page.evaluate(f"{HANDLE}.time") == max(one.steps[-1].time for one in movies)
    page.keyboard.press("Home")
    assert at() == 0


def test_it_plays_to_the_end_and_rests(page: Page, opened: Opener) -> None:
    movies = small()
    opened(movies, speed=16, autoplay=True)
    page.wait_for_function(f"{HANDLE}.at === {HANDLE}.length - 1 && !{HANDLE}.playing")
    shown = page.evaluate(f"{HANDLE}.occupancy()")
    assert [(one["running"], one["queue"]) for one in shown] == [({}, [])] * 2
    page.evaluate(f"{HANDLE}.destroy()")
    assert page.locator("#stage").inner_html() == ""


def test_reduced_motion_plays_nothing_by_itself(page: Page, opened: Opener) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(small(), autoplay=True)
    assert not page.evaluate(f"{HANDLE}.playing")
    page.evaluate(f"{HANDLE}.next()")
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("servers", [64, 1024])
def test_it_fits_desks_and_phones(page: Page, opened: Opener, width: int, servers: int) -> None:
    stage = workload_stage("figure1", servers, load=0.9, jobs=200)
    page.set_viewport_size({"width": width, "height": 800})
    opened([movie(stage, policy) for policy in ("bs:fcfs", "fcfs")])
    page.evaluate(f"{HANDLE}.go({HANDLE}.length / 2)")
    assert page.evaluate(GEOMETRY) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    edges = page.evaluate("""[...document.querySelectorAll('.movie-region, .movie-job')]
        .map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])""")
    assert min(left for left, _ in edges) >= 0
    assert max(right for _, right in edges) <= width
