"""The explorer's page: the frame of every report, with places that its scripts fill."""

import json
from typing import Any

from zerowait.experiment.files.plan_file import Plan
from zerowait.explore.assets import OF_REPORTS
from zerowait.explore.catalogue import catalogue
from zerowait.explore.subject import Subject
from zerowait.report.html.chart import Chart, Dots, Point, Row, Series, figure
from zerowait.report.html.page import Page, Section
from zerowait.report.palette import looks_of, short_name
from zerowait.report.text import escaped

SCRIPTS = "".join(f'<script src="{name}" defer></script>\n' for name in OF_REPORTS)
HEAD = (
    '<link rel="icon" href="data:,"><link rel="stylesheet" href="explore.css">\n'
    '<link rel="stylesheet" href="movie.css">\n'
    f'{SCRIPTS}<script type="module" src="app.js"></script>'
)
FOOTER = "Everything is computed on this machine, by the zerowait that opened this page."
NOSCRIPT = "The explorer needs scripts; the command line does not."
WHAT_IF = """<div id="subject" class="panel" role="group"
aria-label="Workload, servers and load"></div>
<div id="policies" class="cards"></div>
<div id="splits"></div>
<p id="status" role="status"></p><p id="trouble" role="alert" hidden></p>"""
RESULTS = """<div id="results"><div id="sentences" class="summary"></div><div id="all-jobs"></div>
<div class="pictures"><div id="policies-figure"></div><div id="classes-figure"></div></div>
<div id="waits-figure"></div><div id="by-class"></div><ul id="notes" class="notes"></ul></div>"""
MOVIE = """<p>The first jobs, one by one: who runs where, who waits, and which rule let them in.
Best with few servers.</p>
<div id="movie-choices" class="panel" role="group" aria-label="the movie"></div>
<p id="movie-status" role="status"></p><div id="movie"></div>"""
FRONT = """<div id="front"><p>{reason}</p>
<p class="hint" hidden>The plan does not hold its log. To run what it found on the log, name both:
zerowait explore {name} LOG.</p>{figure}<ul class="points"></ul></div>"""


def explorer_page(subject: Subject) -> Page:
    sections = [
        Section("What if", WHAT_IF),
        Section("What happens", RESULTS),
        Section("Watch it happen", MOVIE),
        Section("Keep it", '<div id="keep"></div>' + _data("catalogue", catalogue(subject))),
    ]
    if subject.plan is not None:
        sections.insert(0, Section("The plan", front(subject.plan, subject.plan_name)))
    return Page(
        "The explorer",
        f"{subject.name} · move the servers, watch the waits",
        [],
        sections,
        source=None,
        scripts=(),
        head=HEAD,
        footer=FOOTER,
        noscript=NOSCRIPT,
    )


def front(plan: Plan, name: str) -> str:
    """What the plan found, as ratios to its baseline; each can be looked at."""
    verdict = "Change nothing" if plan.choice is None else f"Change to {plan.choice}"
    reason = f"<strong>{escaped(verdict)}</strong>: {escaped(plan.reason)}"
    known = [one for one in plan.front if isinstance(one.get("ratio"), (int, float))]
    drawn = figure(_front_chart(plan, known)) if known else ""
    return FRONT.format(reason=reason, name=escaped(name), figure=drawn)


def _front_chart(plan: Plan, known: list[Any]) -> Chart:
    looks = looks_of(dict.fromkeys(str(one["policy"]) for one in known))
    at = {policy: i for i, policy in enumerate(looks)}
    goal = str(plan.evidence.get("goal", "the goal"))
    rows = tuple(
        Row(
            f"{short_name(str(one['policy']))} ({one.get('what', '')}, {one.get('scored_on', '')})",
            (Point(at[str(one["policy"])], one["ratio"], one.get("low"), one.get("high")),),
        )
        for one in known
    )
    series = tuple(Series(short_name(policy), look) for policy, look in looks.items())
    view = Dots("", f"{goal}, as a ratio to {plan.baseline}", rows, reference=(1.0, plan.baseline))
    said = "Below one is better than today; bars are intervals. Press a point to look at it."
    return Chart("What was possible", said, series, (view,))


def _data(name: str, value: Any) -> str:
    text = json.dumps(value, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
