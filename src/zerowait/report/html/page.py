"""Documents as pages, and as fragments of a notebook; pages tell how to get the numbers again."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from zerowait._version import __version__
from zerowait.experiment.measures import MEASURES
from zerowait.report.document import SCRIPTS, Bar, Cell, Document, Facts, PolicyName, Source, Table
from zerowait.report.html.blocks import bold, cell_text, html_block, html_facts
from zerowait.report.numbers import Value, escaped
from zerowait.report.palette import HUES, RAMP

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
class Page:
    """The frame of every page. `summary` is sentences in which **stars** make words bold."""

    title: str
    subtitle: str
    summary: Sequence[str]
    sections: Sequence[Section]
    source: Source | None  # None: the page itself tells
    notes: Sequence[str] = ()
    scripts: Sequence[str] = SCRIPTS
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


def page_of(document: Document) -> Page:
    """Draw every part of a document."""
    parts = [
        Section(part.title, "".join(html_block(one, document.looks) for one in part.blocks))
        for part in document.parts()
    ]
    return Page(
        document.title, document.subtitle, document.summary(), parts, document.source(),
        document.notes(), scripts=document.scripts,
    )  # fmt: skip


def _notes(texts: Sequence[str]) -> str:
    """List what the reader should know, each once."""
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
        f"<h3>Parameters</h3>{html_facts(Facts([*rows, ('zerowait', source.version)]))}\n"
        + (f'<h3>What is measured</h3><dl class="glossary">{glossary}</dl>' if glossary else ""),
    )


def _resource(name: str) -> str:
    return files("zerowait.report.html").joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the style: hues are variables and classes, and lighter on a dark page."""
    light, dark = (" ".join(f"--{hue}: {pair[i]};" for hue, pair in HUES.items()) for i in (0, 1))
    marks = [f".{hue} {{ --mark: var(--{hue}); }}" for hue in HUES]
    marks += [f".shade{i} {{ --mark: {shade}; }}" for i, shade in enumerate(RAMP)]
    return (
        f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{\n"
        f":root {{ {dark} }}\n}}\n" + "\n".join(marks) + "\n" + _resource("page.css")
    )


MOST_ROWS = 40
# Lines are of the text's own colour, which is that of the notebook, light or dark.
STYLE = """<style>
.zerowait { overflow-x: auto; } .zerowait p { margin: .4em 0; opacity: .75; }
.zerowait table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.zerowait th, .zerowait td { padding: .2em .8em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.zerowait .text { text-align: left; white-space: normal; }
</style>"""


def fragment_of(document: Document) -> str:
    """Draw what is seen of a document at a glance; bars need the style of a page."""
    blocks = [one for one in document.glance() if not isinstance(one, Bar)]
    drawn = [
        _small_table(one.fewer)
        if isinstance(one, Table)
        else f"<p>{_strong(bold(one.text), one.style == 'bold')}</p>"
        for one in blocks
    ]
    return f'<div class="zerowait">{STYLE}{"".join(dict.fromkeys(drawn))}</div>'


def _small_table(table: Table) -> str:
    kinds = [' class="text"' if column.text else "" for column in table.columns]
    heads = map("<th{}>{}</th>".format, kinds, (escaped(one.head) for one in table.columns))
    top = f"<thead><tr>{''.join(heads)}</tr></thead>" if table.has_heads else ""
    rows = [
        "".join(map("<td{}>{}</td>".format, kinds, map(_small_cell, row)))
        for row in table.rows[:MOST_ROWS]
    ]
    left = len(table.rows) - len(rows)
    more = f"<p>and {left} rows more</p>" if left > 0 else ""
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<p>{escaped(table.title)}</p><table>{top}<tbody>{body}</tbody></table>{more}"


def _small_cell(cell: Cell) -> str:
    best = isinstance(cell, (PolicyName, Value)) and cell.best
    return _strong(escaped(cell_text(cell)), best)


def _strong(html: str, wanted: bool) -> str:
    return f"<b>{html}</b>" if wanted else html
