"""A plan on a terminal: the verdict first, then the evidence."""

from rich.console import Console

from zerowait.experiment.plans.advice import Advice
from zerowait.report.tables.plan import evidence, gains
from zerowait.report.terminal.table import show_table


def show_advice(console: Console, advice: Advice) -> None:
    first, *rest = advice.verdict.sentences
    console.print(first, style="bold", highlight=False, soft_wrap=True)
    sure = f"Confidence: {advice.verdict.confidence}."
    sentences = [*rest, sure, *gains(advice), advice.baseline.sentence]
    for text in sentences:
        console.print(text, highlight=False, soft_wrap=True)
    for text in advice.audit.limits:
        console.print(f"note: {text}", style="yellow", highlight=False, soft_wrap=True)
    for table in evidence(advice):
        show_table(console, table, wide=False, units=True)
