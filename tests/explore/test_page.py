"""The explorer in a real browser: what is moved has the numbers of the command line."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import zerowait as zw
from tests.cli.running import answer
from tests.conditions import GIVE_UP_S
from tests.small_log import small_log
from zerowait.experiment.files.plan_file import Plan
from zerowait.explore.server import Explorer, serving
from zerowait.explore.subject import Subject

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("explorer in a browser")]

SMALL = "workload=figure1&servers=64&load=0.7&arrivals=10000&replications=2&seed=3"
SPLIT = f"#{SMALL}&policy=fcfs&policy=bs:fcfs,slots=8/2/1/0"
DONE = "body[data-state$=done]"
Opener = Callable[..., Page]


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    with serving(Subject()) as running:
        yield running


@pytest.fixture
def opened(browser: Browser, context: BrowserContext) -> Iterator[Opener]:
    """Opens pages on which errors, and anything fetched from elsewhere, fail the test."""
    pages: list[Page] = []
    faults: list[str] = []

    def opener(explorer: Explorer, state: str = "", done: bool = True, **look: Any) -> Page:
        page = browser.new_page(**look) if look else context.new_page()
        page.set_default_timeout(GIVE_UP_S * 1000)
        pages.append(page)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        ours = (explorer.address, "data:", "blob:")
        page.on("request", lambda one: None if one.url.startswith(ours) else faults.append(one.url))
        page.goto(explorer.address + state)
        if done:
            page.wait_for_selector(DONE)
        return page

    yield opener
    for page in pages:
        page.close()
    assert faults == []


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(page.url.partition("#")[2])


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what a page does in its own time, while it goes on doing it."""
    end = time.monotonic() + GIVE_UP_S
    while not holds():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def shown(page: Page) -> list[float]:
    """The numbers of the table of all jobs, in full."""
    cells = page.locator("#all-jobs td[data-value]")
    return [float(cell.get_attribute("data-value") or "nan") for cell in cells.all()]


def printed(page: Page) -> list[float]:
    """The same numbers, as the command that the page shows prints them."""
    return numbers(answer(*page.locator("#command").inner_text().split()[1:]))


def computed(page: Page) -> Any:
    """What the Python that the page shows computes."""
    names: dict[str, Any] = {}
    text = page.locator("#python").inner_text()
    exec(text.replace("zw.compare(", "found = zw.compare("), names)
    return names["found"]


def numbers(told: dict[str, Any]) -> list[float]:
    found: list[float] = []
    for row, result in zip(told["rows"], told["results"], strict=True):
        wait = result["overall"]["wait"]
        found += [row["wait"], wait["p95"], wait["max"]]
        found += [row["p_wait"], row["utilisation"], row["response"]]
    return found


def border(page: Page, number: int) -> Any:
    return page.locator("[role=slider]").nth(number)


def test_a_dragged_border_gives_the_numbers_of_the_command_line(
    explorer: Explorer, opened: Opener
) -> None:
    page = opened(explorer, SPLIT)
    before = shown(page)
    box, bar = border(page, 0).bounding_box(), page.locator(".split .bar").bounding_box()
    assert box is not None
    assert bar is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 4.2 * bar["width"] / 64, y, steps=6)
    page.mouse.up()
    page.wait_for_selector("[role=slider][aria-valuenow='12']")
    page.wait_for_selector(DONE)
    assert asked(page)["policy"] == ["fcfs", "balanced-splitting:fcfs,slots=12/2/1/0"]
    after = shown(page)
    assert after[:6] == before[:6]  # fcfs has the same jobs, and no split
    assert after[6:] != before[6:]
    assert after == printed(page)


def test_a_border_moves_by_keys_and_says_where_it_is(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT)
    border(page, 1).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=slider][aria-valuenow='3']")
    page.wait_for_selector(DONE)
    assert asked(page)["policy"][1].endswith("slots=8/3/1/0")
    told = border(page, 1)
    assert told.get_attribute("aria-valuetext") == "6 servers: 3 slots of 2; 46 helpers"
    assert told.evaluate("one => one === document.activeElement")
    page.keyboard.press("End")
    page.wait_for_selector("[role=slider][aria-valuenow='22']")  # 8 helpers for the class without
    page.keyboard.press("Home")
    page.wait_for_selector(DONE)
    assert asked(page)["policy"][1].endswith("slots=8/0/1/0")
    page.get_by_role("button", name="balanced", exact=True).click()
    page.wait_for_selector("button[aria-pressed=true]:text('balanced')")
    page.wait_for_selector(DONE)
    assert asked(page)["policy"][1] == "balanced-splitting:fcfs"


