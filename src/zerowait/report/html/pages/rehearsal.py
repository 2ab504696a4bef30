"""The page of `zerowait deploy rehearse`: a real scheduler beside its prediction."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from zerowait.experiment.schedules.twin_run import Band, TwinRun, Twins
from zerowait.model.quantities import Floats
from zerowait.report.html.chart import Chart, Dots, Lines, Point, Row, Series, figure
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.table import html_table
from zerowait.report.numbers import Value, duration
from zerowait.report.palette import Look, short_name
from zerowait.report.tables.table import Cell, Column, PolicyName, Table, columns
from zerowait.report.text import escaped

REAL, PREDICTED, IDEAL = 0, 1, 2
SERIES = (
    Series("real", Look("vermillion")),
    Series("predicted with the scheduler's delays", Look("blue", "square")),
    Series("predicted without delays", Look("grey", "diamond", "dashed")),
)
SHARES = np.linspace(0.0, 1.0, 101)


def rehearsal_page(twins: Twins, about: Mapping[str, Any], command: str) -> str:
    """The page as text; `about` is what was rehearsed, in plain values."""
    runs = (twins.baseline, twins.choice)
    page = Page(
        f"Rehearsal of {short_name(twins.choice.policy)}",
        f"{about['jobs']:,} jobs of {about['log']} on {about['servers']} virtual nodes · "
        f"{about['scheduler']}, {about['speed']:g} times as fast",
        _summary(twins),
        [
            Section("Mean waits, predicted and real", _ratio(twins) + _means(runs)),
            Section("Waits job by job", "".join(map(_waits, runs))),
            Section("Out of the predicted order", "".join(map(_moved, runs))),
            Section("Against the rules", "".join(map(_broken, runs))),
        ],
        Source(command, about, ("wait",)),
        NOTES,
    )
    return str(page)


NOTES = (
    "A band holds 95% of the draws: of the scheduler's cycle, of how long jobs take to start and "
    "servers to come back, as measured in this rehearsal, and with the idle server that Slurm "
    "reserves without need.",
    "Waits count from when Slurm took the job, and predictions are for the jobs as they came.",
    "A job is out of the predicted order if it started before one that most draws have before it, "
    "by more than the scheduler's cycle.",
)


def _summary(twins: Twins) -> list[str]:
    band = twins.ratio_band
    within = "lies in" if band.holds(twins.ratio) else "does **not** lie in"
    broken = sum(len(one.violations) for one in (twins.baseline, twins.choice))
    rules = "No job passed another against the rules." if not broken else (
        f"**{broken} times a job passed another against the rules.**"
    )  # fmt: skip
    return [
        f"On average jobs waited **{_mean(twins.choice)}** under the plan and "
        f"{_mean(twins.baseline)} under the baseline: **{twins.ratio:.3f}** times as long. "
        f"That {within} the predicted {band.low:.3f} to {band.high:.3f}.",
        rules,
    ]


def _mean(one: TwinRun) -> str:
    return duration(float(one.waits.mean()))


def _ratio(twins: Twins) -> str:
    view = Dots(
        "",
        "mean wait under the plan / under the baseline",
        (
            Row("real", (Point(REAL, twins.ratio),)),
            Row("predicted", (_band_point(twins.ratio_band),)),
            Row("without delays", (Point(IDEAL, twins.ideal_ratio),)),
        ),
        reference=(1.0, "as long as before"),
    )
    caption = "Below one the plan makes jobs wait less. The band is what a real scheduler may do."
    return figure(Chart("The plan's gain", caption, SERIES, (view,)))


def _band_point(band: Band) -> Point:
    return Point(PREDICTED, band.middle, band.low, band.high)


def _means(runs: tuple[TwinRun, ...]) -> str:
    rows: list[list[Cell]] = []
    for one in runs:
        band, real = one.wait_band, float(one.waits.mean())
        rows.append([
            PolicyName(one.policy),
            Value(real, "duration"),
            Value(band.middle, "duration", bounds=(band.low, band.high)),
            Value(float(one.ideal_waits.mean()), "duration"),
            "yes" if band.holds(real) else "no",
            one.n_jobs_ended,
            one.restarts,
        ])  # fmt: skip
    heads = [
        Column("policy", text=True), Column("real"), Column("predicted"),
        Column("without delays"), Column("in the band", text=True), Column("jobs ended"),
        Column("restarts"),
    ]  # fmt: skip
    return html_table(Table("Mean waits", heads, rows))


def _waits(one: TwinRun) -> str:
    """Waits from the shortest to the longest."""
    real = np.quantile(one.waits, SHARES)
    drawn = np.quantile(one.predicted_waits, SHARES, axis=1)
    points = [
        Point(REAL, float(value), x=100 * share) for share, value in zip(SHARES, real, strict=True)
    ]
    points += [
        Point(PREDICTED, *_middle(values), x=100 * share)
        for share, values in zip(SHARES, drawn, strict=True)
    ]
    points += [
        Point(IDEAL, float(value), x=100 * share)
        for share, value in zip(SHARES, np.quantile(one.ideal_waits, SHARES), strict=True)
    ]
    view = Lines("", "% of the jobs that wait no longer", "wait", tuple(points), "duration")
    return figure(
        Chart(f"Waits under {short_name(one.policy)}", "Shortest first.", SERIES, (view,))
    )


def _middle(values: Floats) -> tuple[float, float, float]:
    band = Band.of(values)
    return band.middle, band.low, band.high


def _moved(one: TwinRun) -> str:
    expected, name = np.median(one.predicted, axis=0), short_name(one.policy)
    rows: list[list[Cell]] = [
        [
            f"job {each.passed} {each.reason}",
            each.job,
            int(one.real.need[each.job]),
            Value(float(one.real.estimate[each.job]), "duration"),
            Value(float(one.real.start[each.job]), "duration"),
            Value(float(expected[each.job]), "duration"),
            each.n_passed,
        ]
        for each in one.out_of_order
    ]
    if not rows:
        return f"<p>{escaped(name)}: none.</p>"
    heads = columns(["why"], ["job", "need", "time limit", "started", "predicted", "jobs passed"])
    title = f"{name}: jobs that started before others predicted to go first"
    return html_table(Table(title, heads, rows))


def _broken(one: TwinRun) -> str:
    name = short_name(one.policy)
    rows: list[list[Cell]] = [
        [f"job {each.passed} {each.reason}", each.job] for each in one.violations
    ]
    if not rows:
        return f"<p>{escaped(name)}: none of {len(one.passings):,} passings.</p>"
    return html_table(Table(name, columns(["what was passed"], ["by job"]), rows))
