"""The page of a plan: the verdict on top, three pictures, then everything."""

import math

from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.plans.verdict import kept
from zerowait.experiment.plans.winners import Group
from zerowait.experiment.plans.worth import Pair
from zerowait.report.figures.palette import Look
from zerowait.report.html.chart import Chart, Dots, Lines, Point, Row, Series, figure
from zerowait.report.html.page import Section, notes, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.table import Cell, facts, numeric, percent, table
from zerowait.report.terminal.durations import duration
from zerowait.report.terminal.optimise import interval
from zerowait.report.terminal.plan import worth_sentences
from zerowait.report.terminal.results import number

BEFORE, AFTER = Series("today", Look("vermillion")), Series("after", Look("blue", "square"))


def plan_page(advice: Advice, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the log is called."""
    audit = advice.audit
    first, *rest = advice.verdict.sentences
    return page(
        f"Plan for {subject}" if subject else "Plan",
        f"{audit.jobs:,} jobs · {audit.servers:,} servers · {audit.weeks} weeks · "
        f"load {audit.load:.2f}",
        [f"**{first}**", *rest, f"Confidence: {advice.verdict.confidence}."],
        [
            Section("How long jobs wait", _waits(advice)),
            Section("Who wins, who loses", _groups(advice) + _group_tables(advice)),
            Section("What it is worth", _worth(advice)),
            Section("How it was chosen", _choice(advice)),
            Section("Today's policy", _baseline(advice)),
            Section("The log", _audit(advice)),
            Section("What limits what can be said", notes(audit.limits)),
            provenance(
                {"servers": audit.servers, "jobs": audit.jobs, "overruns": advice.overruns},
                advice.version, command, split=False,
            ),
        ],
    )  # fmt: skip


def _waits(advice: Advice) -> str:
    if advice.winners is None:
        return ""
    points = []
    for share, before, after in advice.winners.quantiles[:-1]:
        digits = -math.log10(1 - share)
        points += [Point(0, before, x=digits), Point(1, after, x=digits)]
    shares = (0.1, 0.5, 0.9, 0.99, 0.999)
    ticks = tuple((-math.log10(1 - share), f"{100 * share:g}%") for share in shares)
    view = Lines(
        "", "share of the jobs that wait no longer", "wait", tuple(points), "duration", log=True,
        ticks=ticks,
    )  # fmt: skip
    text = f"{advice.winners.better:.0%} of the jobs wait shorter by a minute or more, "
    text += f"{advice.winners.worse:.0%} longer."
    chart = Chart("Waits before and after", text, (BEFORE, AFTER), (view,))
    return figure(chart) + _losers(advice)


def _losers(advice: Advice) -> str:
    assert advice.winners is not None
    rows = [
        [
            numeric(one.number, f"{one.number:,}"), numeric(one.need),
            numeric(one.estimate, duration(one.estimate)),
            numeric(one.service, duration(one.service)), Cell(one.user or "–"),
            numeric(one.before, duration(one.before)), numeric(one.after, duration(one.after)),
        ]
        for one in advice.winners.losers
    ]  # fmt: skip
    head = ["job", "need", "estimate", "service", "user", "wait today", "after"]
    return table("The jobs that lose most.", head, rows) if rows else ""


def _groups(advice: Advice) -> str:
    if advice.winners is None:
        return ""
    views = []
    for kind in ("need", "estimate", "user"):
        groups = advice.winners.of(kind)
        if groups:
            rows = tuple(Row(one.name, (_dot(one),)) for one in groups)
            views.append(
                Dots(f"by {kind}", "mean wait, after / today", rows, log=True,
                     reference=(1.0, "as today"))
            )  # fmt: skip
    text = "Mean wait after the change by that of today; left of the line is better."
    return figure(Chart("Winners and losers", text, (AFTER,), tuple(views)))


def _dot(one: Group) -> Point:
    return Point(0, None if math.isnan(one.ratio) or one.ratio == 0 else one.ratio)


def _group_tables(advice: Advice) -> str:
    if advice.winners is None:
        return ""
    head = ["", "jobs", "share of the work", "wait today", "after", "ratio", "wait longer"]
    text = ""
    for kind in ("need", "estimate", "user"):
        rows = [
            [
                Cell(one.name), numeric(one.jobs, f"{one.jobs:,}"), percent(one.work),
                numeric(one.before, duration(one.before)), numeric(one.after, duration(one.after)),
                numeric(one.ratio, number(one.ratio, 3)), percent(one.worse),
            ]
            for one in advice.winners.of(kind)
        ]  # fmt: skip
        text += table(f"By {kind}.", head, rows) if rows else ""
    return text


def _worth(advice: Advice) -> str:
    if advice.worth is None:
        return ""
    worth = advice.worth
    goal = "" if advice.choice is None else str(advice.choice.problem.objectives[0])

    def lines(label: str, axis: str, pairs: tuple[Pair, ...]) -> Lines:
        points = [Point(0, one.before, x=one.at) for one in pairs]
        points += [Point(1, one.after, x=one.at) for one in pairs]
        return Lines(label, axis, goal, tuple(points))

    views = (
        lines("load", "load over today's", worth.loads),
        lines("estimates", "padding of the estimates over today's", worth.estimates),
    )
    chart = Chart(
        "At other loads, with other estimates",
        "The whole log with its gaps stretched, or with estimates nearer to the truth or further "
        "from it (0: exact, 1: as users gave them).",
        (BEFORE, AFTER),
        views,
    )
    return figure(chart) + notes(worth_sentences(worth, advice.audit.servers))


def _choice(advice: Advice) -> str:
    choice = advice.choice
    if choice is None:
        return ""
    words = {"kept": "kept", "unclear": "beyond, but unclear", "broken": "broken"}
    head = ["what", "policy", "on the half", "", "share of today's goal", "95% interval",
            "longest wait", "protections"]  # fmt: skip
    rows = []
    for one in choice.scored:
        longest = [s.ratio for s in one.protections if s.text.startswith("longest_wait")]
        states = {kept(score) for score in one.protections}
        worst = next((words[s] for s in ("broken", "unclear") if s in states), "kept")
        rows.append(
            [
                Cell(one.label), Cell(one.candidate.spelling), Cell(one.half),
                Cell("seen" if one.seen else "unseen"),
                numeric(one.goal.ratio, number(one.goal.ratio, 3)), Cell(interval(one.goal)),
                numeric(longest[0], number(longest[0], 3)) if longest else Cell("–"), Cell(worst),
            ]
        )  # fmt: skip
    text = (
        f"{choice.tried} candidates were tried, each on one half of the log as it was, busier by a "
        "tenth, quieter by a tenth and with its weeks in two other orders; protections had to hold "
        "by one and a half standard deviations over these. What counts is the other half, which "
        "the choice had not seen."
    )
    reasons = [text, *([f"No split was tried: {choice.no_split}."] if choice.no_split else [])]
    return notes(reasons) + table("Both ways round, and part by part.", head, rows)


def _baseline(advice: Advice) -> str:
    every = (advice.baseline.chosen, *advice.baseline.others)
    rows = [
        [
            Cell(one.policy), numeric(one.mean_wait, duration(one.mean_wait)),
            numeric(one.error, "–" if math.isnan(one.error) else f"{one.error:.0%}"),
            numeric(one.correlation, number(one.correlation, 2)), Cell(one.grade),
        ]
        for one in every
    ]  # fmt: skip
    recorded = advice.baseline.recorded_wait
    text = advice.baseline.sentence
    if recorded is not None:
        text += f" The log's own mean wait is {duration(recorded)}."
    head = ["policy", "mean wait", "off by", "correlation", "explains the recorded waits"]
    return notes([text]) + table("Policies tried for today's, week by week.", head, rows)


def _audit(advice: Advice) -> str:
    audit = advice.audit
    rows = [
        ("jobs", f"{audit.jobs:,}"),
        ("servers", f"{audit.servers:,} ({audit.servers_from})"),
        ("span", duration(audit.span)),
        ("offered load", number(audit.load, 3)),
        ("users", "–" if audit.users is None else f"{audit.users:,}"),
        ("ran longer than estimated", f"{audit.overruns:,} ({audit.overrun_work:.1%} of the work)"),
        ("with an estimate", f"{audit.estimated:.0%}"),
        ("service / estimate", "–" if audit.accuracy is None else number(audit.accuracy, 2)),
        ("with a recorded start", f"{audit.waits_known:.0%}"),
        ("recorded waits of zero", "–" if audit.zero_waits is None else f"{audit.zero_waits:.0%}"),
        ("need more than half", f"{audit.large_jobs:,} ({audit.large_work:.0%} of the work)"),
        ("largest need", f"{audit.largest:,}"),
        ("weeks of ramp-up, drain", f"{audit.ramp_up}, {audit.drain}"),
    ]
    return facts(rows) + notes(audit.set_aside)