def test_a_slider_is_dragged_though_the_page_is_drawn_anew(
    explorer: Explorer, opened: Opener
) -> None:
    page = opened(explorer, SPLIT)
    box = page.locator("#load").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.69 * box["width"], y)
    page.mouse.down()
    for part in (0.6, 0.5, 0.4, 0.3):
        page.mouse.move(box["x"] + part * box["width"], y)
        page.wait_for_timeout(120)  # long enough for an answer, and for the page to be drawn
    page.mouse.up()
    page.wait_for_selector(DONE)
    assert 0.3 < float(asked(page)["load"][0]) < 0.36
    assert shown(page) == numbers(computed(page).as_dict())


def test_twenty_quick_changes_leave_one_computation(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT.replace("arrivals=10000", "arrivals=1000000"), done=False)
    page.wait_for_selector("[role=slider]")
    for number in range(20):
        page.get_by_label("seed", exact=True).fill(str(number + 100))
        page.get_by_label("seed", exact=True).press("Enter")
        if number % 5 == 0:
            page.wait_for_timeout(80)  # long enough to be asked
        assert explorer.requests.running <= 1
    until(page, lambda: (explorer.requests.running, explorer.requests.waiting) == (1, 0))
    assert explorer.requests.most_running == 1
    page.get_by_label("arrivals").select_option("10000")
    page.wait_for_selector(DONE)
    assert shown(page) == numbers(computed(page).as_dict())
    assert asked(page)["seed"] == ["119"]


def test_nothing_is_computed_where_no_page_listens(explorer: Explorer, opened: Opener) -> None:
    longest = SPLIT.replace("arrivals=10000&replications=2", "arrivals=2000000&replications=16")
    page = opened(explorer, longest, done=False)
    until(page, lambda: explorer.requests.running == 1)
    page.goto("about:blank")
    core_s = time.process_time()
    until(page, lambda: (explorer.requests.running, explorer.requests.waiting) == (0, 0))
    assert time.process_time() - core_s < 5  # by itself it would go on for longer than that


def test_the_address_holds_everything(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT)
    page.locator("#load").press("ArrowLeft")
    page.get_by_role("button", name="+ another policy").click()
    page.get_by_label("policy 3", exact=True).select_option("backfill")
    page.get_by_role("button", name="due", exact=True).click()
    page.wait_for_selector("text=patience")
    page.wait_for_selector(DONE)
    page.get_by_label("reserve_after").press("ArrowRight")
    until(page, lambda: "reserve_after" in asked(page)["policy"][2])
    page.wait_for_selector(DONE)
    found = asked(page)
    assert found["load"] == ["0.695"]
    number = r"[\d.]+"
    spelling = f"backfill,order=due,reserve_after={number},patience={number}"
    assert re.fullmatch(spelling, found["policy"][2])
    again = opened(explorer, f"#{page.url.partition('#')[2]}")
    assert again.url == page.url
    assert shown(again) == shown(page) == numbers(computed(again).as_dict())
    assert again.locator("#python").inner_text() == page.locator("#python").inner_text()


def test_what_is_downloaded_is_what_is_shown(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT)
    taken = {}
    for name in ("#json", "#csv", ".svg >> nth=2"):
        with page.expect_download() as download:
            page.locator(name).click()
        taken[name] = Path(download.value.path()).read_text(encoding="utf-8")
    told = json.loads(taken["#json"])
    assert [row["wait"] for row in told["rows"]] == [shown(page)[0], shown(page)[6]]
    assert told["command"] == page.locator("#command").inner_text()
    assert taken["#csv"].startswith("policy,job_class,diverging,response,")
    drawing = taken[".svg >> nth=2"]
    assert drawing.startswith("<svg")
    assert "xmlns" in drawing
    assert "stroke:rgb(213, 94, 0)" in drawing  # the policy's own hue, without a style sheet


