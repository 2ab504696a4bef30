"""The documents of logs: what one holds, what cleaning it took, its fit, logs to download."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerowait.report.document import (
    Cell,
    Column,
    Document,
    Facts,
    PagePart,
    Pictures,
    PolicyName,
    Source,
    Table,
    Text,
    columns,
)
from zerowait.report.numbers import NONE, Form, Value, duration, number, share
from zerowait.traces.archive import ArchivedLog
from zerowait.traces.description import TraceInfo, trace_info
from zerowait.traces.fitting.workload_fit import WorkloadFit
from zerowait.traces.log import Cleaning, Log
from zerowait.traces.published import TableRow

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.fit_check import FitCheck
    from zerowait.experiment.statistics.intervals import Interval

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
BLOCKS = " ▁▂▃▄▅▆▇█"
PICTURES = ("arrivals by hour", "arrivals by day")  # what are figures on the page
GLANCE = ("format", "jobs", "span", "servers", "offered load", "waits as recorded", "estimates")
IN_FIGURE = ("needs", "service", "weeks", "hours")


@dataclass(frozen=True)
class LogDocument(Document):
    """A log in numbers and pictures, `counted` if that was done before."""

    subject: Log
    counted: TraceInfo | None = None

    @cached_property
    def info(self) -> TraceInfo:
        """Counts of all that the log holds."""
        return self.counted or trace_info(self.subject)

    @property
    def title(self) -> str:
        return self.info.path.rsplit("/", 1)[-1]

    @property
    def subtitle(self) -> str:
        info, header = self.info, self.subject.header
        clock = info.rhythm.clock
        dates = f"{info.first} to {info.last}, {clock}" if info.first else clock
        machine = header.get("Installation", ())[:1] + header.get("Computer", ())[:1]
        return " · ".join([*machine, dates])

    def brief(self) -> Iterable[Table | Text]:
        cleaning = _cleaning_table(self.info.cleaning)
        yield cleaning if cleaning.rows else Text(f"{cleaning.title}; nothing dropped or repaired")
        yield self._facts(_facts_of(self.info))
        yield _classes_table(self.info)
        yield from self._users()

    def glance(self) -> Iterable[Table]:
        yield self._facts([fact for fact in _facts_of(self.info) if fact[0] in GLANCE])
        yield _classes_table(self.info)

    def parts(self) -> list[PagePart]:
        info = self.info
        told = [fact for fact in _facts_of(info) if fact[0] not in PICTURES]
        cleaning = _cleaning_table(info.cleaning)
        return [
            PagePart("At a glance", [Facts(_headline(info), "big")]),
            PagePart("In pictures", [Pictures(self._drawings())]),
            PagePart("In numbers", [Facts(told, "lines")]),
            PagePart(f"Classes ({info.grouping})", [_classes_table(info)]),
            PagePart("Users", self._users()),
            PagePart("Cleaning", [cleaning] if cleaning.rows else []),
        ]

    def source(self) -> Source:
        info = self.info
        about = {
            "log": info.path, "format": info.format, "servers": info.servers or NONE,
            "classes": info.grouping, "rows": info.cleaning.rows, "jobs": info.jobs,
        }  # fmt: skip
        return Source(self.command, about)

    def pictures(self) -> Sequence[Pictures]:
        drawings = self._drawings()
        return [Pictures({name: drawings[name] for name in IN_FIGURE})]

    def _drawings(self) -> "dict[str, Callable[[Any], None]]":
        from zerowait.report.figures.log import log_drawings

        return log_drawings(self.subject, self.info)

    def _facts(self, facts: Sequence[tuple[str, str]]) -> Table:
        return Table(self.info.path, columns(["", ""], []), facts)

    def _users(self) -> list[Table]:
        """List the biggest users, where the log says whose jobs they are."""
        users = self.info.users
        if users is None:
            return []
        rows: list[list[Cell]] = [
            [
                one.user, one.jobs, Value(one.share, "share"), Value(one.work, "share"),
                Value(one.mean_service, "duration"),
            ]
            for one in users.biggest
        ]  # fmt: skip
        title = f"{users.count} users; {users.half_of_work} of them do half of the work"
        heads = columns(["user"], ["jobs", "share", "work", "mean service"])
        return [Table(title, heads, rows, units=True)]


def _cleaning_table(cleaning: Cleaning) -> Table:
    """List what was dropped or repaired, and why."""
    heads = [Column("rows"), *(Column(head, text=True) for head in ("", "why", "for example"))]
    rows: list[list[Cell]] = [
        [one.count, one.action, one.reason, "; ".join(one.examples)] for one in cleaning.findings
    ]
    return Table(f"{cleaning.rows} rows, {cleaning.kept} jobs", heads, rows)


def _classes_table(info: TraceInfo) -> Table:
    heads = columns(
        ["class"],
        ["jobs", "share", "work", "mean service", "median", "cv", "mean gap", "cv of gaps"],
    )
    rows: list[list[Cell]] = [
        [
            one.name, one.jobs, Value(one.share, "share"), Value(one.work, "share"),
            Value(one.mean_service, "duration"), Value(one.median_service, "duration"),
            Value(one.cv_service, digits=3), Value(one.mean_gap, "duration"),
            Value(one.cv_gap, digits=3),
        ]
        for one in info.classes
    ]  # fmt: skip
    title = f"classes: {info.grouping} (their needs add {info.waste:+.1%} of work)"
    return Table(title, heads, rows, total=True, units=True)


def _headline(info: TraceInfo) -> list[tuple[str, str]]:
    rows = [
        ("jobs", f"{info.jobs:,}"),
        ("span", duration(info.span)),
        (f"{info.unit}, {info.servers_from}", f"{info.servers:,}" if info.servers else NONE),
        ("offered load", number(info.offered_load, 3)),
        ("of the jobs need a power of two", f"{info.needs.powers_of_two:.0%}"),
        ("cv of service times", number(info.classes[-1].cv_service, 3)),
    ]
    if info.recorded:
        rows.append(("mean wait, as recorded", duration(info.recorded.mean_wait)))
    return rows


def _facts_of(info: TraceInfo) -> list[tuple[str, str]]:
    """Name everything that is one line, with its value."""
    needs, rhythm = info.needs, info.rhythm
    dates = f", {info.first} to {info.last}" if info.first else ""
    facts = [
        ("format", info.format),
        ("jobs", f"{info.jobs}"),
        ("span", f"{duration(info.span)}{dates}"),
        ("servers", f"{info.servers or '–'} {info.unit} ({info.servers_from})"),
        ("offered load", number(info.offered_load)),
        ("mean service", duration(info.mean_service)),
        (
            "needs",
            f"{needs.distinct} distinct, {needs.smallest} to {needs.largest}; powers of two: "
            f"{share(needs.powers_of_two)} of the jobs, {share(needs.powers_of_two_work)} of the "
            "work",
        ),
        ("commonest needs", ", ".join(f"{n.need} ({share(n.share)})" for n in needs.commonest[:6])),
    ]
    if info.recorded:
        facts.append(
            (
                "waits as recorded",
                f"mean {duration(info.recorded.mean_wait)}, median "
                f"{duration(info.recorded.median_wait)}, P(wait) {share(info.recorded.waited)}; "
                f"at most {info.recorded.peak} {info.unit} in use at once" + _beyond(info),
            )
        )
    facts.append(("estimates", _estimates(info)))
    facts.append(("arrivals by hour", f"{_bars(rhythm.by_hour)}  peak at {rhythm.peak_hour}:00, "
                  f"{number(rhythm.peak_to_mean, 3)} times the mean; {rhythm.clock}"))  # fmt: skip
    days = " ".join(f"{d} {share(n / info.jobs)}" for d, n in zip(DAYS, rhythm.by_day, strict=True))
    facts.append(("arrivals by day", days if rhythm.dated else f"{days} (day 1 taken as Mo)"))
    return facts


def _beyond(info: TraceInfo) -> str:
    """Say where a log contradicts itself."""
    more = info.servers and info.recorded and info.recorded.peak > info.servers
    return ", more than there are: the log contradicts itself" if more else ""


def _estimates(info: TraceInfo) -> str:
    found = info.estimates
    if found is None:
        return "none in the log"
    return (
        f"{share(found.share)} of the jobs have one; service / estimate: mean "
        f"{number(found.mean_accuracy, 3)}, median {number(found.median_accuracy, 3)}; within 1%: "
        f"{share(found.exact)}, ran longer: {share(found.too_short)}, used under a tenth: "
        f"{share(found.below_tenth)}; {found.distinct} distinct values, the commonest 20 make "
        f"{share(found.commonest)}"
    )


def _bars(counts: tuple[int, ...]) -> str:
    """Draw a row of blocks, the tallest for the largest."""
    top = max(counts) or 1
    return "".join(BLOCKS[round(8 * count / top)] for count in counts)


@dataclass(frozen=True)
class PaperTableDocument(Document):
    """E[D_i], std(D_i), n_i, alpha_i of a log, as the paper prints them."""

    subject: tuple[TableRow, ...]

    def brief(self) -> Iterable[Table]:
        heads = columns([], ["E[D_i]", "std(D_i)", "n_i", "alpha_i", "jobs"])
        cells: list[list[Cell]] = [
            [f"{row.mean:.2f}", f"{row.std:.2f}", row.need, f"{row.share:.4f}", row.jobs]
            for row in self.subject
        ]
        yield Table(self.name, heads, cells)


@dataclass(frozen=True)
class ArchiveDocument(Document):
    """The logs that `trace download` knows."""

    subject: tuple[ArchivedLog, ...]

    def brief(self) -> Iterable[Table]:
        rows = [
            [
                log.name,
                str(log.servers or ""),
                log.file,
                "pinned" if log.is_pinned else "not pinned: --unverified",
            ]
            for log in self.subject
        ]
        heads = columns(["name", "servers", "file", "checksum"], [])
        yield Table("logs of the Parallel Workloads Archive", heads, rows)


@dataclass(frozen=True)
class FitDocument(Document):
    """Every family tried for each class, best first, and the log against the fit if checked."""

    subject: WorkloadFit
    check: "FitCheck | None" = None

    def brief(self) -> Iterable[Table | Text]:
        fit = self.subject
        if fit.needs == "real":
            load = "needs as they are, so that the load is the log's"
        else:
            load = f"their rounded needs change work and load by {fit.waste:+.1%}"
        yield Text(
            f"classes: {fit.grouping} ({load}). The first law of each is taken: its mean is right "
            f"(within 5%, and then scaled), its standard deviation about, and its "
            f"{fit.criterion.upper()} the least."
        )
        if fit.estimates == "exact":
            yield Text("Estimates are exact: policies that use them know the future.")
        yield from _class_tables(fit)
        for note in _doubts(fit):
            yield Text(note, "note")
        if self.check is not None:
            yield _check_table(self.check)
            yield Text(self.check.verdict, "" if self.check.trusted else "note")
            if not self.check.trusted:
                yield Text(_remedy(fit))


def _class_tables(fit: WorkloadFit) -> Iterable[Table]:
    """List for each class every family, best first; the first is taken."""
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
        yield Table(title, heads, rows)


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


def _check_table(check: "FitCheck") -> Table:
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
    return Table(title, heads, rows)


def _remedy(fit: WorkloadFit) -> str:
    """Say what would be nearer to the log than the choices of this fit."""
    nearer = []
    if any(one.chosen.family != "empirical" for one in fit.classes):
        nearer.append("--laws empirical")
    if fit.workload.arrivals.name != "rhythm":
        nearer.append("--arrivals rhythm")
    if fit.needs != "real":
        nearer.append("--needs real")
    more = f"Nearer to the log: {', '.join(nearer)}. " if nearer else ""
    return f"{more}Nearest is the log itself: zerowait replay."


def _value(one: "Interval", form: Form) -> Value:
    return Value(one.mean, form, one.half_width if one.known else None)


def _error(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:+.1%}"
