"""The frame of every page: head, summary, sections, and what it takes to make it again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from zerowait._version import __version__
from zerowait.report.figures.palette import HUES, RAMP

SCRIPTS = ("format.js", "chart.js", "table.js")
TEMPLATE = Template(
    """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>$title</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="zerowait $version">
<style>
$style
</style></head><body>
<header><h1>$title</h1><p class="sub">$subtitle</p></header>
<noscript><p>Charts and sorting need scripts; the tables have all numbers.</p></noscript>
<main>
$summary
$sections
</main>
<footer>Made by zerowait $version. This page is one file and needs no network.</footer>
<script>
$script
</script></body></html>
"""
)


@dataclass(frozen=True)
class Section:
    """A heading and what is below it, as HTML."""

    title: str
    body: str


def page(title: str, subtitle: str, summary: Sequence[str], sections: Sequence[Section]) -> str:
    """The page as text; `summary` is plain sentences in which **stars** make words bold."""
    return TEMPLATE.substitute(
        title=escape(title),
        subtitle=escape(subtitle),
        version=__version__,
        style=_style(),
        summary=f'<div class="summary">{"".join(f"<p>{bold(text)}</p>" for text in summary)}</div>',
        sections="\n".join(
            f"<section><h2>{escape(one.title)}</h2>\n{one.body}\n</section>"
            for one in sections
            if one.body
        ),
        script="\n".join(_resource(name) for name in SCRIPTS),
    )


def bold(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text))


def notes(texts: Sequence[str]) -> str:
    """What the reader should know, each once."""
    items = "".join(f"<li>{escape(text)}</li>" for text in dict.fromkeys(texts))
    return f'<ul class="notes">{items}</ul>' if items else ""


def _resource(name: str) -> str:
    return files("zerowait.report.html").joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Hues are classes, so that a dark page has lighter ones."""
    light, dark = (
        "\n".join(f".{hue} {{ --mark: {pair[i]}; }}" for hue, pair in HUES.items()) for i in (0, 1)
    )
    ramp = "\n".join(f".shade{i} {{ --mark: {shade}; }}" for i, shade in enumerate(RAMP))
    return (
        f"{ramp}\n{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
        + _resource("page.css")
    )
