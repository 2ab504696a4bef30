"""The SDSC SP2 log as the paper models it, in print and in words."""

from zerowait.model.quantities import refuse
from zerowait.model.workload import Workload
from zerowait.model.workloads.base import register
from zerowait.model.workloads.table import Row, from_table

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


@register("sdsc-sp2")
def sdsc_sp2(law: str = "lognormal", table: str = "published") -> Workload:
    """Seven classes, times in seconds: the paper's Table 2 (its shares sum to 1.0000), or, with
    `table="described"`, what its text says the table is.

    The tables give means and standard deviations only; `law` (lognormal, hyperexponential or
    exponential) is ours. Poisson arrivals, their rate left to the load.
    """
    if table not in TABLES:
        raise refuse("table", table, f"must be one of {', '.join(TABLES)}")
    return from_table(TABLES[table], law)
