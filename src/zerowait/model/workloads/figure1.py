"""The paper's Figure 1: several small jobs and few large ones."""

from zerowait.model.job_class import JobClass
from zerowait.model.laws import Exponential
from zerowait.model.scaling import critical, subcritical
from zerowait.model.workload import Workload
from zerowait.model.workloads.base import register

CLASSES = (
    JobClass(1, 0.95, Exponential(1.0), "small"),
    JobClass(2, 0.05 / 3, Exponential(40.0), "large x2"),
    JobClass(4, 0.05 / 3, Exponential(20.0), "large x4"),
    JobClass(8, 0.05 / 3, Exponential(10.0), "large x8"),
)


@register("figure1")
def figure1(servers: int, load: float | None = None, slack: float = 0.7) -> Workload:
    """Needs f_k, 2 f_k, 4 f_k and 8 f_k with f_k = floor((servers / 32)**(2/3)), Poisson arrivals.

    At the critical load 1 - slack / sqrt(servers / f_k) (Figure 1), or at `load` (Figure 2).
    """
    base = Workload(CLASSES)
    return critical(base, servers, slack) if load is None else subcritical(base, servers, load)
