"""Reports in a real browser: charts are drawn, tables sort, phones and printers are thought of."""

import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import BrowserContext, Page
from tests.cli.running import ran
from tests.conditions import GIVE_UP_S

import zerowait as zw
from zerowait.report import page as page_of
from zerowait.report.document import Source
from zerowait.report.html.page import Page as Frame

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages of results")]

SCREENS = ((1200, 900), (360, 740))
KINDS = ("compare", "replay", "sweep", "log", "gantt")
REDRAWN = """[...document.querySelectorAll("figure.chart")]
    .every(figure => figure.chart.width === figure.chart.plot.clientWidth)"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One report of each kind, as users make them but for the sweep's."""
    folder = tmp_path_factory.mktemp("reports")
    made = {kind: folder / f"{kind}.html" for kind in KINDS}
    ran("compare", "figure1", "fcfs", "first-fit", "bs:fcfs", "mbs:fcfs", "-k", 256,
        "--load", 0.8, "--arrivals", 20000, "--report", made["compare"])  # fmt: skip
    rng = np.random.default_rng(1)
    arrival = np.cumsum(rng.exponential(2000.0, 2000)).round()
    log = pl.DataFrame(
        {
            "arrival": arrival,
            "need": 2 ** rng.integers(0, 5, 2000),
            "service": rng.exponential(5000.0, 2000).round() + 1,
            "user": [f"user {i % 7}" for i in range(2000)],
        }
    )
    log.write_csv(folder / "log.csv")
    ran("replay", folder / "log.csv", "-k", 32, "-p", "bs:first-fit", "--users",
        "--report", made["replay"], "--gantt", made["gantt"])  # fmt: skip
    ran("trace", "info", folder / "log.csv", "-k", 32, "--html", made["log"])
    rows = [
        {"policy": policy, "servers": servers, "load": 0.9, "response": 20 / servers + 1.0,
         "response_half_width": 0.1, "wait": 20 / servers, "diverging": servers < 64 - 16 * better}
        for better, policy in enumerate(("fcfs", "balanced-splitting:fcfs"))
        for servers in (32, 64, 128)
    ]  # fmt: skip
    made["sweep"].write_text(page_of(pl.DataFrame(rows), "zerowait sweep"), encoding="utf-8")
    return made


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which errors and anything fetched from elsewhere fail the test."""
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on(
        "request",
        lambda request: faults.append(request.url) if request.url[:5] != "file:" else None,
    )
    yield opened
    opened.close()
    assert faults == []


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_chart_is_drawn_on_every_screen(
    page: Page, pages: dict[str, Path], kind: str
) -> None:
    page.goto(pages[kind].as_uri())
    n_charts = {"compare": 4, "replay": 3, "sweep": 1, "log": 0, "gantt": 0}[kind]
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(REDRAWN)
        plots = page.locator("figure.chart .plot > svg")
        assert plots.count() == n_charts
        for plot in plots.all():
            assert plot.locator(".dot, .line, .error").count() > 0
            assert plot.locator(".grid").count() > 1
            assert "NaN" not in plot.inner_html()
            assert plot.get_attribute("aria-label")
        assert overflow(page) <= 0


def test_spellings_of_policies_wrap_wherever_they_stand(page: Page, tmp_path: Path) -> None:
    long = "backfill,order=due,reserve_after=2400,patience=9h,need_weight=0.373,time_weight=1"
    frame = Frame(long, long, [f"**Change to {long}.**", long], [], Source(long, {}), [long])
    path = tmp_path / "page.html"
    path.write_text(str(frame), encoding="utf-8")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(path.as_uri())
    assert overflow(page) <= 0


def test_tables_sort_by_keyboard(page: Page, pages: dict[str, Path]) -> None:
    page.goto(pages["compare"].as_uri())
    table = page.locator("table").first
    column = [name.inner_text().split()[0] for name in table.locator("th").all()].index("mean")

    def values() -> list[float]:
        cells = table.locator(f"tbody td:nth-child({column + 1})[data-value]")
        return [float(str(cell.get_attribute("data-value"))) for cell in cells.all()]

    given = values()
    assert given not in (sorted(given), sorted(given, reverse=True))
    head = table.locator("th").nth(column)
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert values() == sorted(given)
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert values() == sorted(given, reverse=True)


def test_charts_answer_to_pointer_and_keys(page: Page, pages: dict[str, Path]) -> None:
    page.goto(pages["compare"].as_uri())
    figure = page.locator("figure.chart").first
    plot, tip = figure.locator(".plot > svg"), figure.locator(".tip")
    figure.locator(".dot").first.hover()
    assert tip.inner_text().startswith("fcfs: ")
    ticks = plot.locator("text[y]").all_text_contents()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 40, steps=4)
    page.mouse.up()
    whole = figure.get_by_role("button", name="whole range")
    assert plot.locator("text[y]").all_text_contents() != ticks
    whole.click()
    assert plot.locator("text[y]").all_text_contents() == ticks
    assert whole.is_hidden()
    plot.focus()
    page.keyboard.press("ArrowRight")
    assert tip.inner_text().startswith("fcfs: ")
    page.keyboard.press("ArrowRight")
    assert tip.inner_text().startswith("first-fit: ")
    figure.locator("select").select_option("P(wait)")
    assert "P(wait)" in plot.locator("text").all_text_contents()


def test_a_policy_can_be_hidden_and_looks_the_same_in_every_chart(
    page: Page, pages: dict[str, Path]
) -> None:
    page.goto(pages["compare"].as_uri())
    figure = page.locator("figure.chart").nth(2)
    lines = figure.locator(".plot .line")
    assert lines.count() == 3  # mbs:fcfs is diverging, and has crosses at the top
    assert figure.locator(".plot .error.indigo").count() == 4
    assert page.locator(".plot text.none").first.text_content() == "diverging: no mean"
    key = figure.get_by_role("button", name="bs:fcfs", exact=True)
    key.click()
    assert lines.count() == 2
    assert key.get_attribute("aria-pressed") == "false"
    colour = "e => getComputedStyle(e).fill"
    shown = {
        str(page.locator("figure.chart").nth(i).locator(".plot .dot.blue").first.evaluate(colour))
        for i in (0, 1, 3)
    }
    assert shown == {"rgb(0, 114, 178)"}


@pytest.mark.parametrize("kind", KINDS)
def test_dark_screens_are_dark_and_paper_is_white(
    page: Page, pages: dict[str, Path], kind: str
) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto(pages[kind].as_uri())
    assert page.evaluate(paper) == "rgb(20, 22, 26)"
    page.emulate_media(color_scheme="dark", media="print")
    page.set_viewport_size({"width": 690, "height": 900})  # A4 within its margins
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert page.locator(".copy").is_hidden()
    assert overflow(page) <= 0


def test_no_label_is_clipped_however_long(page: Page, tmp_path: Path) -> None:
    """Policies with many options, classes with long names: on a desk and on a phone."""
    made = tmp_path / "long.html"
    classes = [
        zw.JobClass(1, 0.5, zw.Exponential(1.0), "interactive sessions of the whole department"),
        zw.JobClass(2, 0.5, zw.Exponential(2.0), "batch"),
    ]
    policies = ["fcfs", "balanced-splitting:first-fit,slots=16/8", "bs:fcfs,slots=12/6", "easy"]
    found = zw.compare(zw.Workload(classes), 40, policies, load=0.5, arrivals=400, replications=3)
    made.write_text(page_of(found, "zerowait compare"), encoding="utf-8")
    page.goto(made.as_uri())
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(REDRAWN)
        for label in page.locator("figure.chart .plot text").all():
            box = label.bounding_box()
            assert box is not None
            assert box["x"] >= 0, label.text_content()
            assert box["x"] + box["width"] <= width, label.text_content()
    first = page.locator("figure.chart").first.locator(".plot .dot")
    colours = {str(dot.evaluate("e => getComputedStyle(e).fill")) for dot in first.all()}
    assert len(colours) == len(policies)


def drawn_anew(page: Page, look: Callable[[], Any], before: Any) -> Any:
    """What is seen once the page has drawn something else than before."""
    end = time.monotonic() + GIVE_UP_S
    while (seen := look()) == before:
        assert time.monotonic() < end
        page.wait_for_timeout(20)
    return seen


def test_a_schedule_is_drawn_and_answers(page: Page, pages: dict[str, Path]) -> None:
    page.goto(pages["gantt"].as_uri())
    canvas, tip = page.locator(".gantt .plot canvas"), page.locator(".gantt .tip")
    # Pixels of the chart alone, without axes: jobs in some colours, idle servers in the page's.
    colours = """canvas => {
        const {width: w, height: h} = canvas, found = new Set();
        const copy = new OffscreenCanvas(w, h).getContext("2d", {willReadFrequently: true});
        copy.drawImage(canvas, 0, 0);
        const {data} = copy.getImageData(w / 4, h / 4, w / 2, h / 4);
        for (let i = 0; i < data.length; i += 4) found.add(data.slice(i, i + 3).join());
        return [...found];
    }"""
    light = canvas.evaluate(colours)
    assert len(light) > 20
    assert "255,255,255" in light
    page.emulate_media(color_scheme="dark")
    dark = drawn_anew(page, lambda: canvas.evaluate(colours), light)
    assert "255,255,255" not in dark
    assert min(sum(map(int, colour.split(","))) for colour in dark) < 100
    page.emulate_media(color_scheme="light")
    box = canvas.bounding_box()
    assert box is not None
    zoom = page.get_by_role("button", name="zoom in")
    for _ in range(8):
        zoom.click()
    drawn_anew(page, lambda: canvas.evaluate(colours), light)
    for across, down in product((0.5, 0.3, 0.1), range(2, 28)):  # until a server is busy
        page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] * down / 30)
        if tip.is_visible():
            break
    assert re.match(r"job \d+ · need \d+\nwaited .* · ran .*", tip.inner_text())
    near = canvas.evaluate(colours)
    page.get_by_role("button", name="whole range").click()
    assert drawn_anew(page, lambda: canvas.evaluate(colours), near) == light
