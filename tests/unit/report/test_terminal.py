"""Terminals: no number is cut, names are text, and files get everything."""

import re
from dataclasses import replace
from functools import cache
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import zerowait as zw
from tests.draws import draws
from zerowait.analysis.theory import theory_of
from zerowait.experiment.comparisons.compare import Comparison
from zerowait.experiment.results.result import Replay
from zerowait.report.document import Column, Table
from zerowait.report.documents import document_of
from zerowait.report.documents.comparison import overall_table
from zerowait.report.documents.policies import PoliciesDocument, policy_rows
from zerowait.report.documents.result import result_table
from zerowait.report.documents.split import SplitDocument
from zerowait.report.numbers import Value, written
from zerowait.report.terminal import Terminal, show_document, show_table

NASTY = ("[large]", "[/]", "\x1b[31mred\x1b[0m", "two\nlines", ":smile: \u202ereversed", "$x^2$")


def printed(what: Any, width: int = 80, terminal: bool = True, wide: bool = False) -> str:
    text = StringIO()
    console = Terminal(file=text, width=width, force_terminal=terminal, color_system=None)
    if isinstance(what, Table):
        show_table(console, what)
    else:
        show_document(console, document_of(what), wide)
    return text.getvalue()


@cache
def compared() -> Comparison:
    """Names that would be markup, colours of their own, or lines of their own."""
    share = 1 / len(NASTY)
    classes = [zw.JobClass(2**i, share, zw.Exponential(1.0), name) for i, name in enumerate(NASTY)]
    policies = ["fcfs", "bs:fcfs", "bs:first-fit,slots=12/6/3/2/1/1"]
    return zw.compare(
        zw.Workload(classes), 128, policies, load=0.6, arrivals=500, replications=3, jit=False
    )


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_names_are_text() -> None:
    result = replace(compared().results[1], notes=("see [bold]this[/bold] \x1b[2J",))
    split = result.split
    assert split is not None
    for terminal in (True, False):
        for text in (
            printed(result, terminal=terminal),
            printed(compared(), terminal=terminal),
            printed(SplitDocument(split, NASTY, [0.1] * len(NASTY)), terminal=terminal),
        ):
            assert "\x1b" not in text
            assert "\u202e" not in text
            for name in ("[large]", "[/]", r"\x1b[31mred", r"two\nlines", ":smile:", "$x^2$"):
                assert name in text.replace("\n", "") or name in text, name
    assert r"note: see [bold]this[/bold] \x1b[2J" in printed(result)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_number_is_cut(replayed: Replay, width: int, wide: bool) -> None:
    shown = (
        (result_table(compared().results[1]), compared().results[1]),
        (overall_table(compared()), compared()),
        (result_table(replayed), replayed),
    )
    for table, what in shown:
        text = printed(what, width=width, wide=wide)
        assert max(map(cell_len, lines_of(text))) <= width
        assert "…" not in text
        for row in (table if wide else table.fewer).rows:
            for cell in row:
                if isinstance(cell, Value):
                    assert f" {written(cell, percents=False)}" in text
        assert ("--wide also shows" in text) == (not wide)


def test_a_terminal_has_units_and_a_file_all_columns_in_seconds(
    replayed: Replay,
) -> None:
    mean = replayed.wait
    text = printed(replayed)
    assert re.search(r" \d[\d.]* (h|min|d)\b", text)
    assert f"{mean:.4g}" not in text
    file = printed(replayed, terminal=False)
    head = next(line for line in lines_of(file) if line.startswith(" class"))
    table = result_table(replayed)
    assert all(column.head in head for column in table.columns)
    rows = [line for line in lines_of(file) if re.match(r" need \d", line)]
    assert len(rows) == len(replayed.classes)
    assert any("±" in row for row in rows)  # intervals over weeks
    assert f" {mean:.4g} " in file
    assert "--wide" not in file


cells = st.one_of(
    st.integers(-(10**9), 10**9),
    st.builds(Value, st.floats(-1e9, 1e9), half_width=st.none() | st.floats(0, 1e6)),
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n, m = draw(st.integers(1, 12)), draw(st.integers(0, 5))
    names = draw(st.lists(st.text(max_size=30), min_size=m, max_size=m))
    columns = [Column("name", text=True), *(Column(f"some head {i}") for i in range(n))]
    rows = [[name, *draw(st.lists(cells, min_size=n, max_size=n))] for name in names]
    return Table("", columns, rows, draw(st.booleans()))


@given(tables(), st.integers(45, 200))
@draws(150)
def test_tables_fit_any_width(table: Table, width: int) -> None:
    text = printed(table, width=width)
    assert all(cell_len(line) <= width for line in lines_of(text))
    numbers = [cell for row in table.rows for cell in row[1:]]
    for cell in numbers:
        shown = written(cell, percents=False) if isinstance(cell, Value) else str(cell)
        assert re.search(rf"(^|\s){re.escape(shown)}(\s|$)", text, re.MULTILINE), shown


def test_other_tables_fit_as_well() -> None:
    workload = zw.workloads.figure1(256)
    for text in (printed(PoliciesDocument(policy_rows())), printed(theory_of(workload, 256))):
        assert max(map(cell_len, lines_of(text))) <= 80
        assert "…" not in text
