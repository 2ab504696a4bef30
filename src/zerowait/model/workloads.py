"""Published workloads, and their register."""

import inspect
from collections.abc import Callable, Sequence

from zerowait.model.errors import InputError
from zerowait.model.laws import Exponential, Hyperexponential, Law, Lognormal
from zerowait.model.quantities import rational, refuse
from zerowait.model.registers import Register
from zerowait.model.scaling import critical, subcritical
from zerowait.model.workload import JobClass, Workload

WORKLOADS: Register[Callable[..., Workload]] = Register("workload")

Row = tuple[float, float, int, float]  # E[D_i], std(D_i), n_i, alpha_i


def law_of_moments(law: str, mean: float, std: float) -> Law:
    """Return a law of the family with this mean and, but for the exponential, this std."""
    match law:
        case "lognormal":
            return Lognormal.from_mean_std(mean, std)
        case "hyperexponential":
            return Hyperexponential.from_mean_std(mean, std)
        case "exponential":
            return Exponential(mean)
    raise refuse("law", law, "must be lognormal, hyperexponential or exponential")


def from_table(rows: Sequence[Row], law: str) -> Workload:
    """Make one class per row; the printed shares are divided by their exact sum."""
    shares = [rational("share", share) for *_, share in rows]
    total = sum(shares)
    return Workload(
        [
            JobClass(
                need, float(share / total), law_of_moments(law, mean, std), name=f"need {need}"
            )
            for (mean, std, need, _), share in zip(rows, shares, strict=True)
        ]
    )


CLASSES = (
    JobClass(1, 0.95, Exponential(1.0), "small"),
    JobClass(2, 0.05 / 3, Exponential(40.0), "large x2"),
    JobClass(4, 0.05 / 3, Exponential(20.0), "large x4"),
    JobClass(8, 0.05 / 3, Exponential(10.0), "large x8"),
)


@WORKLOADS.register_as("figure1")
def figure1(servers: int, load: float | None = None, slack: float = 0.7) -> Workload:
    """Return needs of 1, 2, 4 and 8 times f_k = floor((servers / 32)**(2/3)), Poisson arrivals.

    At the critical load 1 - slack / sqrt(servers / f_k) (Figure 1), or at `load` (Figure 2).
    """
    base = Workload(CLASSES)
    return critical(base, servers, slack) if load is None else subcritical(base, servers, load)


ROWS: tuple[Row, ...] = (
    (1845.19, 11440.31, 1, 0.7851),
    (1470.13, 5237.83, 2, 0.018),
    (11169.87, 38631.83, 4, 0.0406),
    (3167.33, 19727.29, 8, 0.0137),
    (5706.45, 17212.04, 16, 0.0539),
    (60673.08, 92531.56, 32, 0.0493),
    (61343.42, 106094.97, 64, 0.0393),
)


@WORKLOADS.register_as("kit-fh2")
def kit_fh2(law: str = "lognormal") -> Workload:
    """Return seven classes, times in seconds, from the paper's Table 3.

    Its shares sum to 0.9999 as printed, and are divided by that. The table gives means and
    standard deviations only; `law` (lognormal, hyperexponential or exponential) is ours. Poisson
    arrivals, their rate left to the load.
    """
    return from_table(ROWS, law)


# Table 2 as printed. Log 4.1-cln with needs rounded down to powers of two gives every digit of
# it, with times over the first 20,000 jobs (zerowait.traces.published; docs/decisions/0204).
PUBLISHED: tuple[Row, ...] = (
    (10519.71, 18267.03, 1, 0.2321),
    (1436.82, 6250.19, 2, 0.1496),
    (5643.69, 18123.7, 4, 0.1624),
    (9248.53, 18468.51, 8, 0.1652),
    (10601.46, 17050.63, 16, 0.156),
    (12139.59, 22654.86, 32, 0.0807),
    (8302.33, 19074.81, 64, 0.054),
)

# What the paper's text describes: needs that are powers of two up to 64, others removed, all
# jobs with a run time above zero. From SDSC-SP2-1998-4.2-cln.swf of the Parallel Workloads
# Archive (SHA-256 of its text 2bb635f4...), 45,581 jobs, standard deviations with n - 1.
DESCRIBED: tuple[Row, ...] = (
    (7434.64, 16241.48, 1, 0.2745),
    (4592.16, 13859.58, 2, 0.1607),
    (2756.79, 10024.74, 4, 0.1568),
    (7298.87, 14331.79, 8, 0.145),
    (8018.89, 14331.04, 16, 0.1347),
    (12855.58, 19370.97, 32, 0.0724),
    (11846.31, 16005.43, 64, 0.0559),
)

TABLES = {"published": PUBLISHED, "described": DESCRIBED}


@WORKLOADS.register_as("sdsc-sp2")
def sdsc_sp2(law: str = "lognormal", table: str = "published") -> Workload:
    """Return seven classes, times in seconds: the paper's Table 2 (its shares sum to 1.0000), or,
    with `table="described"`, what its text says the table is.

    The tables give means and standard deviations only; `law` (lognormal, hyperexponential or
    exponential) is ours. Poisson arrivals, their rate left to the load.
    """
    if table not in TABLES:
        raise refuse("table", table, f"must be one of {', '.join(TABLES)}")
    return from_table(TABLES[table], law)


def as_workload(workload: Workload | str, servers: int) -> Workload:
    """Return a workload as it is, or a published one by its spelling."""
    if isinstance(workload, str):
        return named_workload(workload, servers)
    if not isinstance(workload, Workload):
        known = ", ".join(sorted(WORKLOADS))
        raise refuse("workload", workload, f"must be a Workload, or the name of one of {known}")
    return workload


def is_published(spelling: str) -> bool:
    """Is it the name of a workload, options or not?"""
    return _name(spelling.partition(",")[0]) in WORKLOADS


def named_workload(spelling: str, servers: int) -> Workload:
    """Return the workload of a spelling: `figure1`, `figure1,slack=0.5`, ..."""
    name, *options = (part.strip() for part in spelling.split(","))
    function = WORKLOADS.get(_name(name))
    if function is None:
        known = ", ".join(sorted(WORKLOADS))
        raise InputError(f"workload {name!r}: is not known; give {known} or a file named *.toml")
    parameters = inspect.signature(function).parameters
    values: dict[str, object] = {"servers": servers} if "servers" in parameters else {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals or key not in parameters or key == "servers":
            can = ", ".join(p for p in parameters if p != "servers")
            raise InputError(
                f"workload {spelling!r}: option {option!r}: must be key=value of {can}"
            )
        values[key] = _value(text)
    return function(**values)


def _name(text: str) -> str:
    return text.strip().lower().replace("_", "-")


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


__all__ = [
    "WORKLOADS",
    "as_workload",
    "figure1",
    "is_published",
    "kit_fh2",
    "named_workload",
    "sdsc_sp2",
]
