"""A log on one page: the numbers and the plots, in one file that needs no network."""

from html import escape

from zerowait._version import __version__
from zerowait.report.figures.frame import style, svg
from zerowait.report.figures.log import (
    estimates_figure,
    gaps_figure,
    hours_figure,
    needs_figure,
    service_figure,
    users_figure,
    weeks_figure,
)
from zerowait.report.terminal.durations import duration
from zerowait.report.terminal.log import facts_of
from zerowait.report.terminal.results import number, share
from zerowait.traces import Log, TraceInfo

CSS = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1d1d1f; margin: 2rem auto; max-width: 76rem;
       padding: 0 1rem; background: #fff; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; }
.sub { color: #666; margin-bottom: 1.2rem; }
.big { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
.big div { border: 1px solid #ddd; border-radius: .5rem; padding: .5rem .9rem; }
.big b { display: block; font-size: 1.35rem; } .big span { color: #666; font-size: .85rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figure svg { width: 100%; height: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.2rem; font-size: .88rem; }
th, td { padding: .2rem .7rem .2rem 0; border-bottom: 1px solid #e6e6e6; text-align: right;
         vertical-align: top; }
td:first-child, th:first-child, .text td { text-align: left; }
footer { color: #666; font-size: .8rem; margin-top: 2rem; overflow-wrap: anywhere; }
"""


def trace_page(log: Log, info: TraceInfo, command: str) -> str:
    """The page as text."""
    title = escape(info.path.rsplit("/", 1)[-1])
    dates = f"{info.first} to {info.last}, {info.rhythm.clock}" if info.first else info.rhythm.clock
    machine = " · ".join(
        log.header.get("Installation", ())[:1] + log.header.get("Computer", ())[:1]
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<style>{CSS}</style></head><body>\n<h1>{title}</h1>\n"
        f'<div class="sub">{escape(machine)}{" · " if machine else ""}{escape(dates)}</div>\n'
        f"{_headline(info)}\n<div class='figures'>{_figures(log, info)}</div>\n"
        f"<h2>In numbers</h2>\n{_facts(info)}\n"
        f"<h2>Classes ({escape(info.grouping)})</h2>\n{_classes(info)}\n"
        f"{_users(info)}\n<h2>Cleaning</h2>\n{_cleaning(info)}\n"
        f"<footer>zerowait {__version__} · {escape(command)}</footer>\n</body></html>\n"
    )


def _headline(info: TraceInfo) -> str:
    boxes = [
        (f"{info.jobs:,}", "jobs"),
        (duration(info.span), "span"),
        (str(info.servers or "–"), f"{info.unit}, {info.servers_from}"),
        (number(info.offered_load, 3), "offered load"),
        (f"{info.needs.powers_of_two:.0%}", "of the jobs need a power of two"),
        (number(info.classes[-1].cv_service, 3), "cv of service times"),
    ]
    if info.recorded:
        boxes.append((duration(info.recorded.mean_wait), "mean wait, as recorded"))
    cells = "".join(f"<div><b>{escape(b)}</b><span>{escape(s)}</span></div>" for b, s in boxes)
    return f'<div class="big">{cells}</div>'


def _figures(log: Log, info: TraceInfo) -> str:
    with style():
        figures = {
            "needs": needs_figure(info),
            "service": service_figure(log, info),
            "weeks": weeks_figure(info),
            "hours": hours_figure(info),
            "gaps": gaps_figure(log),
        }
        if info.estimates:
            figures["estimates"] = estimates_figure(info)
        if info.users:
            figures["users"] = users_figure(info)
        return "\n".join(
            f"<figure>{svg(figure, name)}</figure>" for name, figure in figures.items()
        )


def _table(head: list[str], rows: list[list[str]], kind: str = "") -> str:
    top = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>" if head else ""
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f'<table class="{kind}">{top}{body}</table>'


def _facts(info: TraceInfo) -> str:
    hidden = ("arrivals by hour", "arrivals by day")  # these are figures here
    rows = [[name, value] for name, value in facts_of(info) if name not in hidden]
    return _table([], rows, "text")


def _classes(info: TraceInfo) -> str:
    head = [
        "class",
        "jobs",
        "share",
        "work",
        "mean service",
        "median",
        "cv",
        "mean gap",
        "cv of gaps",
    ]
    rows = [
        [
            one.name, str(one.jobs), share(one.share), share(one.work), duration(one.mean_service),
            duration(one.median_service), number(one.cv_service, 3), duration(one.mean_gap),
            number(one.cv_gap, 3),
        ]
        for one in info.classes
    ]  # fmt: skip
    return _table(head, rows)


def _users(info: TraceInfo) -> str:
    if info.users is None:
        return ""
    rows = [
        [one.user, str(one.jobs), share(one.share), share(one.work), duration(one.mean_service)]
        for one in info.users.biggest
    ]
    title = f"{info.users.count} users; {info.users.half_of_work} of them do half of the work"
    return f"<h2>{title}</h2>" + _table(["user", "jobs", "share", "work", "mean service"], rows)


def _cleaning(info: TraceInfo) -> str:
    cleaning = info.cleaning
    rows = [
        [one.action, one.reason, str(one.count), "; ".join(one.examples)]
        for one in cleaning.findings
    ]
    text = f"<p>{cleaning.rows} rows read, {cleaning.kept} jobs kept.</p>"
    return text + (_table(["", "why", "rows", "for example"], rows, "text") if rows else "")