def test_what_is_refused_is_told_and_can_be_mended(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT)
    page.get_by_label("servers", exact=True).fill("10")
    page.get_by_label("servers", exact=True).press("Enter")
    page.wait_for_selector("body[data-state=refused]")
    assert "slots" in page.get_by_role("alert").inner_text()
    page.get_by_label("servers", exact=True).fill("64")
    page.get_by_label("servers", exact=True).press("Enter")
    page.wait_for_selector(DONE)
    assert page.locator("#trouble").is_hidden()
    assert shown(page) == numbers(computed(page).as_dict())


def test_a_search_moves_the_borders(
    explorer: Explorer, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerowait.explore.answers.EVALUATIONS", 12)
    page = opened(explorer, SPLIT)
    page.get_by_role("button", name="search", exact=True).click()
    page.wait_for_selector(".search-status:has-text('did not see')")
    page.wait_for_selector(DONE)
    assert "slots=" in asked(page)["policy"][1]


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_charts_are_drawn_and_fit(
    explorer: Explorer, opened: Opener, width: int, scheme: str
) -> None:
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    page = opened(explorer, SPLIT, **look)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    plots = page.locator("figure.chart .plot > svg")
    assert plots.count() == 3
    for plot in plots.all():
        assert plot.locator(".dot, .line, .error").count() > 0
        assert "NaN" not in plot.inner_html()


def test_everything_can_be_reached_by_keys_and_has_a_name(
    explorer: Explorer, opened: Opener
) -> None:
    page = opened(explorer, SPLIT)
    controls = page.locator("main :is(button, select, input, summary, [role=slider])")
    assert controls.count() > 25
    nameless = controls.evaluate_all(
        """all => all.filter(one => !one.labels?.length && !one.ariaLabel)
        .filter(one => !one.textContent.trim()).map(one => one.outerHTML)"""
    )
    assert nameless == []
    assert controls.evaluate_all("all => all.every(one => one.tabIndex >= 0)")


def test_who_opens_the_movie_has_its_keys(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, SPLIT)
    page.get_by_role("button", name="a small example").click()
    page.wait_for_selector("#movie .movie-panel >> nth=1")
    page.wait_for_function("document.activeElement.classList.contains('movie')")
    before = page.evaluate("document.getElementById('movie').movie.at")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getElementById('movie').movie.at") == before + 1


def test_the_movie_is_played_on_the_questions_jobs(explorer: Explorer, opened: Opener) -> None:
    page = opened(explorer, f"{SPLIT}&movie=1&jobs=20&at=9")
    page.wait_for_selector("#movie .movie-panel >> nth=1")
    found = page.evaluate("document.getElementById('movie').movie.occupancy()")
    assert [one["policy"] for one in found] == ["fcfs", "balanced-splitting:fcfs,slots=8/2/1/0"]
    assert page.evaluate("document.getElementById('movie').movie.at") == 9
    page.get_by_role("button", name="step forward").click()
    until(page, lambda: asked(page)["at"] == ["10"])
    assert page.locator("body[data-state$=done]").count() == 1  # nothing was asked again


def test_a_log_and_its_plan(tmp_path: Path, opened: Opener) -> None:
    path = small_log(tmp_path / "log.csv", weeks=5)
    front = [
        {"policy": "backfill,order=need", "what": "short first", "scored_on": "second half",
         "seen": False, "ratio": 0.8, "low": 0.7, "high": 0.9},
        {"policy": "first-fit", "what": "other", "scored_on": "second half", "seen": False,
         "ratio": 1.1, "low": 1.0, "high": 1.2},
    ]  # fmt: skip
    plan = Plan(64, "easy", "backfill,order=need", "short jobs wait less", front=tuple(front))
    subject = Subject(str(path), 64, log=zw.read_log(path), plan=plan, plan_name="plan.toml")
    with serving(subject) as running:
        page = opened(running)
        assert asked(page)["policy"] == ["easy", "backfill,order=need"]
        assert page.locator("#front figure svg .dot").count() == 2
        page.get_by_role("button", name="look at first-fit").click()
        page.wait_for_selector("#all-jobs td:has-text('first-fit')")
        page.wait_for_selector(DONE)
        assert shown(page)[::6] == [one.wait for one in computed(page).results]
        # The other way: a point of the chart itself.
        page.locator("#front figure").scroll_into_view_if_needed()
        dot = page.locator("#front figure svg .dot").first.bounding_box()
        assert dot is not None
        page.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
        until(page, lambda: asked(page)["policy"][-1] == "backfill,order=need")
        page.wait_for_selector(DONE)
