"""One document per kind of result, a file each: what is said of it, and nothing of screens."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zerowait.model import InputError
from zerowait.report.document import Document
from zerowait.report.measured import in_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

# The file and the class of each kind's document, so that only the one that is drawn is imported.
DOCUMENTS: "Mapping[str, tuple[str, str]]" = {
    "Result": ("result", "ResultDocument"),
    "Comparison": ("comparison", "ComparisonDocument"),
    "Split": ("split", "SplitDocument"),
    "Log": ("log", "LogDocument"),
    "Agenda": ("sweep", "AgendaDocument"),
    "SweepOutcome": ("sweep", "SweepDocument"),
    "DataFrame": ("sweep", "TableDocument"),
    "Optimisation": ("optimisation", "OptimisationDocument"),
    "Advice": ("plan", "AdviceDocument"),
    "Capacity": ("formulas", "CapacityDocument"),
    "Theory": ("formulas", "TheoryDocument"),
    "WorkloadFit": ("log", "FitDocument"),
    "Gantt": ("schedule", "ScheduleDocument"),
}
# Those of results of logs, whose times are seconds.
OF_LOGS: "Mapping[str, tuple[str, str]]" = {
    "Result": ("replay", "ReplayDocument"),
    "Comparison": ("log_comparison", "LogComparisonDocument"),
}


def document_of(thing: object, command: str = "", name: str = "") -> Document:
    """Return the document of a result, by the nearest of its types that has one."""
    if isinstance(thing, Document):
        return thing
    for kind in type(thing).__mro__:
        if kind.__name__ in DOCUMENTS:
            module, document = DOCUMENTS[kind.__name__]
            result: Any = getattr(thing, "results", (thing,))[0]
            if kind.__name__ in OF_LOGS and in_seconds(result):
                module, document = OF_LOGS[kind.__name__]
            made: Document = getattr(import_module(f"{__name__}.{module}"), document)(
                thing, command=command, name=name
            )
            return made
    raise InputError(f"{type(thing).__name__}: reports do not know how to show it")
