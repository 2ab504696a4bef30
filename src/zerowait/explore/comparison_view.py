"""A comparison as the page shows it: sentences, charts, tables, and files to take away."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zerowait.engine.batches import MAXIMUM, Tally
from zerowait.engine.sums import WAIT, quantiles
from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.measures import MEASURES, N_SUMS
from zerowait.experiment.results.result import Result
from zerowait.model.quantities import Floats, Ints
from zerowait.report.charts import Chart, LineView, Point, Series, dots_of, point, policy_series
from zerowait.report.document import Cell, Column, PolicyName, Table, why_once
from zerowait.report.documents.comparison import comparison_verdict
from zerowait.report.documents.log_comparison import log_verdict
from zerowait.report.html.blocks import html_chart, html_table
from zerowait.report.measured import (
    compared,
    form_of,
    heading,
    labelled,
    row_value,
    table_rows,
    value_of,
)
from zerowait.report.numbers import Value
from zerowait.report.palette import looks_of, short_name
from zerowait.report.waits import counted_waits

# Shares of the jobs that wait longer, evenly on a log axis; as far as there are jobs to say it.
SHARES = 10.0 ** -np.linspace(0.02, 4.0, 45)
FEWEST = 10  # jobs beyond the last share

Curve = tuple[Floats, Floats]  # waits, and the share of the jobs that wait longer


def curves_of_tally(tally: Tally) -> Iterator[Curve]:
    """Yield the curve of all jobs, then that of each class."""
    rows = np.vstack([tally.wait_histogram.sum(axis=0), tally.wait_histogram])
    longest = tally.moments[:, WAIT // N_SUMS, MAXIMUM]
    for counts, most in zip(rows, [longest.max(), *longest], strict=True):
        shares = _shares(int(counts.sum()))
        found = quantiles(counts[None, :], tally.origin, tuple(1 - shares), np.array([most]))
        yield _positive(found[:, 0], shares)


def curves_of_replay(result: Result) -> Iterator[Curve]:
    """Yield the same curves from the single jobs of a log."""
    waits = counted_waits(result)
    assert waits is not None  # replays of a comparison have their jobs
    everybody: Ints = np.ones(len(waits.wait), np.int64)
    for kept in (everybody, *(waits.job_class == at for at in range(len(result.classes)))):
        own = waits.wait[kept.astype(bool)]
        shares = _shares(len(own))
        yield _positive(np.quantile(own, 1 - shares) if len(own) else shares[:0], shares)


def _shares(n_jobs: int) -> Floats:
    found: Floats = SHARES[n_jobs * SHARES >= FEWEST]
    return found


def _positive(waits: Floats, shares: Floats) -> Curve:
    """Leave out waits of zero, which a log axis cannot show."""
    kept = waits > 0
    return waits[kept], shares[kept]


OVERALL = ("wait", "wait_p95", "response", "p_wait", "utilisation")
OF_CLASSES = ("wait", "wait_p95", "wait_max", "p_wait")
TABLE = ("wait", "wait_p95", "wait_max", "p_wait", "utilisation", "response")
MOST_VIEWS = 12  # classes whose distribution can be looked at


def comparison_view(comparison: Comparison, curves: Sequence[Sequence[Curve]]) -> dict[str, Any]:
    """Return sentences, charts and tables; `curves` are per policy, of all jobs and each class."""
    results = comparison.results
    looks = looks_of(one.policy for one in results)
    series = policy_series(looks)
    values = _Values(comparison)
    return {
        "sentences": sentences_of(comparison),
        "figures": {
            "policies": html_chart(_overall(values, series)),
            "classes": html_chart(_classes(values, series)),
            "waits": html_chart(_distribution(values, series, curves)),
        },
        "tables": {
            "all-jobs": html_table(_overall_table(values), looks=looks),
            "by-class": html_table(_class_table(values), looks=looks),
        },
        "notes": [f"{short_name(one.policy)}: {note}" for one in results for note in one.notes],
    }


def sentences_of(comparison: Comparison) -> list[str]:
    """Return the findings as sentences."""
    return log_verdict(comparison) if comparison.in_seconds else comparison_verdict(comparison)


def comparison_files(comparison: Comparison) -> dict[str, Any]:
    """Return files to take away: what `compare --json` prints, and the table."""
    return {"comparison": comparison.as_dict(), "csv": comparison.table().write_csv()}


class _Values:
    """Every value of a comparison with its interval, by policy, measure and class."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison, self.results = comparison, comparison.results
        self.classes = comparison.results[0].classes
        self.seconds = comparison.in_seconds
        self._rows = [table_rows(one) for one in comparison.results]
        self._known: dict[tuple[int, str, int | None], Value] = {}  # charts and tables share them

    def __call__(self, policy: int, name: str, place: int | None = None) -> Value:
        asked = (policy, name, place)
        if asked not in self._known:
            self._known[asked] = self._found(*asked)
        return self._known[asked]

    def _found(self, policy: int, name: str, place: int | None) -> Value:
        result = self.results[policy]
        row = self._rows[policy][-1 if place is None else place]
        if self.seconds and name == "wait_max":
            return value_of(name, row[name], seconds=True)
        if self.seconds or name in MEASURES:
            return compared(self.comparison, result, name, place)
        return row_value(row, name)


