"""The KIT FH2 log as the paper models it."""

from zerowait.model.workload import Workload
from zerowait.model.workloads.base import register
from zerowait.model.workloads.table import Row, from_table

ROWS: tuple[Row, ...] = (
    (1845.19, 11440.31, 1, 0.7851),
    (1470.13, 5237.83, 2, 0.018),
    (11169.87, 38631.83, 4, 0.0406),
    (3167.33, 19727.29, 8, 0.0137),
    (5706.45, 17212.04, 16, 0.0539),
    (60673.08, 92531.56, 32, 0.0493),
    (61343.42, 106094.97, 64, 0.0393),
)


@register("kit-fh2")
def kit_fh2(law: str = "lognormal") -> Workload:
    """Seven classes, times in seconds, from the paper's Table 3.

    Its shares sum to 0.9999 as printed, and are divided by that. The table gives means and
    standard deviations only; `law` (lognormal, hyperexponential or exponential) is ours. Poisson
    arrivals, their rate left to the load.
    """
    return from_table(ROWS, law)
