"""Tables of a log: what it holds, its classes, its users, and what cleaning it took."""

from zerowait.report.numbers import Value, duration, number, share
from zerowait.report.tables.table import Cell, Column, Table, columns
from zerowait.traces import Cleaning, TraceInfo

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
BLOCKS = " ▁▂▃▄▅▆▇█"


def cleaning_table(cleaning: Cleaning) -> Table:
    """What was dropped or repaired, and why."""
    heads = [Column("rows"), *(Column(head, text=True) for head in ("", "why", "for example"))]
    rows: list[list[Cell]] = [
        [one.count, one.action, one.reason, "; ".join(one.examples)] for one in cleaning.findings
    ]
    return Table(f"{cleaning.rows} rows, {cleaning.kept} jobs", heads, rows)


def log_classes_table(info: TraceInfo) -> Table:
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
    return Table(title, heads, rows, total=True)


def log_users_table(info: TraceInfo) -> Table | None:
    """None where the log does not say whose jobs they are."""
    users = info.users
    if users is None:
        return None
    rows: list[list[Cell]] = [
        [
            one.user, one.jobs, Value(one.share, "share"), Value(one.work, "share"),
            Value(one.mean_service, "duration"),
        ]
        for one in users.biggest
    ]  # fmt: skip
    title = f"{users.count} users; {users.half_of_work} of them do half of the work"
    return Table(title, columns(["user"], ["jobs", "share", "work", "mean service"]), rows)


def facts_of(info: TraceInfo) -> list[tuple[str, str]]:
    """Name and value of everything that is one line."""
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
    facts.append(("arrivals by hour", f"{bars(rhythm.by_hour)}  peak at {rhythm.peak_hour}:00, "
                  f"{number(rhythm.peak_to_mean, 3)} times the mean; {rhythm.clock}"))  # fmt: skip
    days = " ".join(f"{d} {share(n / info.jobs)}" for d, n in zip(DAYS, rhythm.by_day, strict=True))
    facts.append(("arrivals by day", days if rhythm.dated else f"{days} (day 1 taken as Mo)"))
    return facts


def _beyond(info: TraceInfo) -> str:
    """Logs are not always consistent, and that is worth knowing."""
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


def bars(counts: tuple[int, ...]) -> str:
    """A row of blocks, the tallest for the largest."""
    top = max(counts) or 1
    return "".join(BLOCKS[round(8 * count / top)] for count in counts)
