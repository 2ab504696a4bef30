"""The page of a plan: the verdict on top, three pictures, then everything."""

import math

from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.plans.winners import Group
from zerowait.experiment.plans.worth import Pair
from zerowait.report.html.chart import Chart, Dots, Lines, Point, Row, Series, figure
from zerowait.report.html.page import Page, Section, Source, bold
from zerowait.report.html.table import facts, html_table
from zerowait.report.numbers import digits_of_rest, duration, number, percent
from zerowait.report.palette import Look
from zerowait.report.tables.plan import (
    baseline_table,
    choice_table,
    gains,
    groups_table,
    losers_table,
    whose,
)

BEFORE, AFTER = Series("today", Look("vermillion")), Series("after", Look("blue", "square"))
TICKS = tuple((digits_of_rest(part), f"{100 * part:g}%") for part in (0.1, 0.5, 0.9, 0.99, 0.999))


def plan_page(advice: Advice, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the log is called."""
    audit = advice.audit
    first, *rest = advice.verdict.sentences
    page = Page(
        f"Plan for {subject}" if subject else "Plan",
        f"{audit.jobs:,} jobs · {audit.servers:,} servers · {audit.weeks} weeks · "
        f"load {audit.load:.2f}",
        [f"**{first}**", *rest, f"Confidence: {advice.verdict.confidence}.", *gains(advice)],
        [
            Section("How long jobs wait", _waits(advice)),
            Section("Who wins, who loses", _groups(advice)),
            Section("What it is worth", _worth(advice)),
            Section("How it was chosen", _choice(advice)),
            Section("Today's policy", _baseline(advice)),
            Section("The log", _audit(advice)),
        ],
        Source(
            command,
            {"servers": audit.servers, "jobs": audit.jobs, "overruns": advice.overruns},
            ("bounded_slowdown", "wait"),
            advice.version,
        ),
        audit.limits,
    )
    return str(page)


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{bold(text)}</p>" for text in texts)


def _waits(advice: Advice) -> str:
    winners = advice.winners
    if winners is None:
        return ""
    points = []
    for part, before, after in winners.quantiles[:-1]:
        x = digits_of_rest(part)
        points += [Point(0, before, x=x), Point(1, after, x=x)]
    view = Lines(
        "", "share of the jobs that wait no longer", "wait", tuple(points), "duration", log=True,
        ticks=TICKS,
    )  # fmt: skip
    text = "On the whole log, of which one half was seen when the change was chosen."
    text = " ".join([text, *whose(advice)])
    chart = Chart("Waits before and after", text, (BEFORE, AFTER), (view,))
    return figure(chart) + (html_table(losers_table(winners)) if winners.losers else "")


def _groups(advice: Advice) -> str:
    if advice.winners is None:
        return ""
    views = []
    for kind in ("need", "estimate", "user"):
        groups = advice.winners.of(kind)
        if groups:
            rows = tuple(Row(one.name, (_dot(one),)) for one in groups)
            axis = "mean wait, after / today"
            views.append(Dots(f"by {kind}", axis, rows, log=True, reference=(1.0, "as today")))
    text = "Mean wait after the change by that of today; left of the line is better."
    text = " ".join([text, *whose(advice)])
    chart = Chart("Winners and losers", text, (AFTER,), tuple(views))
    return figure(chart) + html_table(groups_table(advice.winners))


def _dot(one: Group) -> Point:
    return Point(0, None if math.isnan(one.ratio) or one.ratio == 0 else one.ratio)


def _worth(advice: Advice) -> str:
    worth = advice.worth
    if worth is None:
        return ""
    goal = "" if advice.choice is None else str(advice.choice.problem.objectives[0])

    def lines(label: str, axis: str, pairs: tuple[Pair, ...]) -> Lines:
        points = [Point(0, one.before, x=one.at) for one in pairs]
        points += [Point(1, one.after, x=one.at) for one in pairs]
        return Lines(label, axis, goal.replace("_", " "), tuple(points))

    views = (
        lines("load", "load over today's", worth.loads),
        lines("estimates", "padding of the estimates over today's", worth.estimates),
    )
    text = (
        "The whole log with its gaps stretched, or with estimates nearer to the truth or further "
        "from it (0: exact, 1: as users gave them)."
    )
    text = " ".join([text, *whose(advice)])
    chart = Chart("At other loads, with other estimates", text, (BEFORE, AFTER), views)
    return figure(chart)


def _choice(advice: Advice) -> str:
    choice = advice.choice
    if choice is None:
        return ""
    texts = [
        f"{choice.tried} candidates were tried, each on one half of the log as it was, busier and "
        "quieter by a twentieth, and with its weeks in other orders; protections had to hold by a "
        "standard deviation over these. What counts is the other half, which the choice had not "
        "seen."
    ]
    if choice.no_split:
        texts.append(f"No split was tried: {choice.no_split}.")
    return _paragraphs(*texts) + html_table(choice_table(choice))


def _baseline(advice: Advice) -> str:
    text = advice.baseline.sentence
    if advice.baseline.recorded_wait is not None:
        text += f" The log's own mean wait is {duration(advice.baseline.recorded_wait)}."
    return _paragraphs(text) + html_table(baseline_table(advice.baseline))


def _audit(advice: Advice) -> str:
    audit = advice.audit
    rows = [
        ("jobs", f"{audit.jobs:,}"),
        ("servers", f"{audit.servers:,} ({audit.servers_from})"),
        ("span", duration(audit.span)),
        ("offered load", number(audit.load, 3)),
        ("users", "–" if audit.users is None else f"{audit.users:,}"),
        ("ran longer than estimated",
         f"{audit.overruns:,} ({percent(audit.overrun_work)} of the work)"),
        ("with an estimate", percent(audit.estimated)),
        ("service / estimate", number(audit.accuracy, 2)),
        ("with a recorded start", percent(audit.waits_known)),
        ("recorded waits of zero", percent(audit.zero_waits)),
        ("need more than half", f"{audit.large_jobs:,} ({percent(audit.large_work)} of the work)"),
        ("largest need", f"{audit.largest:,}"),
        ("weeks of ramp-up, drain", f"{audit.ramp_up}, {audit.drain}"),
    ]  # fmt: skip
    return facts(rows) + _paragraphs(*audit.set_aside)
