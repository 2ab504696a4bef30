"""The document of a replay: one log under one policy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from zerowait.experiment.results.result import Result
from zerowait.model.quantities import Floats
from zerowait.report.charts import Chart, Series, dots_of, point
from zerowait.report.document import Bar, Cell, Facts, PagePart, Source, Table, Text, columns
from zerowait.report.documents.result import (
    MOST_DRAWN,
    ResultDocument,
    class_series,
    drawn_classes,
    result_table,
    source_of,
)
from zerowait.report.documents.split import split_bar
from zerowait.report.measured import heading, labelled, replayed, row_value, table_rows, value_of
from zerowait.report.numbers import Value, duration, percent, readable, written
from zerowait.report.palette import CLASS_HUES, look_of, short_name
from zerowait.report.waits import bad_times, counted_waits, quantile_chart

MOST_ON_PAGE = 12  # classes in charts: those with most jobs
MOST_USERS, MOST_USERS_ON_PAGE = 20, 50
GLANCE = ("wait", "wait_p50", "wait_p99", "wait_max", "bounded_slowdown", "p_wait", "utilisation")
OF_CLASSES = ("wait", "response", "p_wait")
OF_USERS = ("wait", "response", "bounded_slowdown", "p_wait")


@dataclass(frozen=True)
class ReplayDocument(ResultDocument):
    """Measures, waits of single jobs, users. Times are seconds."""

    @property
    def title(self) -> str:
        policy = short_name(self.subject.policy)
        return f"{self.name} under {policy}" if self.name else policy

    @property
    def subtitle(self) -> str:
        one = self.subject
        return (
            f"{one.overall.count:,} jobs counted · {one.servers:,} servers · "
            f"load {one.parameters['load']:.4g}"
        )

    def brief(self) -> Iterable[Table | Text | Bar]:
        yield from super().brief()
        replay = self.subject
        if replay.longest is not None and replay.longest.wait > 0:
            wait = duration(replay.longest.wait)
            yield Text(f"longest wait: {wait}, {readable(str(replay.longest))}")
        if replay.users:
            yield _users_table(replay, MOST_USERS)

    def summary(self) -> list[str]:
        replay = self.subject
        wait, name = replay.overall.wait, short_name(replay.policy)
        longest = duration(wait.max)
        if replay.longest is not None:
            longest += f", of {replay.longest}"
        if replay.diverging:
            first = (
                f"**{name} does not keep up with this log**: its queue grew throughout, so that "
                "the mean wait depends on how long the log is."
            )
        else:
            first = (
                f"Under **{name}** the mean wait is **{duration(wait.mean)}**{_range(replay)}. "
                f"{percent(1 - replay.p_wait)} of the jobs start at once; one in a hundred waits "
                f"longer than {duration(wait.p99)}, and the longest wait is {longest}."
            )
        if replay.samples is not None:
            second = (
                f"Intervals come from the log's {replay.n_groups} weeks: one log is one sample, "
                "and users would have reacted to other waits."
            )
            return [first, second]
        more = "One log is one sample: this mean has no interval."
        return [first] if replay.diverging else [first, more]

    def parts(self) -> list[PagePart]:
        replay = self.subject
        names = [one.name for one in replay.classes]
        split = [
            split_bar(short_name(replay.policy), one, names, CLASS_HUES)
            for one in [replay.split]
            if one
        ]
        table = replace(result_table(replay, most=None), title="Each class")
        users = [_users_table(replay, MOST_USERS_ON_PAGE)] if replay.users else []
        return [
            PagePart("At a glance", [self._headline()]),
            PagePart("How long jobs wait", self._charts(MOST_ON_PAGE)),
            PagePart("By class", [self._classes(), table]),
            PagePart("Where the servers go", split),
            PagePart("By user", users),
        ]

    def notes(self) -> Sequence[str]:
        return self.subject.notes

    def source(self) -> Source:
        return source_of(self.command, [self.subject])

    def pictures(self) -> Sequence[Chart]:
        """Return the waits of its jobs, or of its classes where single jobs were not kept."""
        charts = self._charts(MOST_DRAWN)
        if not charts:
            return super().pictures()
        policy, servers = short_name(self.subject.policy), self.subject.servers
        waits, *times = charts
        return [replace(waits, title=f"Waits under {policy}, {servers} servers"), *times]

    def _headline(self) -> Facts:
        everybody, lost = table_rows(self.subject)[-1], self.subject.diverging
        shown = [name for name in GLANCE if everybody.get(name) is not None or lost]
        rows = [(heading(name), written(row_value(everybody, name, True))) for name in shown]
        return Facts(rows, "big")

    def _charts(self, most: int) -> list[Chart]:
        waits = counted_waits(self.subject)
        if waits is None:
            return []
        shown = drawn_classes(self.subject, most)
        curves: list[Floats] = [waits.wait, *(waits.wait[waits.job_class == i] for i, _ in shown)]
        more = " A line ends where a class has too few jobs to say more."
        everybody = (Series("all jobs", look_of(self.subject.policy)),)
        return [
            quantile_chart(curves, class_series(self.subject, most), more),
            *bad_times([waits], everybody),
        ]

    def _classes(self) -> Chart:
        replay, shown = self.subject, drawn_classes(self.subject, MOST_ON_PAGE)
        views = tuple(
            dots_of(
                name,
                (
                    (one.name, [point(series, replayed(replay, name, i))])
                    for series, (i, one) in enumerate(shown, start=1)
                ),
                seconds=True,
            )
            for name in OF_CLASSES
        )
        more = len(replay.classes) - len(shown)
        said = "Means of each class" + (f"; {more} with fewer jobs are not drawn." if more else ".")
        return Chart("Who waits", said, class_series(replay, MOST_ON_PAGE), views)


def _range(replay: Result) -> str:
    found = replay.interval("wait")
    if not found.known:
        return ""
    return f" (95% interval {duration(found.low)} to {duration(found.high)})"


def _users_table(replay: Result, most: int) -> Table:
    shown = replay.users[:most]
    heads = columns(["user"], ["jobs", "work", *(labelled(name).label for name in OF_USERS)])
    rows: list[list[Cell]] = [
        [
            one.user,
            one.jobs,
            Value(one.work, "share"),
            *(value_of(name, getattr(one, name), seconds=True) for name in OF_USERS),
        ]
        for one in shown
    ]
    return Table(f"users by work, {len(shown)} of {len(replay.users)}", heads, rows)
