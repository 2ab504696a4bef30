"""Where the numbers of a page come from: parameters, the command, and what each measure means."""

from collections.abc import Mapping
from html import escape
from typing import Any

from zerowait.report.html.page import Section
from zerowait.report.html.table import facts

MEANINGS = {
    "response": "From arrival to end.",
    "wait": "Response less service; all pauses are included.",
    "slowdown": "Response divided by service.",
    "P(wait)": "The share of jobs that were not in service from the instant of their arrival.",
    "utilisation": "Busy servers divided by all servers, averaged over time.",
}
SPLIT_MEANINGS = {
    "routed to helpers": "The share of jobs that found their own servers busy.",
    "served by helpers": "The share of jobs that ran on the helpers. The paper's Erlang bound "
    "is on this alone, and bounds neither routing nor waiting under Balanced Splitting.",
}


def provenance(parameters: Mapping[str, Any], version: str, command: str, split: bool) -> Section:
    """The last section of every page."""
    rows = [
        (name.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else f"{value:,}")
        if isinstance(value, (int, float)) and name != "seed"
        else (name.replace("_", " "), str(value))
        for name, value in parameters.items()
        if isinstance(value, (int, float, str))
    ]
    meanings = MEANINGS | (SPLIT_MEANINGS if split else {})
    glossary = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in meanings.items()
    )
    return Section(
        "How to get these numbers again",
        f'<pre class="command">{escape(command)}</pre>'
        '<button type="button" class="copy">copy the command</button>\n'
        f"<h3>Parameters</h3>{facts([*rows, ('zerowait', version)])}\n"
        f'<h3>What is measured</h3><dl class="glossary">{glossary}</dl>',
    )
