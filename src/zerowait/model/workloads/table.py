"""Workloads from printed tables of means, standard deviations, needs and shares."""

from collections.abc import Sequence

from zerowait.model.job_class import JobClass
from zerowait.model.laws import Exponential, Hyperexponential, Law, Lognormal
from zerowait.model.quantities import refuse
from zerowait.model.rationals import rational
from zerowait.model.workload import Workload

Row = tuple[float, float, int, float]  # E[D_i], std(D_i), n_i, alpha_i


def fit(law: str, mean: float, std: float) -> Law:
    """A law of the family with this mean and, but for the exponential, this std."""
    match law:
        case "lognormal":
            return Lognormal.from_mean_std(mean, std)
        case "hyperexponential":
            return Hyperexponential.from_mean_std(mean, std)
        case "exponential":
            return Exponential(mean)
    raise refuse("law", law, "must be lognormal, hyperexponential or exponential")


def from_table(rows: Sequence[Row], law: str) -> Workload:
    """One class per row; the printed shares are divided by their exact sum."""
    shares = [rational("share", share) for *_, share in rows]
    total = sum(shares)
    return Workload(
        [
            JobClass(need, float(share / total), fit(law, mean, std), name=f"need {need}")
            for (mean, std, need, _), share in zip(rows, shares, strict=True)
        ]
    )
