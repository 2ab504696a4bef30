"""From the jobs of a log to a workload: classes, a fitted law for each, an arrival process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zerowait.model import Workload
from zerowait.model.quantities import refuse
from zerowait.traces.classes import group
from zerowait.traces.fitting.arrivals import arrival_process
from zerowait.traces.fitting.class_fit import Asked, ClassFit, fit_class
from zerowait.traces.fitting.families import FAMILIES
from zerowait.traces.fitting.overestimates import overestimates
from zerowait.traces.reading import Trace, log_of

NEEDS = ("real", "rounded")
ESTIMATES = ("user", "exact")


@dataclass(frozen=True, repr=False)
class WorkloadFit:
    """The workload of a log, and how it came about."""

    workload: Workload
    classes: tuple[ClassFit, ...]
    grouping: str
    needs: str  # real or rounded
    waste: float  # work added by rounded needs, as a share of the log's; real ones add none
    method: str
    criterion: str
    estimates: str  # user, or exact where the log has none

    def __repr__(self) -> str:
        laws = ", ".join(f"{one.name}: {one.chosen.family}" for one in self.classes)
        return f"WorkloadFit({laws})"

    def as_dict(self) -> dict[str, Any]:
        return {
            "grouping": self.grouping,
            "needs": self.needs,
            "waste": self.waste,
            "method": self.method,
            "criterion": self.criterion,
            "estimates": self.estimates,
            "arrivals": self.workload.arrivals.name,
            "arrival_rate": self.workload.arrivals.rate,
            "classes": [one.as_dict() for one in self.classes],
        }


def fit_workload(
    trace: Trace,
    *,
    classes: str = "auto",
    needs: str = "real",
    laws: Sequence[str] | None = None,
    by: str = "both",
    criterion: str = "aic",
    arrivals: str = "poisson",
    estimates: str = "user",
) -> WorkloadFit:
    """Classes of needs, and for each the law that fits best among `laws` (all usual families).

    Fitted by `moments` a law has the mean (and, where it can, the standard deviation) of its
    jobs; fitted by `likelihood` its shape is nearer, but its mean may be far off. The criterion
    (aic or ks) chooses among those with the right mean and about the right standard deviation.

    With `real` needs each need of a class is a class of the workload, with its own share and the
    law scaled to its own mean: the offered load is the log's. With `rounded` ones a class has one
    need, as splits want it; `waste` says what work that adds.

    `user` estimates are announced as the log's users do: their ratios estimate / service are drawn
    again by class. With `exact` ones policies know the future.
    """
    if laws is None:
        laws = [family.name for family in FAMILIES.values() if family.usual]
    if not laws:
        raise refuse("laws", laws, "must name one family or more")
    if needs not in NEEDS:
        raise refuse("needs", needs, f"must be one of {', '.join(NEEDS)}")
    if estimates not in ESTIMATES:
        raise refuse("estimates", estimates, f"must be one of {', '.join(ESTIMATES)}")
    log = log_of(trace, "fit_workload")
    jobs = log.jobs
    process = arrival_process(jobs, arrivals, log.clock)
    grouped = group(jobs, classes)
    ratios = overestimates(jobs, log.has_estimate) if estimates == "user" else None
    asked = Asked(laws, by, criterion, needs, ratios)
    fitted = tuple(fit_class(jobs, grouped, number, asked) for number in range(len(grouped)))
    workload = Workload([part for one in fitted for part in one.parts], process)
    waste = grouped.waste if needs == "rounded" else 0.0
    modelled = "exact" if ratios is None else "user"
    return WorkloadFit(workload, fitted, classes, needs, waste, by, criterion, modelled)
