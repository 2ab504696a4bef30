"""The explorer's page: its frame, its scripts and styles, and what it offers at the start."""

import json
from importlib.resources import files
from typing import Any

from zerowait.experiment.files.plan_file import Plan
from zerowait.explore.controls import known_policies
from zerowait.explore.question import ARRIVALS, MOST_POLICIES, MOST_SERVERS, REPLICATIONS
from zerowait.explore.subject import Subject
from zerowait.model import InputError, Workload
from zerowait.model.display import json_ready
from zerowait.model.jobs import RULES
from zerowait.report.charts import Chart, DotView, Point, Row, Series
from zerowait.report.html.blocks import html_chart
from zerowait.report.html.page import Page, Section
from zerowait.report.numbers import escaped
from zerowait.report.palette import looks_of, short_name

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
    """Return the text and media type of a script or style; None for any other name."""
    if name in OF_REPORTS:
        return _text("report", "html", name), JAVASCRIPT
    if name in OWN:
        return _text("explore", "page", name), OWN[name]
    return None


def _text(*path: str) -> str:
    return files("zerowait").joinpath(*path).read_text(encoding="utf-8")


SERVERS = 256  # to begin with, where nothing says how many
LOAD = 0.8
OF_WORKLOADS = ("fcfs", "first-fit", "balanced-splitting:fcfs")
OF_LOGS = ("easy", "first-fit")


def catalogue(subject: Subject) -> dict[str, Any]:
    return {
        "workloads": [_workload(subject, name) for name in subject.names],
        "policies": known_policies(),
        "most_policies": MOST_POLICIES,
        "most_servers": MOST_SERVERS,
        "overruns": list(RULES),
        "start": _start(subject),
        "plan": _plan(subject),
    }


def _workload(subject: Subject, name: str) -> dict[str, Any]:
    """Describe a workload: its servers, and a load where it has none of its own."""
    if subject.is_log(name):
        assert subject.log is not None
        return {"name": name, "log": True, "servers": subject.log.servers, "load": None}
    servers, found = _fitting(subject, name, subject.servers or SERVERS)
    own = found.arrivals.rate is not None
    return {"name": name, "log": False, "servers": servers, "load": None if own else LOAD}


def _fitting(subject: Subject, name: str, servers: int) -> tuple[int, Workload]:
    """Double the wanted number of servers until all jobs fit; return it with the workload."""
    try:
        found = subject.find_workload(name, servers)
        found.check_fits(servers)
        return servers, found
    except InputError:
        if servers > MOST_SERVERS:
            raise
        return _fitting(subject, name, 2 * servers)


def _start(subject: Subject) -> dict[str, Any]:
    """Return the first question; `-k` and a plan's policies override the usual ones."""
    first = _workload(subject, subject.name)
    policies: tuple[str, ...] = OF_LOGS if first["log"] else OF_WORKLOADS
    if subject.plan is not None:
        policies = tuple(dict.fromkeys([subject.plan.baseline, subject.plan.policy]))
    question: dict[str, Any] = {
        "workload": subject.name,
        "servers": subject.servers or (None if first["log"] else first["servers"]),
        "load": first["load"],
        "policy": list(policies),
        "seed": 1,
    }
    if not first["log"]:
        question |= {"arrivals": ARRIVALS, "replications": REPLICATIONS}
    elif subject.plan is not None:
        question["overruns"] = subject.plan.overruns
    return question


def _without_cut(candidate: str) -> str:
    """Return a candidate's policy without its cut; the plan's own cut is in its log's jobs."""
    return candidate.split(" with classes")[0]


def _plan(subject: Subject) -> dict[str, Any] | None:
    plan = subject.plan
    if plan is None:
        return None
    found: dict[str, Any] = json_ready(
        {
            "baseline": plan.baseline,
            "front": [{**one, "spec": _without_cut(str(one["policy"]))} for one in plan.front],
        }
    )
    return found


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
    """Draw the front of a plan, as ratios to its baseline; each point can be opened."""
    verdict = "Change nothing" if plan.choice is None else f"Change to {plan.choice}"
    reason = f"<strong>{escaped(verdict)}</strong>: {escaped(plan.reason)}"
    known = [one for one in plan.front if isinstance(one.get("ratio"), (int, float))]
    drawn = html_chart(_front_chart(plan, known)) if known else ""
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
    view = DotView(
        "", f"{goal}, as a ratio to {plan.baseline}", rows, reference=(1.0, plan.baseline)
    )
    said = "Below one is better than today; bars are intervals. Press a point to look at it."
    return Chart("What was possible", said, series, (view,))


def _data(name: str, value: Any) -> str:
    text = json.dumps(value, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
