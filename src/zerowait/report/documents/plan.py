"""The document of a plan: the verdict first, then the evidence."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.plans.audit import Baseline
from zerowait.experiment.plans.choice import PlanChoice, Scored
from zerowait.experiment.plans.effects import GoalPair, Group, Winners, Worth
from zerowait.experiment.plans.verdict import kept
from zerowait.report.charts import Chart, DotView, LineView, Point, Row, Series
from zerowait.report.document import (
    Cell,
    Column,
    Document,
    Facts,
    PagePart,
    Source,
    Table,
    Text,
    columns,
)
from zerowait.report.documents.optimisation import ratio
from zerowait.report.numbers import Value, digits_of_rest, duration, number, percent
from zerowait.report.palette import Look
from zerowait.report.waits import SHARE_AXIS

BEFORE, AFTER = Series("today", Look("vermillion")), Series("after", Look("blue", "square"))
TICKS = tuple((digits_of_rest(part), f"{100 * part:g}%") for part in (0.1, 0.5, 0.9, 0.99, 0.999))
WORDS = {"kept": "kept", "unclear": "beyond, but unclear", "broken": "broken"}


@dataclass(frozen=True)
class AdviceDocument(Document):
    """What to change, what it gains, who loses, how sure that is."""

    subject: Advice

    @property
    def title(self) -> str:
        return f"Plan for {self.name}" if self.name else "Plan"

    @property
    def subtitle(self) -> str:
        audit = self.subject.audit
        return (
            f"{audit.jobs:,} jobs · {audit.servers:,} servers · {audit.weeks} weeks · "
            f"load {audit.load:.2f}"
        )

    def brief(self) -> Iterable[Table | Text]:
        advice = self.subject
        first, *rest = advice.verdict.sentences
        yield Text(first, "bold", wrap=False)
        for text in (*rest, _confidence(advice), *_gains(advice), advice.baseline.sentence):
            yield Text(text, wrap=False)
        for text in advice.audit.limits:
            yield Text(f"note: {text}", "note", wrap=False)
        if advice.choice is not None:
            yield _choice_table(advice.choice)
        if advice.winners is not None:
            yield _groups_table(advice.winners)

    def summary(self) -> list[str]:
        first, *rest = self.subject.verdict.sentences
        return [f"**{first}**", *rest, _confidence(self.subject), *_gains(self.subject)]

    def parts(self) -> list[PagePart]:
        return [
            PagePart("How long jobs wait", self._waits()),
            PagePart("Who wins, who loses", self._groups()),
            PagePart("What it is worth", self._worth()),
            PagePart("How it was chosen", self._choice()),
            PagePart("Today's policy", self._baseline()),
            PagePart("The log", self._audit()),
        ]

    def notes(self) -> Sequence[str]:
        return self.subject.audit.limits

    def source(self) -> Source:
        advice, audit = self.subject, self.subject.audit
        about = {"servers": audit.servers, "jobs": audit.jobs, "overruns": advice.overruns}
        return Source(self.command, about, ("bounded_slowdown", "wait"), advice.version)

    def pictures(self) -> Sequence[Chart]:
        """Return waits before and after, and who wins and loses."""
        blocks = (*self._waits(), *self._groups())
        return [one for one in blocks if isinstance(one, Chart)]

    def _waits(self) -> list[Chart | Table]:
        winners = self.subject.winners
        if winners is None:
            return []
        points = []
        for part, before, after in winners.quantiles[:-1]:
            x = digits_of_rest(part)
            points += [Point(0, before, x=x), Point(1, after, x=x)]
        view = LineView("", SHARE_AXIS, "wait", tuple(points), "duration", log=True, ticks=TICKS)
        text = "On the whole log, of which one half was seen when the change was chosen."
        text = " ".join([text, *_whose(self.subject)])
        chart = Chart("Waits before and after", text, (BEFORE, AFTER), (view,))
        return [chart, *[_losers_table(winners)] * bool(winners.losers)]

    def _groups(self) -> list[Chart | Table]:
        winners = self.subject.winners
        if winners is None:
            return []
        views = []
        for kind in ("need", "estimate", "user"):
            groups = winners.of(kind)
            if groups:
                rows = tuple(Row(one.name, (_dot(one),)) for one in groups)
                axis = "mean wait, after / today"
                views.append(
                    DotView(f"by {kind}", axis, rows, log=True, reference=(1.0, "as today"))
                )
        text = "Mean wait after the change by that of today; left of the line is better."
        text = " ".join([text, *_whose(self.subject)])
        chart = Chart("Winners and losers", text, (AFTER,), tuple(views))
        return [chart, _groups_table(winners)]

    def _worth(self) -> list[Chart]:
        worth, choice = self.subject.worth, self.subject.choice
        if worth is None:
            return []
        goal = "" if choice is None else str(choice.problem.objectives[0])

        def lines(label: str, axis: str, pairs: tuple[GoalPair, ...]) -> LineView:
            points = [Point(0, one.before, x=one.at) for one in pairs]
            points += [Point(1, one.after, x=one.at) for one in pairs]
            return LineView(label, axis, goal.replace("_", " "), tuple(points))

        views = (
            lines("load", "load over today's", worth.loads),
            lines("estimates", "padding of the estimates over today's", worth.estimates),
        )
        text = (
            "The whole log with its gaps stretched, or with estimates nearer to the truth or "
            "further from it (0: exact, 1: as users gave them)."
        )
        text = " ".join([text, *_whose(self.subject)])
        return [Chart("At other loads, with other estimates", text, (BEFORE, AFTER), views)]

    def _choice(self) -> list[Text | Table]:
        choice = self.subject.choice
        if choice is None:
            return []
        text = Text(
            f"{choice.tried} candidates were tried, each on one half of the log as it was, busier "
            "and quieter by a twentieth, and with its weeks in other orders; protections had to "
            "hold by a standard deviation over these. What counts is the other half, which the "
            "choice had not seen."
        )
        more = [Text(f"No split was tried: {choice.no_split}.")] if choice.no_split else []
        return [text, *more, _choice_table(choice)]

    def _baseline(self) -> list[Text | Table]:
        baseline = self.subject.baseline
        text = baseline.sentence
        if baseline.recorded_wait is not None:
            text += f" The log's own mean wait is {duration(baseline.recorded_wait)}."
        return [Text(text), _baseline_table(baseline)]

    def _audit(self) -> list[Facts | Text]:
        audit = self.subject.audit
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
            ("need more than half",
             f"{audit.large_jobs:,} ({percent(audit.large_work)} of the work)"),
            ("largest need", f"{audit.largest:,}"),
            ("weeks of ramp-up, drain", f"{audit.ramp_up}, {audit.drain}"),
        ]  # fmt: skip
        return [Facts(rows), *map(Text, audit.set_aside)]


def _confidence(advice: Advice) -> str:
    return f"Confidence: {advice.verdict.confidence}."


def _gains(advice: Advice) -> list[str]:
    """Say who gains, and what that is worth."""
    found = []
    if advice.winners is not None:
        found += _whose(advice)
        found.append(
            f"{advice.winners.better:.0%} of the jobs would wait shorter by a minute or more, "
            f"{advice.winners.worse:.0%} longer."
        )
    if advice.worth is not None:
        found += _worth_sentences(advice.worth, advice.audit.servers)
    return found


def _whose(advice: Advice) -> list[str]:
    """Say whose figures are shown, where nothing is recommended."""
    rejected = advice.verdict.rejected
    if rejected is None:
        return []
    return [f"The change in these figures is to {rejected.spelling}, which is not recommended."]


def _worth_sentences(worth: Worth, servers: int) -> list[str]:
    found = []
    if worth.today.after < worth.today.before:
        more = _servers(worth.more_servers)
        found.append(f"Without the change, the same would take {more} servers, not {servers:,}.")
        if worth.fewer_servers is not None:
            found.append(f"With it, {worth.fewer_servers:,} servers would do what they do today.")
    for one in worth.sizing:
        before, after = (_servers(n) for n in (one.before, one.after))
        found.append(f"For {one.text}: {before} servers today, {after} with the change.")
    return found


def _servers(n: int | None) -> str:
    return "more than four times today's" if n is None else f"{n:,}"


def _dot(one: Group) -> Point:
    return Point(0, None if math.isnan(one.ratio) or one.ratio == 0 else one.ratio)


def _choice_table(choice: PlanChoice) -> Table:
    goal = str(choice.problem.objectives[0])
    rows: list[list[Cell]] = []
    for one in choice.scored:
        longest = [s.ratio for s in one.protections if s.text.startswith("longest_wait")]
        classes = [s.ratio for s in one.protections if "[" in s.text]
        rows.append(
            [
                one.label, one.candidate.spelling, one.half, "seen" if one.seen else "unseen",
                ratio(one.goal), Value(longest[0] if longest else None, digits=3),
                Value(max(classes, default=None), digits=3), _worst(one),
            ]
        )  # fmt: skip
    heads = [
        Column("what", text=True), Column("policy", text=True, few=False),
        Column("on the half", text=True), Column("", text=True), Column(goal),
        Column("longest wait"), Column("worst class"), Column("protections", text=True, few=False),
    ]  # fmt: skip
    return Table(f"As shares of what {choice.problem.baseline.spelling} has", heads, rows)


def _worst(one: Scored) -> str:
    states = {kept(score) for score in one.protections}
    return next((WORDS[state] for state in ("broken", "unclear") if state in states), "kept")


def _groups_table(winners: Winners) -> Table:
    rows: list[list[Cell]] = [
        [
            one.name if one.kind != "user" else f"user {one.name}", one.jobs,
            Value(one.work, "share"), Value(one.before, "duration"), Value(one.after, "duration"),
            Value(one.ratio, digits=3), Value(one.worse, "share"),
        ]
        for one in winners.groups
    ]  # fmt: skip
    heads = columns(("",), ("jobs", "work", "wait today", "after", "ratio", "wait longer"))
    return Table("Waits today and after, by need, estimate and user", heads, rows, units=True)


def _losers_table(winners: Winners) -> Table:
    rows: list[list[Cell]] = [
        [
            one.user or "", one.job, one.need, Value(one.estimate, "duration"),
            Value(one.service, "duration"), Value(one.before, "duration"),
            Value(one.after, "duration"),
        ]
        for one in winners.losers
    ]  # fmt: skip
    numbers = ("need", "estimate", "service", "wait today", "after")
    return Table("The jobs that lose most", columns(("user", "job"), numbers), rows)


def _baseline_table(baseline: Baseline) -> Table:
    rows: list[list[Cell]] = [
        [
            one.policy, Value(one.mean_wait, "duration"), Value(one.error, "share"),
            Value(one.correlation, digits=2), one.grade,
        ]
        for one in (baseline.chosen, *baseline.others)
    ]  # fmt: skip
    heads = [*columns(("policy",), ("mean wait", "off by", "correlation")),
             Column("explains the recorded waits", text=True)]  # fmt: skip
    return Table("Policies tried for today's, week by week", heads, rows)
