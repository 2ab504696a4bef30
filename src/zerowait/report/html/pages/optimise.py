"""The page of a search: the choice, what it gains where it was not searched, and the front."""

from zerowait.experiment.optimisation.optimise import Optimisation
from zerowait.experiment.optimisation.search import long_merit
from zerowait.report.html.chart import Chart, Lines, Point, Series, figure
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.table import html_table
from zerowait.report.numbers import Value, percent, written
from zerowait.report.palette import Look
from zerowait.report.tables.optimise import front_table, ratio, scores_table
from zerowait.report.tables.table import Cell, Column, Table

MOST_ROWS = 100


def optimise_page(found: Optimisation, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the workload or log is called."""
    page = Page(
        f"Search for {subject}" if subject else "Search",
        f"{len(found.trials):,} candidates tried · compared with {found.baseline}",
        summary(found),
        [
            Section("On what the search never saw", html_table(scores_table(found))),
            Section("What cannot be bettered in both", _front(found)),
            Section("The search", _progress(found) + _trials(found)),
        ],
        Source(command, found.parameters, version=found.version),
        found.notes,
    )
    return str(page)


def summary(found: Optimisation) -> list[str]:
    best = found.objectives[0]
    text = (
        f"**{found.choice.candidate.spelling}** has {written(ratio(best))} of the {best.text} of "
        f"{found.baseline}"
    )
    sentences = [f"{text}, on streams or weeks that the search never saw."]
    broken = [one.text for one in found.constraints if one.kept is False]
    if broken:
        sentences.append(f"**Not kept there**: {'; '.join(broken)}.")
    elif found.constraints:
        sentences.append("All constraints are kept there.")
    return sentences


def _front(found: Optimisation) -> str:
    if not found.front:
        return ""
    first, second = (str(one) for one in found.problem.objectives)
    series = (Series("the front", Look("blue")), Series("its knee", Look("vermillion", "diamond")))
    points = []
    for one in found.front:
        x, y = one.scores[0], one.scores[1]
        low, high = (y.low, y.high) if y.has_interval else (None, None)
        points.append(Point(0, y.ratio, low, high, x=x.ratio))
        if one.knee:
            points.append(Point(1, y.ratio, x=x.ratio))
    view = Lines("", f"{first}, share of {found.baseline}'s", f"{second}, share", tuple(points))
    chart = Chart(
        "The front",
        f"Both as shares of what {found.baseline} has; further down and to the left is better.",
        series,
        (view,),
    )
    return figure(chart) + html_table(front_table(found))


def _progress(found: Optimisation) -> str:
    """The best of the long runs so far."""
    best, points = float("inf"), []
    for at, one in enumerate(found.trials, start=1):
        if one.long is None or not one.long.feasible:
            continue
        if one.long.objectives[0] < best:
            best = one.long.objectives[0]
            points.append(Point(0, best, x=float(at)))
    if len(points) < 2:
        return ""
    points.append(Point(0, best, x=float(len(found.trials))))
    name = str(found.problem.objectives[0])
    view = Lines("", "candidates tried", f"{name}, share of the baseline's", tuple(points))
    chart = Chart(
        "The best so far", "Where it was searched: the final score is above.",
        (Series("best", Look("blue")),), (view,),
    )  # fmt: skip
    return figure(chart)


def _trials(found: Optimisation) -> str:
    long = [one for one in found.trials if one.long is not None]
    weights = (1.0,) * len(found.problem.objectives)
    long.sort(key=lambda one: long_merit(one, weights))
    names = [str(one) for one in found.problem.objectives]
    rows: list[list[Cell]] = []
    for one in long[:MOST_ROWS]:
        assert one.long is not None
        ratios = [Value(value, digits=3) for value in one.long.objectives]
        rows.append([one.candidate.spelling, *ratios, percent(one.long.excess)])
    heads = [Column("candidate", text=True), *map(Column, names), Column("beyond constraints")]
    return html_table(Table(f"{len(rows)} of {len(long)} long runs, best first", heads, rows))
