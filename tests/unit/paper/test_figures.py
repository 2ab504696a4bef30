"""Figures of the paper: every target drawn, what diverges above the axes, names apart."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerowait.paper.settings import Settings, no_sweeps
from zerowait.paper.work import TARGETS, caption, write_figures
from zerowait.report.figures.labels import spread_apart
from zerowait.report.palette import look_of

FCFS, BALANCED, EASY = "fcfs", "balanced-splitting:fcfs", "easy"


def rows(**changes: Any) -> pl.DataFrame:
    """FCFS diverges in the middle; the others are well."""
    found = []
    for policy, factor in ((FCFS, 3.0), (BALANCED, 1.5), (EASY, 2.0)):
        for servers in (32, 256, 2048):
            lost = policy == FCFS and servers == 256
            found.append(
                {
                    "panel": "Critical load", "workload": "figure1", "servers": servers,
                    "load": 0.9, "policy": policy, "diverging": lost, "ideal": 2.0,
                    "response": None if lost else 2 * factor, "point": "p", "notes": "",
                    "response_half_width": None if lost else 0.1, "arrivals": 1000,
                    "replications": 4, "warmup": "mser", "seed": 1, "version": "0",
                }
                | changes
            )  # fmt: skip
    return pl.DataFrame(found, infer_schema_length=None)


def test_whatever_is_simulated_is_drawn() -> None:
    for target in TARGETS.values():
        assert (target.draw is not None) == (target.sweeps is not no_sweeps)


def test_a_diverging_point_is_an_open_marker_above_and_no_number() -> None:
    draw = TARGETS["fig1"].draw
    assert draw is not None
    (figure,) = draw(rows()).values()
    paper, more = figure.axes
    fcfs = [line for line in paper.lines if line.get_color() == look_of(FCFS).colour]
    drawn, above = fcfs
    assert [y == y for y in drawn.get_ydata()] == [True, False, True]
    assert list(above.get_xdata()) == [256]
    assert above.get_markerfacecolor() == "white"
    assert not above.get_clip_on()
    names = {text.get_text() for text in paper.texts}
    assert {"fcfs", "fcfs diverges", "bs:fcfs"} < names
    assert {"easy", "bs:fcfs"} < {text.get_text() for text in more.texts}
    said = caption(TARGETS["fig1"], Settings(), rows(), ["fig1.png"], "zerowait reproduce fig1")
    assert "- fcfs: k = 256, load 0.9" in said
    assert "| arrivals per replication | 1000 |" in said


def test_nonpreemptive_policies_are_level_over_all_prices() -> None:
    draw = TARGETS["pauses"].draw
    assert draw is not None
    free = rows(job_class="all", price_share=0.0).filter(servers=2048)
    dear = free.filter(policy=EASY).with_columns(price_share=pl.lit(0.1), response=pl.lit(9.0))
    (figure,) = draw(pl.concat([free, dear])).values()
    (axes,) = figure.axes
    drawn = {line.get_color(): list(line.get_ydata()) for line in axes.lines}
    assert drawn[look_of(EASY).colour] == [4.0, 9.0]
    assert drawn[look_of(BALANCED).colour] == [3.0, 3.0]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_figures(TARGETS["fig1"], rows(), tmp_path / name)
    for file in ("fig1.svg", "fig1.png"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.01, 0.08))
def test_names_are_apart_in_order_and_inside(wanted: list[float], gap: float) -> None:
    found = spread_apart(wanted, gap)
    pairs = sorted(zip(wanted, found, strict=True))
    places = sorted(found)
    assert [place for _, place in pairs] == pytest.approx(places)
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(places))
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)


def test_names_that_are_apart_stay_where_they_are() -> None:
    assert spread_apart([0.9, 0.1, 0.5], 0.05) == pytest.approx([0.9, 0.1, 0.5])
    assert spread_apart([0.5, 0.5], 0.1) == pytest.approx([0.45, 0.55])
