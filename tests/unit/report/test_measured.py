"""One register of measures: whatever it says is what every report shows."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import StringIO

import polars as pl
import pytest

import zerowait as zw
from zerowait.experiment.comparisons.compare import Comparison
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.results.result import Replay
from zerowait.report import html_of, page
from zerowait.report.documents import document_of
from zerowait.report.measured import heading, is_measure, labelled
from zerowait.report.terminal import Terminal, show_document


@cache
def compared() -> Comparison:
    return zw.compare(
        zw.workloads.figure1(64), 64, ["fcfs", "bs:fcfs"], load=0.6, arrivals=500, replications=3
    )


def told(what: object) -> str:
    text = StringIO()
    show_document(Terminal(file=text, width=80), document_of(what))
    return text.getvalue()


def reports(replayed: Replay) -> Iterator[tuple[str, str]]:
    """Every report that tells of P(wait)."""
    sweep = pl.DataFrame(
        {"policy": ["fcfs"] * 2, "servers": [1, 2], "load": 0.5, "p_wait": 0.25, "response": 1.0}
    )
    comparison = compared()
    yield "terminal: result", told(comparison.results[1])
    yield "terminal: comparison", told(comparison)
    yield "terminal: replay", told(replayed)
    yield "page: comparison", page(comparison)
    yield "page: replay", page(replayed)
    yield "page: sweep", page(sweep)
    yield "notebook: result", html_of(comparison.results[1])
    yield "notebook: comparison", html_of(comparison)
    yield "notebook: replay", html_of(replayed)


def test_a_measure_is_renamed_in_one_place(
    replayed: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed = replace(MEASURES["p_wait"], label="late share", meaning="What was late.")
    monkeypatch.setitem(MEASURES, "p_wait", renamed)
    for name, text in reports(replayed):
        assert "late share" in text, name
        assert "P(wait)" not in text, name
        if name.startswith("page") or "terminal: comparison" in name:
            assert "What was late." in text, name


def test_what_needs_a_steady_state_is_said_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = compared().results
    lost = replace(compared(), results=(first, replace(second, diverging=True)))
    shown = f"{second.p_wait:.4f}"
    assert shown in told(lost)
    assert f"{100 * second.p_wait:.3g}%" in page(lost)
    mean = lost.interval(second, "response").mean
    assert f"{mean:.4g}" not in told(lost)
    monkeypatch.setitem(MEASURES, "p_wait", replace(MEASURES["p_wait"], steady=True))
    assert f'"value":{second.p_wait!r}' not in page(lost)


def test_names_of_quantiles() -> None:
    assert labelled("wait_p99").label == "wait p99"
    assert labelled("wait_max").label == "longest wait"
    assert labelled("response_p999").steady
    assert [heading(name) for name in ("wait", "p_wait", "wait_p50")] == [
        "mean wait", "P(wait)", "median wait",
    ]  # fmt: skip
    assert [is_measure(name) for name in ("wait_p95", "wait_seed", "seed", "in_system")] == [
        True, False, False, True,
    ]  # fmt: skip
