"""The scripts and styles of the page, by name; nothing else can be fetched."""

from importlib.resources import files

JAVASCRIPT, CSS = "text/javascript", "text/css"
OF_REPORTS = ("format.js", "chart.js", "table.js")  # as every report has them
OWN = {
    "app.js": JAVASCRIPT,
    "state.js": JAVASCRIPT,
    "listen.js": JAVASCRIPT,
    "controls.js": JAVASCRIPT,
    "policies.js": JAVASCRIPT,
    "split.js": JAVASCRIPT,
    "results.js": JAVASCRIPT,
    "keep.js": JAVASCRIPT,
    "front.js": JAVASCRIPT,
    "dom.js": JAVASCRIPT,
    "screen.js": JAVASCRIPT,
    "movie.js": JAVASCRIPT,
    "movie.css": CSS,
    "explore.css": CSS,
}


def asset(name: str) -> tuple[str, str] | None:
    """Text and media type."""
    if name in OF_REPORTS:
        return _text("report", "html", name), JAVASCRIPT
    if name in OWN:
        return _text("explore", "page", name), OWN[name]
    return None


def _text(*path: str) -> str:
    return files("zerowait").joinpath(*path).read_text(encoding="utf-8")
