"""A plan on a terminal: the verdict first, then the evidence."""

from rich.console import Console

from zerowait.experiment.plans.advice import Advice
from zerowait.report.tables.plan import evidence, worth_sentences
from zerowait.report.terminal.table import show_table


def show_advice(console: Console, advice: Advice) -> None:
    first, *rest = advice.verdict.sentences
    console.print(first, style="bold", highlight=False, soft_wrap=True)
    sentences = [*rest, f"Confidence: {advice.verdict.confidence}.", advice.baseline.sentence]
    if advice.worth is not None:
        sentences += worth_sentences(advice.worth, advice.audit.servers)
    for text in sentences:
        console.print(text, highlight=False, soft_wrap=True)
    for text in advice.audit.limits:
        console.print(f"note: {text}", style="yellow", highlight=False, soft_wrap=True)
    for table in evidence(advice):
        show_table(console, table, wide=False)
