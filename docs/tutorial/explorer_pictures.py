"""Makes the pictures of explorer.md: python docs/tutorial/explorer_pictures.py"""

import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from zerowait.explore.server import serving
from zerowait.explore.subject import Subject

FIGURES = Path(__file__).parents[1] / "figures"
LARGE = "workload=figure1&servers=2048&policy=fcfs&policy=first-fit&policy=bs:fcfs"
RUNS = "arrivals=200000&replications=8&seed=1"
SMALL = "workload=figure1&servers=32&policy=fcfs&policy=bs:fcfs"
MOVIE = "arrivals=10000&replications=2&seed=26&movie=1&jobs=60&at=139"


def open_page(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("body[data-state$=done]", timeout=120_000)


def part(page: Page, title: str, name: str) -> None:
    """One section of the page, as it is on the screen."""
    section = page.locator("main > section").filter(has=page.get_by_role("heading", name=title))
    section.screenshot(path=FIGURES / f"explorer-{name}.png")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with serving(Subject()) as explorer, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        open_page(page, f"{explorer.address}#{LARGE}&{RUNS}")
        part(page, "What if", "split")
        page.locator("#waits-figure").screenshot(path=FIGURES / "explorer-waits.png")
        open_page(page, f"{explorer.address}#{SMALL}&{MOVIE}")
        part(page, "Watch it happen", "movie")
        browser.close()


if __name__ == "__main__":
    main()
