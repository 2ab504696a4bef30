"""A log, its cleaning and its fits as tables for a terminal."""

from rich.console import Console

from zerowait.report.terminal.durations import duration
from zerowait.report.terminal.results import number, plain_table, share
from zerowait.traces import Cleaning, TraceInfo, WorkloadFit
from zerowait.traces.archive import ArchivedLog
from zerowait.traces.published import TableRow

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
BLOCKS = " ▁▂▃▄▅▆▇█"


def show_cleaning(console: Console, cleaning: Cleaning) -> None:
    """What was dropped or repaired, and why."""
    title = f"{cleaning.rows} rows, {cleaning.kept} jobs"
    if not cleaning.findings:
        console.print(f"{title}; nothing dropped or repaired")
        return
    table = plain_table(title)
    table.add_column("rows", justify="right")
    for name in ("", "why", "for example"):
        table.add_column(name, overflow="fold")
    for one in cleaning.findings:
        table.add_row(str(one.count), one.action, one.reason, "; ".join(one.examples))
    console.print(table)


def show_info(console: Console, info: TraceInfo) -> None:
    """The log in numbers."""
    show_cleaning(console, info.cleaning)
    facts = plain_table(info.path, show_header=False)
    facts.add_column()
    facts.add_column(overflow="fold")
    for name, value in facts_of(info):
        facts.add_row(name, value)
    console.print(facts)
    _show_classes(console, info)
    if info.users:
        _show_users(console, info)


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


def _show_classes(console: Console, info: TraceInfo) -> None:
    title = f"classes: {info.grouping} (their needs add {info.waste:+.1%} of work)"
    table = plain_table(title)
    table.add_column("class")
    for name in ("jobs", "share", "work", "mean service", "median", "cv", "mean gap", "cv of gaps"):
        table.add_column(name, justify="right")
    for one in info.classes:
        if one.name == "all":
            table.add_section()
        table.add_row(
            one.name, str(one.jobs), share(one.share), share(one.work), duration(one.mean_service),
            duration(one.median_service), number(one.cv_service, 3), duration(one.mean_gap),
            number(one.cv_gap, 3),
        )  # fmt: skip
    console.print(table)


def _show_users(console: Console, info: TraceInfo) -> None:
    users = info.users
    assert users is not None
    title = f"{users.count} users; {users.half_of_work} of them do half of the work"
    table = plain_table(title)
    table.add_column("user")
    for name in ("jobs", "share", "work", "mean service"):
        table.add_column(name, justify="right")
    for one in users.biggest:
        table.add_row(
            one.user, str(one.jobs), share(one.share), share(one.work), duration(one.mean_service)
        )
    console.print(table)


def show_fit(console: Console, fit: WorkloadFit) -> None:
    """For each class every family, best first; the first is taken."""
    console.print(
        f"classes: {fit.grouping} (their needs add {fit.waste:+.1%} of work). The first law of "
        f"each is taken: its mean is right (within 5%), and its {fit.criterion.upper()} the least."
    )
    for one in fit.classes:
        title = f"{one.name}: {one.jobs} jobs, mean {number(one.mean)}, std {number(one.std)}"
        table = plain_table(title)
        for name in ("", "law", "fitted by"):
            table.add_column(name)
        for name in ("log-likelihood", "AIC", "KS", "mean error", "std error"):
            table.add_column(name, justify="right")
        for row in one.table:
            if row.law is None:
                table.add_row("", row.family, row.reason, "", "", "", "", "", style="dim")
                continue
            table.add_row(
                "taken" if row is one.chosen else "", row.family, row.method,
                number(row.log_likelihood, 7), number(row.aic, 7), number(row.ks, 3),
                _error(row.mean_error), _error(row.std_error),
            )  # fmt: skip
        console.print(table)
    poor = [one.name for one in fit.classes if one.is_poor]
    if poor:
        console.print(
            f"No family fits well (KS above 0.1): {', '.join(poor)}. Resample the log itself with "
            "--laws empirical.",
            style="yellow",
        )


def _error(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:+.1%}"


def show_paper_table(console: Console, rows: tuple[TableRow, ...], title: str) -> None:
    """E[D_i], std(D_i), n_i, alpha_i, as the paper prints them."""
    table = plain_table(title)
    for name in ("E[D_i]", "std(D_i)", "n_i", "alpha_i", "jobs"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            f"{row.mean:.2f}", f"{row.std:.2f}", str(row.need), f"{row.share:.4f}", str(row.jobs)
        )
    console.print(table)


def show_archive(console: Console, logs: tuple[ArchivedLog, ...]) -> None:
    """The logs that `trace download` knows."""
    table = plain_table("logs of the Parallel Workloads Archive")
    for name in ("name", "servers", "file", "checksum"):
        table.add_column(name)
    for log in logs:
        pinned = "pinned" if log.is_pinned else "not pinned: --unverified"
        table.add_row(log.name, str(log.servers or ""), log.file, pinned)
    console.print(table)
