"""A fit of a log, and the check of it, on a terminal."""

from rich.console import Console

from zerowait.experiment.comparisons.fit_check import FitCheck
from zerowait.experiment.statistics.intervals import Interval
from zerowait.report.numbers import Form, Value, number
from zerowait.report.tables.table import Cell, PolicyName, Table, columns
from zerowait.report.terminal.table import show_table
from zerowait.traces import WorkloadFit


def show_fit(console: Console, fit: WorkloadFit) -> None:
    """For each class every family, best first; the first is taken."""
    if fit.needs == "real":
        load = "needs as they are, so that the load is the log's"
    else:
        load = f"their rounded needs change work and load by {fit.waste:+.1%}"
    console.print(
        f"classes: {fit.grouping} ({load}). The first law of each is taken: its mean is right "
        f"(within 5%, and then scaled), its standard deviation about, and its "
        f"{fit.criterion.upper()} the least.",
        highlight=False,
    )
    if fit.estimates == "exact":
        console.print("Estimates are exact: policies that use them know the future.")
    heads = columns(
        ["", "law", "fitted by"], ["log-likelihood", "AIC", "KS", "mean error", "std error"]
    )
    for one in fit.classes:
        title = f"{one.name}: {one.jobs} jobs, mean {number(one.mean)}, std {number(one.std)}"
        rows: list[list[Cell]] = [
            ["", row.family, row.reason, *[""] * 5]
            if row.law is None
            else [
                "taken" if row is one.chosen else "", row.family, row.method,
                Value(row.log_likelihood, digits=7), Value(row.aic, digits=7),
                Value(row.ks, digits=3), _error(row.mean_error), _error(row.std_error),
            ]
            for row in one.table
        ]  # fmt: skip
        show_table(console, Table(title, heads, rows))
    for note in _doubts(fit):
        console.print(note, style="yellow", highlight=False)


def _doubts(fit: WorkloadFit) -> list[str]:
    notes = []
    poor = [one.name for one in fit.classes if one.is_poor]
    if poor:
        notes.append(
            f"No family fits well (KS above 0.1): {', '.join(poor)}. Resample the log itself with "
            "--laws empirical."
        )
    off = [f"{one.name} ({_error(one.std_error)})" for one in fit.classes if one.misses_std]
    if off:
        notes.append(
            f"The standard deviation is off by more than half: {', '.join(off)}. Allow more laws, "
            "or --laws empirical."
        )
    return notes


def show_check(console: Console, check: FitCheck, fit: WorkloadFit) -> None:
    """The log against the fit, and one sentence on what to think of the fit."""
    heads = columns(
        ["policy"],
        ["wait, log", "wait, fit", "bounded slowdown, log", "bounded slowdown, fit"],
    )
    rows: list[list[Cell]] = [
        [
            PolicyName(one.policy),
            Value(one.log_wait, "duration"), _value(one.fit_wait, "duration"),
            Value(one.log_bounded_slowdown), _value(one.fit_bounded_slowdown, "number"),
        ]
        for one in check.policies
    ]  # fmt: skip
    title = (
        f"log against fit: {check.jobs} jobs on {check.servers} servers, replayed, and as many "
        f"simulated {check.replications} times; load {number(check.log_load)} and "
        f"{number(check.fit_load)}"
    )
    show_table(console, Table(title, heads, rows))
    style = "" if check.trusted else "yellow"
    console.print(check.verdict, style=style, highlight=False)
    if not check.trusted:
        console.print(_remedy(fit), highlight=False)


def _remedy(fit: WorkloadFit) -> str:
    """What would be nearer to the log than the choices of this fit."""
    nearer = []
    if any(one.chosen.family != "empirical" for one in fit.classes):
        nearer.append("--laws empirical")
    if fit.workload.arrivals.name != "rhythm":
        nearer.append("--arrivals rhythm")
    if fit.needs != "real":
        nearer.append("--needs real")
    more = f"Nearer to the log: {', '.join(nearer)}. " if nearer else ""
    return f"{more}Nearest is the log itself: zerowait replay."


def _value(one: Interval, form: Form) -> Value:
    return Value(one.mean, form, one.half_width if one.known else None)


def _error(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:+.1%}"
