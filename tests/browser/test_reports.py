"""Reports in a real browser: charts are drawn, tables sort, phones and printers are thought of."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from tests.cli.running import ran

from zerowait.report.html import sweep_page

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SCREENS = ((1200, 900), (360, 740))
REDRAWN = """[...document.querySelectorAll("figure.chart")]
    .every(figure => figure.chart.width === figure.chart.plot.clientWidth)"""


def chromium() -> str:
    """The browser of the system; none is ever downloaded."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    reason = "no Chromium on this machine; install the package `chromium`"
    if os.environ.get("CI") or os.environ.get("ZEROWAIT_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One report of each kind, the first two as users make them."""
    folder = tmp_path_factory.mktemp("reports")
    made = {kind: folder / f"{kind}.html" for kind in ("compare", "replay", "sweep")}
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
        "--report", made["replay"])  # fmt: skip
    rows = [
        {"policy": policy, "servers": servers, "load": 0.9, "response": 20 / servers + 1.0,
         "response_half_width": 0.1, "wait": 20 / servers, "diverging": servers < 64 - 16 * better}
        for better, policy in enumerate(("fcfs", "balanced-splitting:fcfs"))
        for servers in (32, 64, 128)
    ]  # fmt: skip
    made["sweep"].write_text(sweep_page(pl.DataFrame(rows), "zerowait sweep"), encoding="utf-8")
    return made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which errors and anything fetched from elsewhere fail the test."""
    opened = browser.new_page()
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


@pytest.mark.parametrize("kind", ["compare", "replay", "sweep"])
def test_every_chart_is_drawn_on_every_screen(
    page: Page, pages: dict[str, Path], kind: str
) -> None:
    page.goto(pages[kind].as_uri())
    n_charts = {"compare": 4, "replay": 3, "sweep": 1}[kind]
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


def test_dark_screens_are_dark_and_paper_is_white(page: Page, pages: dict[str, Path]) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto(pages["compare"].as_uri())
    assert page.evaluate(paper) == "rgb(20, 22, 26)"
    page.emulate_media(color_scheme="dark", media="print")
    page.set_viewport_size({"width": 690, "height": 900})  # A4 within its margins
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert page.locator(".copy").is_hidden()
    assert overflow(page) <= 0
