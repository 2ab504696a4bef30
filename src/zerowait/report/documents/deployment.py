"""The documents of deployments: promises kept or broken, and a real scheduler's rehearsal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from zerowait.experiment.schedules.twin_run import Band, TwinRun, Twins
from zerowait.model.quantities import Floats
from zerowait.report.charts import Chart, DotView, LineView, Point, Row, Series
from zerowait.report.document import (
    Cell,
    Column,
    Document,
    PagePart,
    PolicyName,
    Source,
    Table,
    Text,
    columns,
)
from zerowait.report.numbers import Value, duration
from zerowait.report.palette import Look, short_name

REAL, PREDICTED, IDEAL = 0, 1, 2
SERIES = (
    Series("real", Look("vermillion")),
    Series("predicted with the scheduler's delays", Look("blue", "square")),
    Series("predicted without delays", Look("grey", "diamond", "dashed")),
)
SHARES = np.linspace(0.0, 1.0, 101)
NOTES = (
    "A band holds 95% of the draws: of the scheduler's cycle, of how long jobs take to start and "
    "servers to come back, as measured in this rehearsal, and with the idle server that Slurm "
    "reserves without need.",
    "Waits count from when Slurm took the job, and predictions are for the jobs as they came.",
    "A job is out of the predicted order if it started before one that most draws have before it, "
    "by more than the scheduler's cycle.",
)


@dataclass(frozen=True)
class RehearsalDocument(Document):
    """What was predicted and what happened; `about` is what was rehearsed, in plain values."""

    subject: Twins
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[TwinRun, ...]:
        return self.subject.baseline, self.subject.choice

    @property
    def title(self) -> str:
        return f"Rehearsal of {short_name(self.subject.choice.policy)}"

    @property
    def subtitle(self) -> str:
        about = self.about
        return (
            f"{about['jobs']:,} jobs of {about['log']} on {about['servers']} virtual nodes · "
            f"{about['scheduler']}, {about['speed']:g} times as fast"
        )

    def brief(self) -> Iterable[Text]:
        twins = self.subject
        for one in self.runs:
            band = one.wait_band
            yield Text(
                f"{one.policy}\n"
                f"  mean wait    real {_mean(one)}, predicted {duration(band.low)} to "
                f"{duration(band.high)}\n"
                f"  jobs         {one.n_jobs_ended} of {len(one.waits)} ended, "
                f"{_times(one.restarts)} restarted\n"
                f"  order        {_order(one)}",
                wrap=False,
            )
        band = twins.ratio_band
        verdict = "within" if band.holds(twins.ratio) else "NOT within"
        yield Text(
            f"plan / baseline, mean wait: real {twins.ratio:.3f}, {verdict} the predicted "
            f"{band.low:.3f} to {band.high:.3f}",
            wrap=False,
        )

    def summary(self) -> list[str]:
        return _said(self.subject)

    def parts(self) -> list[PagePart]:
        return [
            PagePart("Mean waits, predicted and real", [_ratio(self.subject), _means(self.runs)]),
            PagePart("Waits job by job", [*map(_waits, self.runs)]),
            PagePart("Out of the predicted order", [*map(_moved, self.runs)]),
            PagePart("Against the rules", [*map(_broken, self.runs)]),
        ]

    def notes(self) -> Sequence[str]:
        return NOTES

    def source(self) -> Source:
        return Source(self.command, self.about, ("wait",))

    def pictures(self) -> Sequence[Chart]:
        return [_ratio(self.subject), *map(_waits, self.runs)]


def _said(twins: Twins) -> list[str]:
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


def _ratio(twins: Twins) -> Chart:
    view = DotView(
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
    return Chart("The plan's gain", caption, SERIES, (view,))


def _band_point(band: Band) -> Point:
    return Point(PREDICTED, band.middle, band.low, band.high)


def _means(runs: tuple[TwinRun, ...]) -> Table:
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
    return Table("Mean waits", heads, rows)


def _waits(one: TwinRun) -> Chart:
    """Draw waits from the shortest to the longest."""
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
    view = LineView("", "% of the jobs that wait no longer", "wait", tuple(points), "duration")
    return Chart(f"Waits under {short_name(one.policy)}", "Shortest first.", SERIES, (view,))


def _middle(values: Floats) -> tuple[float, float, float]:
    band = Band.of(values)
    return band.middle, band.low, band.high


def _moved(one: TwinRun) -> Table | Text:
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
        return Text(f"{name}: none.")
    heads = columns(["why"], ["job", "need", "time limit", "started", "predicted", "jobs passed"])
    title = f"{name}: jobs that started before others predicted to go first"
    return Table(title, heads, rows)


def _broken(one: TwinRun) -> Table | Text:
    name = short_name(one.policy)
    rows: list[list[Cell]] = [
        [f"job {each.passed} {each.reason}", each.job] for each in one.violations
    ]
    if not rows:
        return Text(f"{name}: none of {len(one.passings):,} passings.")
    return Table(name, columns(["what was passed"], ["by job"]), rows)


def _times(n: int) -> str:
    return "controller not" if n == 0 else "controller once" if n == 1 else f"controller {n} times"


def _order(one: TwinRun) -> str:
    broken = one.violations
    moved = f"{len(one.out_of_order)} jobs out of the predicted order, each with a reason"
    return f"{moved}; {len(broken)} against the rules" + (":" if broken else "") + "".join(
        f"\n               job {each.job} passed job {each.passed}, which {each.reason}"
        for each in broken
    )  # fmt: skip


def twins_dict(twins: Twins) -> dict[str, Any]:
    """Return a rehearsal ready for JSON."""
    return {
        "baseline": _run_dict(twins.baseline),
        "choice": _run_dict(twins.choice),
        "ratio": {
            "real": twins.ratio,
            "predicted": _band_dict(twins.ratio_band),
            "without_delays": twins.ideal_ratio,
            "within": twins.ratio_band.holds(twins.ratio),
        },
    }


def _run_dict(one: TwinRun) -> dict[str, Any]:
    return {
        "policy": one.policy,
        "wait": {
            "real": float(one.waits.mean()),
            "predicted": _band_dict(one.wait_band),
            "without_delays": float(one.ideal_waits.mean()),
        },
        "ended": one.n_jobs_ended,
        "restarts": one.restarts,
        "out_of_order": len(one.out_of_order),
        "violations": [
            {"job": each.job, "passed": each.passed, "reason": each.reason}
            for each in one.violations
        ],
    }


def _band_dict(band: Band) -> dict[str, float]:
    return {"low": band.low, "middle": band.middle, "high": band.high}


class Kept(Protocol):
    """A promise, whether it holds, why it was not tried, and what was expected and seen."""

    @property
    def promise(self) -> str: ...
    @property
    def holds(self) -> bool: ...
    @property
    def skipped(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def seen(self) -> str: ...


@dataclass(frozen=True)
class PromisesDocument(Document):
    """Promises, each with what was expected and seen."""

    subject: Sequence[Kept]

    def brief(self) -> Iterable[Text]:
        for one in self.subject:
            word = "not tried" if one.skipped else "kept" if one.holds else "BROKEN"
            told = [("", one.skipped)] if one.skipped else [
                ("expected: ", one.expected), ("seen:     ", one.seen),
            ]  # fmt: skip
            lines = [f"{word:9}  {one.promise}", *(f"{'':11}{name}{text}" for name, text in told)]
            yield Text("\n".join(lines), wrap=False)
