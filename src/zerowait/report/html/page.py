"""The frame of every page: head, summary, sections, and what it takes to make it again."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from string import Template
from typing import Any

from zerowait._version import __version__
from zerowait.experiment.measures import MEASURES
from zerowait.report.html.table import facts
from zerowait.report.palette import HUES, RAMP
from zerowait.report.text import escaped

SCRIPTS = ("format.js", "chart.js", "table.js")
TEMPLATE = Template(
    """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>$title</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="zerowait $version">
<style>
$style
</style>
$head</head><body>
<header><h1>$title</h1><p class="sub">$subtitle</p></header>
<noscript><p>$noscript</p></noscript>
<main>
$summary
$sections
</main>
<footer>Made by zerowait $version. $footer</footer>
$script</body></html>
"""
)


@dataclass(frozen=True)
class Section:
    """A heading and what is below it, as HTML; without a body it is left out."""

    title: str
    body: str


@dataclass(frozen=True)
class Source:
    """Where the numbers of a page come from: everything needed to get them again."""

    command: str
    parameters: Mapping[str, Any]
    measures: Iterable[str] = ()  # whose meanings are told
    version: str = __version__


@dataclass(frozen=True)
class Page:
    """What stands on a page. `summary` is plain sentences in which **stars** make words bold."""

    title: str
    subtitle: str
    summary: Sequence[str]
    sections: Sequence[Section]
    source: Source | None  # None: the page itself tells
    notes: Sequence[str] = ()
    scripts: Sequence[str] = field(default=SCRIPTS)
    head: str = ""  # what else is fetched, as HTML
    footer: str = "This page is one file and needs no network."
    noscript: str = "Charts and sorting need scripts; the tables have all numbers."

    def __str__(self) -> str:
        last = [Section("Notes", _notes(self.notes))]
        last += [] if self.source is None else [_provenance(self.source)]
        return TEMPLATE.substitute(
            title=escaped(self.title),
            subtitle=escaped(self.subtitle),
            version=__version__,
            style=_style(),
            head=self.head,
            footer=escaped(self.footer),
            noscript=escaped(self.noscript),
            summary="".join(f"<p>{bold(text)}</p>" for text in self.summary).join(
                ('<div class="summary">', "</div>") if self.summary else ("", "")
            ),
            sections="\n".join(
                f"<section><h2>{escaped(one.title)}</h2>\n{one.body}\n</section>"
                for one in (*self.sections, *last)
                if one.body
            ),
            script="\n".join(map(_resource, self.scripts)).join(
                ("<script>\n", "\n</script>") if self.scripts else ("", "")
            ),
        )


def bold(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escaped(text))


def _notes(texts: Sequence[str]) -> str:
    """What the reader should know, each once."""
    items = "".join(f"<li>{escaped(text)}</li>" for text in dict.fromkeys(texts))
    return f'<ul class="notes">{items}</ul>' if items else ""


def _provenance(source: Source) -> Section:
    rows = [
        (name.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else f"{value:,}")
        if isinstance(value, (int, float)) and name != "seed"
        else (name.replace("_", " "), str(value))
        for name, value in source.parameters.items()
        if isinstance(value, (int, float, str))
    ]
    glossary = "".join(
        f"<dt>{escaped(MEASURES[name].label)}</dt><dd>{escaped(MEASURES[name].meaning)}</dd>"
        for name in source.measures
    )
    return Section(
        "How to get these numbers again",
        f'<pre class="command">{escaped(source.command)}</pre>'
        '<button type="button" class="copy">copy the command</button>\n'
        f"<h3>Parameters</h3>{facts([*rows, ('zerowait', source.version)])}\n"
        + (f'<h3>What is measured</h3><dl class="glossary">{glossary}</dl>' if glossary else ""),
    )


def _resource(name: str) -> str:
    return files("zerowait.report.html").joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Hues are variables and classes; a dark page has lighter ones."""
    light, dark = (" ".join(f"--{hue}: {pair[i]};" for hue, pair in HUES.items()) for i in (0, 1))
    marks = [f".{hue} {{ --mark: var(--{hue}); }}" for hue in HUES]
    marks += [f".shade{i} {{ --mark: {shade}; }}" for i, shade in enumerate(RAMP)]
    return (
        f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{\n"
        f":root {{ {dark} }}\n}}\n" + "\n".join(marks) + "\n" + _resource("page.css")
    )
