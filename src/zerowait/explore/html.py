"""The explorer's page: the frame of every report, with places that its scripts fill."""

import json
from typing import Any

from zerowait.explore.assets import OF_REPORTS
from zerowait.explore.catalogue import catalogue
from zerowait.explore.subject import Subject
from zerowait.report.html.page import Page, Section

SCRIPTS = "".join(f'<script src="{name}" defer></script>\n' for name in OF_REPORTS)
HEAD = (
    '<link rel="stylesheet" href="explore.css">\n'
    f'{SCRIPTS}<script type="module" src="app.js"></script>'
)
FOOTER = "Everything is computed on this machine, by the zerowait that opened this page."
WHAT_IF = """<div id="subject" class="panel" role="group"
aria-label="Workload, servers and load"></div>
<div id="policies" class="cards"></div>
<p id="status" role="status"></p><p id="trouble" role="alert" hidden></p>"""
RESULTS = """<div id="sentences" class="summary"></div><div id="all-jobs"></div>
<div class="pictures"><div id="policies-figure"></div><div id="classes-figure"></div></div>
<div id="waits-figure"></div><div id="by-class"></div><ul id="notes" class="notes"></ul>"""
KEEP = '<div id="keep"></div>'


def explorer_page(subject: Subject) -> Page:
    sections = [
        Section("What if", WHAT_IF),
        Section("What happens", RESULTS),
        Section("Keep it", KEEP + _data("catalogue", catalogue(subject))),
    ]
    if subject.plan is not None:
        sections.insert(0, Section(f"The plan: {subject.plan_name}", '<div id="front"></div>'))
    return Page(
        "The explorer",
        "move the servers, watch the waits",
        [],
        sections,
        source=None,
        scripts=(),
        head=HEAD,
        footer=FOOTER,
        noscript="The explorer needs scripts; the command line does not.",
    )


def _data(name: str, value: Any) -> str:
    text = json.dumps(value, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
