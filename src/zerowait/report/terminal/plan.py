"""A plan as tables for a terminal: the verdict first, then the evidence."""

from rich.console import Console
from rich.markup import escape

from zerowait.experiment.plans.advice import Advice
from zerowait.experiment.plans.choice import Choice
from zerowait.experiment.plans.worth import Worth
from zerowait.report.terminal.durations import duration
from zerowait.report.terminal.optimise import interval
from zerowait.report.terminal.results import number, plain_table


def show_advice(console: Console, advice: Advice) -> None:
    style = "bold green" if advice.verdict.change else "bold"
    for text in advice.verdict.sentences:
        console.print(escape(text), style=style, highlight=False, soft_wrap=True)
        style = ""
    console.print(f"Confidence: {advice.verdict.confidence}.", highlight=False)
    console.print(escape(advice.baseline.sentence), highlight=False, soft_wrap=True)
    for text in advice.audit.limits:
        console.print(f"note: {escape(text)}", style="yellow", highlight=False, soft_wrap=True)
    if advice.choice is not None:
        _show_choice(console, advice.choice)
    if advice.winners is not None:
        _show_winners(console, advice)
    if advice.worth is not None:
        for text in worth_sentences(advice.worth, advice.audit.servers):
            console.print(escape(text), highlight=False, soft_wrap=True)


def _show_choice(console: Console, choice: Choice) -> None:
    goal = str(choice.problem.objectives[0])
    table = plain_table(f"{escape(goal)} as a share of {choice.problem.baseline.spelling}'s")
    for name in ("what", "on the half", "", "share", "95% interval", "longest wait", "worst class"):
        table.add_column(name, justify="right" if name == "share" else "left", overflow="fold")
    for one in choice.scored:
        ratios = [score.ratio for score in one.protections if score.has_interval]
        longest = [
            score.ratio for score in one.protections if score.text.startswith("longest_wait")
        ]
        table.add_row(
            one.label, one.half, "seen" if one.seen else "unseen", number(one.goal.ratio, 3),
            interval(one.goal), number(longest[0], 3) if longest else "",
            number(max(ratios), 3) if ratios else "",
        )  # fmt: skip
    console.print(table)


def _show_winners(console: Console, advice: Advice) -> None:
    assert advice.winners is not None
    assert advice.looked_at is not None
    table = plain_table(f"mean waits, today and under {advice.looked_at.spelling}")
    for name in ("", "jobs", "today", "after", "ratio", "wait longer"):
        table.add_column(name, justify="left" if not name else "right")
    for kind in ("need", "estimate", "user"):
        for one in advice.winners.of(kind):
            name = one.name if kind != "user" else f"user {one.name}"
            table.add_row(
                escape(name), f"{one.jobs:,}", duration(one.before), duration(one.after),
                number(one.ratio, 3), f"{one.worse:.0%}",
            )  # fmt: skip
        table.add_section()
    console.print(table)


def worth_sentences(worth: Worth, servers: int) -> list[str]:
    """What the change is worth, in sentences."""
    found = []
    if worth.today.after < worth.today.before:
        more = worth.more_servers
        text = "more than four times as many" if more is None else f"{more - servers:,} more"
        found.append(f"Without the change, the same would take {text} servers than {servers:,}.")
        if worth.fewer_servers is not None:
            found.append(f"With it, {worth.fewer_servers:,} servers would do what they do today.")
    for one in worth.sizing:
        before, after = (
            "more than four times today's" if n is None else f"{n:,}"
            for n in (one.before, one.after)
        )
        found.append(f"For {one.text}: {before} servers today, {after} with the change.")
    return found


def _servers(n: int | None) -> str:
    return "more than four times today's" if n is None else f"{n:,}"
