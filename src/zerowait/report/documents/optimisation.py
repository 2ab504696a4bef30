"""The document of a search: the choice, what it gains where it was not searched, and the front."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zerowait.experiment.optimisation.optimise import Optimisation
from zerowait.experiment.optimisation.scoring import Score
from zerowait.experiment.optimisation.search import long_merit
from zerowait.report.charts import Chart, LineView, Point, Series
from zerowait.report.document import Cell, Column, Document, PagePart, Source, Table, Text
from zerowait.report.numbers import Value, percent, written
from zerowait.report.palette import Look

MOST_ROWS = 100
KEPT = {None: "", True: "kept", False: "NOT kept"}


@dataclass(frozen=True)
class OptimisationDocument(Document):
    """The choice, its scores on what was not seen, and the front where there are two objectives."""

    subject: Optimisation

    @property
    def title(self) -> str:
        return f"Search for {self.name}" if self.name else "Search"

    @property
    def subtitle(self) -> str:
        found = self.subject
        return f"{len(found.trials):,} candidates tried · compared with {found.baseline}"

    def brief(self) -> Iterable[Table | Text]:
        found = self.subject
        yield Text(found.choice.candidate.spelling, "bold", wrap=False)
        yield _scores_table(found)
        if found.front:
            yield _front_table(found)
        n, long = len(found.trials), sum(one.long is not None for one in found.trials)
        yield Text(f"{n} candidates tried, {long} of them on long runs", "dim")

    def glance(self) -> Iterable[Table | Text]:
        yield from self.brief()
        for text in self.notes():
            yield Text(text, "note")

    def summary(self) -> list[str]:
        found, best = self.subject, self.subject.objectives[0]
        text = (
            f"**{found.choice.candidate.spelling}** has {written(ratio(best))} of the {best.text} "
            f"of {found.baseline}"
        )
        sentences = [f"{text}, on streams or weeks that the search never saw."]
        broken = [one.text for one in found.constraints if one.kept is False]
        if broken:
            sentences.append(f"**Not kept there**: {'; '.join(broken)}.")
        elif found.constraints:
            sentences.append("All constraints are kept there.")
        return sentences

    def parts(self) -> list[PagePart]:
        found = self.subject
        front = [_front_chart(found), _front_table(found)] if found.front else []
        return [
            PagePart("On what the search never saw", [_scores_table(found)]),
            PagePart("What cannot be bettered in both", front),
            PagePart("The search", [*_progress(found), _trials_table(found)]),
        ]

    def notes(self) -> Sequence[str]:
        return self.subject.notes

    def source(self) -> Source:
        return Source(self.command, self.subject.parameters, version=self.subject.version)

    def pictures(self) -> Sequence[Chart]:
        """Return the front, or how the search went where there is one objective."""
        return [_front_chart(self.subject)] if self.subject.front else _progress(self.subject)


def ratio(one: Score) -> Value:
    """Return the ratio to what a score is compared with, and its interval."""
    return Value(one.ratio, bounds=(one.low, one.high) if one.has_interval else None, digits=3)


def _scores_table(found: Optimisation) -> Table:
    heads = [
        Column("measure", text=True), Column("value"), Column("compared with", text=True),
        Column("its value"), Column("ratio"), Column("constraint", text=True),
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            one.text, Value(one.value), one.compared_with or "the limit", Value(one.reference),
            ratio(one), KEPT[one.kept],
        ]
        for one in found.scores
    ]  # fmt: skip
    title = f"scored on what the search never saw, against {found.baseline}"
    return Table(title, heads, rows)


def _front_table(found: Optimisation) -> Table:
    names = [str(one) for one in found.problem.objectives]
    heads = [*map(Column, names), Column("", text=True), Column("candidate", text=True)]
    rows: list[list[Cell]] = [
        [
            *(ratio(score) for score in one.scores[:2]),
            "knee" if one.knee else "",
            one.candidate.spelling,
        ]
        for one in found.front
    ]
    return Table("what cannot be bettered in both, as shares of the baseline's", heads, rows)


def _front_chart(found: Optimisation) -> Chart:
    first, second = (str(one) for one in found.problem.objectives)
    series = (Series("the front", Look("blue")), Series("its knee", Look("vermillion", "diamond")))
    points = []
    for one in found.front:
        x, y = one.scores[0], one.scores[1]
        low, high = (y.low, y.high) if y.has_interval else (None, None)
        points.append(Point(0, y.ratio, low, high, x=x.ratio))
        if one.knee:
            points.append(Point(1, y.ratio, x=x.ratio))
    view = LineView("", f"{first}, share of {found.baseline}'s", f"{second}, share", tuple(points))
    said = f"Both as shares of what {found.baseline} has; further down and to the left is better."
    return Chart("The front", said, series, (view,))


def _progress(found: Optimisation) -> list[Chart]:
    """Draw the best of the long runs so far; none where there was no better one."""
    best, points = float("inf"), []
    for at, one in enumerate(found.trials, start=1):
        if one.long is None or not one.long.feasible:
            continue
        if one.long.objectives[0] < best:
            best = one.long.objectives[0]
            points.append(Point(0, best, x=float(at)))
    if len(points) < 2:
        return []
    points.append(Point(0, best, x=float(len(found.trials))))
    name = str(found.problem.objectives[0])
    view = LineView("", "candidates tried", f"{name}, share of the baseline's", tuple(points))
    said = "Where it was searched: the final score is above."
    return [Chart("The best so far", said, (Series("best", Look("blue")),), (view,))]


def _trials_table(found: Optimisation) -> Table:
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
    return Table(f"{len(rows)} of {len(long)} long runs, best first", heads, rows)
