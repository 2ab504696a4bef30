"""The page of a search: the choice, what it gains where it was not searched, and the front."""

from zerowait.experiment.optimise.optimisation import Optimisation
from zerowait.experiment.optimise.scoring import Score
from zerowait.experiment.optimise.search import long_merit
from zerowait.report.figures.palette import Look
from zerowait.report.html.chart import Chart, Lines, Point, Series, figure
from zerowait.report.html.page import Section, notes, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.table import Cell, numeric, table
from zerowait.report.terminal.optimise import interval
from zerowait.report.terminal.results import number

MOST_ROWS = 100


def optimise_page(found: Optimisation, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the workload or log is called."""
    return page(
        f"Search for {subject}" if subject else "Search",
        f"{len(found.trials):,} candidates tried · compared with {found.baseline}",
        summary(found),
        [
            Section("On what the search never saw", score_table(found.scores)),
            Section("What cannot be bettered in both", _front(found)),
            Section("The search", _progress(found) + _trials(found)),
            Section("Notes", notes(found.notes)),
            provenance(found.parameters, found.version, command, split=False),
        ],
    )


def summary(found: Optimisation) -> list[str]:
    best = found.objectives[0]
    text = (
        f"**{found.choice.candidate.spelling}** has {number(best.ratio, 3)} of the {best.text} of "
        f"{found.baseline}"
    )
    if best.has_interval:
        text += f" (95% interval {interval(best)})"
    sentences = [f"{text}, on streams or weeks that the search never saw."]
    broken = [one.text for one in found.constraints if one.kept is False]
    if broken:
        sentences.append(f"**Not kept there**: {'; '.join(broken)}.")
    elif found.constraints:
        sentences.append("All constraints are kept there.")
    return sentences


def score_table(scores: tuple[Score, ...]) -> str:
    head = ["measure", "value", "compared with", "its value", "ratio", "95% interval", "constraint"]
    words = {None: "", True: "kept", False: "not kept"}
    rows = [
        [
            Cell(one.text), numeric(one.value), Cell(one.compared_with or "the limit"),
            numeric(one.reference), numeric(one.ratio, number(one.ratio, 3)),
            Cell(interval(one)), Cell(words[one.kept]),
        ]
        for one in scores
    ]  # fmt: skip
    return table("Objectives, then constraints.", head, rows)


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
    rows = [
        [
            *(numeric(score.ratio, f"{number(score.ratio, 3)} ({interval(score)})")
              for score in one.scores[:2]),
            Cell("knee" if one.knee else ""), Cell(one.candidate.spelling),
        ]
        for one in found.front
    ]  # fmt: skip
    return figure(chart) + table("The front, scored.", [first, second, "", "candidate"], rows)


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
    rows = []
    for one in long[:MOST_ROWS]:
        assert one.long is not None
        ratios = [numeric(value, number(value, 3)) for value in one.long.objectives]
        over = numeric(one.long.excess, f"{one.long.excess:.1%}")
        rows.append([Cell(one.candidate.spelling), *ratios, over])
    caption = f"{len(rows)} of {len(long)} long runs, best first."
    return table(caption, ["candidate", *names, "beyond constraints"], rows)
