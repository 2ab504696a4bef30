"""Which policies share a panel: the paper's on one side, those it left out on the other."""

from collections.abc import Sequence

from zerowait.experiment.reproduce.settings import PAPER
from zerowait.report.panels import Panel, Row

REFERENCE = "balanced-splitting:fcfs"  # in both, so that the sides can be compared
SIDES = ("Policies of the paper", "Policies it left out")


def sides(rows: Sequence[Row], axis: str) -> list[Panel]:
    """One panel or two; a side without policies is left out."""
    policies = dict.fromkeys(row["policy"] for row in rows)
    paper = tuple(one for one in policies if one in PAPER)
    more = tuple(one for one in policies if one not in PAPER)
    if more and REFERENCE in paper:
        more = (*more, REFERENCE)
    return [
        Panel(name, axis, tuple(row for row in rows if row["policy"] in chosen))
        for name, chosen in zip(SIDES, (paper, more), strict=True)
        if chosen
    ]
