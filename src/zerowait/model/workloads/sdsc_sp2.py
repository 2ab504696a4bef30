"""The SDSC SP2 log as the paper models it."""

from zerowait.model.workload import Workload
from zerowait.model.workloads.base import register
from zerowait.model.workloads.table import Row, from_table

ROWS: tuple[Row, ...] = (
    (10519.71, 18267.03, 1, 0.2321),
    (1436.82, 6250.19, 2, 0.1496),
    (5643.69, 18123.7, 4, 0.1624),
    (9248.53, 18468.51, 8, 0.1652),
    (10601.46, 17050.63, 16, 0.156),
    (12139.59, 22654.86, 32, 0.0807),
    (8302.33, 19074.81, 64, 0.054),
)


@register("sdsc-sp2")
def sdsc_sp2(law: str = "lognormal") -> Workload:
    """Seven classes, times in seconds, from the paper's Table 2 (its shares sum to 1.0000).

    The table gives means and standard deviations only; `law` (lognormal, hyperexponential or
    exponential) is ours. Poisson arrivals, their rate left to the load.
    """
    return from_table(ROWS, law)