def _overall(values: _Values, series: tuple[Series, ...]) -> Chart:
    views = tuple(
        dots_of(
            name,
            [
                (short_name(one.policy), [point(i, values(i, name))])
                for i, one in enumerate(values.results)
            ],
            values.seconds,
        )
        for name in OVERALL
    )
    return Chart("Policies side by side", "All jobs; bars are intervals.", series, views)


def _classes(values: _Values, series: tuple[Series, ...]) -> Chart:
    views = tuple(
        dots_of(
            name,
            [
                (
                    one.name if one.name == f"need {one.need}" else f"{one.name} (need {one.need})",
                    [point(i, values(i, name, at)) for i in range(len(values.results))],
                )
                for at, one in enumerate(values.classes)
            ],
            values.seconds,
            log=form_of(name) == "number",
        )
        for name in OF_CLASSES
    )
    return Chart("Who waits", "Each class under each policy.", series, views)


def _distribution(
    values: _Values, series: tuple[Series, ...], curves: Sequence[Sequence[Curve]]
) -> Chart:
    names = ["all jobs", *(one.name for one in values.classes)]

    def view(place: int) -> LineView:
        points = tuple(
            Point(i, float(share), x=float(wait))
            for i, of_policy in enumerate(curves)
            for wait, share in zip(*of_policy[place], strict=True)
        )
        return LineView(
            names[place], "wait", "share of the jobs that wait longer", points, "share", log=True,
            x_log=True, x_format=form_of("wait", values.seconds),
        )  # fmt: skip

    shown_views = tuple(map(view, range(min(len(names), MOST_VIEWS + 1))))
    said = "The share of the jobs that wait longer than so long; both axes are logarithmic."
    return Chart("How waits are distributed", said, series, shown_views)


def _heads() -> list[Column]:
    return [Column(heading(name) if name in MEASURES else labelled(name).label) for name in TABLE]


def _cells(values: _Values, policy: int, place: int | None) -> list[Cell]:
    return [*why_once([values(policy, name, place) for name in TABLE])]


def _overall_table(values: _Values) -> Table:
    best = values.comparison.ranking().is_best
    rows: list[list[Cell]] = [
        [PolicyName(one.policy, best(one.policy)), *_cells(values, i, None)]
        for i, one in enumerate(values.results)
    ]
    return Table("All jobs", [Column("policy", text=True), *_heads()], rows)


def _class_table(values: _Values) -> Table:
    rows: list[list[Cell]] = [
        [one.name, PolicyName(result.policy), one.need, *_cells(values, i, at)]
        for at, one in enumerate(values.classes)
        for i, result in enumerate(values.results)
    ]
    heads = [Column("class", text=True), Column("policy", text=True), Column("need"), *_heads()]
    return Table("By class", heads, rows)
