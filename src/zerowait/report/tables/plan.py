"""Tables of a plan: how it was chosen, who wins and loses, today's policy."""

from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.plans.audit import Baseline
from zerowait.experiment.plans.choice import Choice, Scored
from zerowait.experiment.plans.verdict import kept
from zerowait.experiment.plans.winners import Winners
from zerowait.experiment.plans.worth import Worth
from zerowait.report.numbers import Value
from zerowait.report.tables.optimise import ratio
from zerowait.report.tables.table import Cell, Column, Table, columns

WORDS = {"kept": "kept", "unclear": "beyond, but unclear", "broken": "broken"}


def choice_table(choice: Choice) -> Table:
    goal = str(choice.problem.objectives[0])
    rows: list[list[Cell]] = []
    for one in choice.scored:
        longest = [s.ratio for s in one.protections if s.text.startswith("longest_wait")]
        classes = [s.ratio for s in one.protections if "[" in s.text]
        rows.append(
            [
                one.label, one.candidate.spelling, one.half, "seen" if one.seen else "unseen",
                ratio(one.goal), Value(longest[0] if longest else None, digits=3),
                Value(max(classes, default=None), digits=3), worst(one),
            ]
        )  # fmt: skip
    heads = [
        Column("what", text=True), Column("policy", text=True, few=False),
        Column("on the half", text=True), Column("", text=True), Column(goal),
        Column("longest wait"), Column("worst class"), Column("protections", text=True, few=False),
    ]  # fmt: skip
    return Table(f"As shares of what {choice.problem.baseline.spelling} has", heads, rows)


def worst(one: Scored) -> str:
    states = {kept(score) for score in one.protections}
    return next((WORDS[state] for state in ("broken", "unclear") if state in states), "kept")


def groups_table(winners: Winners) -> Table:
    rows: list[list[Cell]] = [
        [
            one.name if one.kind != "user" else f"user {one.name}", one.jobs,
            Value(one.work, "share"), Value(one.before, "duration"), Value(one.after, "duration"),
            Value(one.ratio, digits=3), Value(one.worse, "share"),
        ]
        for one in winners.groups
    ]  # fmt: skip
    numbers = ("jobs", "work", "wait today", "after", "ratio", "wait longer")
    return Table("Waits today and after, by need, estimate and user", columns(("",), numbers), rows)


def losers_table(winners: Winners) -> Table:
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


def baseline_table(baseline: Baseline) -> Table:
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


def gains(advice: Advice) -> list[str]:
    """Who gains, and what that is worth, in sentences."""
    found = []
    if advice.winners is not None:
        found += whose(advice)
        found.append(
            f"{advice.winners.better:.0%} of the jobs would wait shorter by a minute or more, "
            f"{advice.winners.worse:.0%} longer."
        )
    if advice.worth is not None:
        found += worth_sentences(advice.worth, advice.audit.servers)
    return found


def whose(advice: Advice) -> list[str]:
    """Whose figures are shown, where nothing is recommended."""
    rejected = advice.verdict.rejected
    if rejected is None:
        return []
    return [f"The change in these figures is to {rejected.spelling}, which is not recommended."]


def worth_sentences(worth: Worth, servers: int) -> list[str]:
    """What the change is worth, in sentences."""
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


def evidence(advice: Advice) -> list[Table]:
    """All tables of a plan, most telling first."""
    tables = []
    if advice.choice is not None:
        tables.append(choice_table(advice.choice))
    if advice.winners is not None:
        tables.append(groups_table(advice.winners))
    return tables
