"""The page of `zerowait trace info`: a log in numbers and pictures."""

from zerowait.report.figures.canvas import canvas, style, svg
from zerowait.report.figures.log import log_drawings
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.table import facts, html_table
from zerowait.report.numbers import NONE, duration, number
from zerowait.report.tables.log import (
    cleaning_table,
    facts_of,
    log_classes_table,
    log_users_table,
)
from zerowait.traces import Log, TraceInfo

PICTURES = ("arrivals by hour", "arrivals by day")  # what are figures here
HEIGHT, WIDTH = 3.0, 4.0  # inches, without a margin


def trace_page(log: Log, info: TraceInfo, command: str) -> str:
    """The page as text."""
    dates = f"{info.first} to {info.last}, {info.rhythm.clock}" if info.first else info.rhythm.clock
    machine = log.header.get("Installation", ())[:1] + log.header.get("Computer", ())[:1]
    users = log_users_table(info)
    told = [fact for fact in facts_of(info) if fact[0] not in PICTURES]
    cleaning = cleaning_table(info.cleaning)
    page = Page(
        info.path.rsplit("/", 1)[-1],
        " · ".join([*machine, dates]),
        [],
        [
            Section("At a glance", facts(_headline(info), "big")),
            Section("In pictures", _figures(log, info)),
            Section("In numbers", facts(told, "lines")),
            Section(f"Classes ({info.grouping})", html_table(log_classes_table(info))),
            Section("Users", "" if users is None else html_table(users)),
            Section("Cleaning", html_table(cleaning) if cleaning.rows else ""),
        ],
        Source(
            command,
            {"log": info.path, "format": info.format, "servers": info.servers or NONE,
             "classes": info.grouping, "rows": info.cleaning.rows, "jobs": info.jobs},
        ),
    )  # fmt: skip
    return str(page)


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


def _figures(log: Log, info: TraceInfo) -> str:
    pictures = []
    with style():
        for name, draw in log_drawings(log, info).items():
            figure = canvas(1, HEIGHT, WIDTH)
            draw(figure.add_subplot())
            pictures.append(f"<figure>{svg(figure, name)}</figure>")
    return f'<div class="pictures">{"".join(pictures)}</div>'
