"""The tables of the pages of findings are those of the rows beside them."""

import importlib.util
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

FOLDER = Path(__file__).parent.parent / "docs" / "findings"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_rows() -> None:
    tables = script("tables")
    text = tables.PAGE.read_text()
    assert all(f"<!-- table: {name} -->" in text for name in tables.TABLES)
    assert tables.with_tables(text) == text


def test_the_page_of_orders_shows_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    tables = script("order_tables")
    text = tables.PAGE.read_text()
    assert all(f"<!-- table: {name} -->" in text for name in tables.TABLES)
    assert tables.with_tables(text, tables.TABLES) == text


def test_paired_verdicts_decide_who_is_better() -> None:
    """Not intervals: these overlap."""
    tables = script("tables")
    told = {64: "higher", 128: "lower", 256: "no clear difference", 512: None}
    rows = [
        {"servers": k, "policy": policy, "verdict": verdict if policy == "fcfs" else None,
         "response": 5.0, "response_half_width": 4.0, "diverging": policy == "mbs:fcfs"}
        for k, verdict in told.items() for policy in ("bs:fcfs", "fcfs", "mbs:fcfs")
    ]  # fmt: skip
    frame = pl.DataFrame(rows)
    found = tables.clear_of(frame, "servers", "fcfs")
    assert found == [(64, "better"), (128, "worse"), (256, "="), (512, "")]
    assert {word for _, word in tables.clear_of(frame, "servers", "mbs:fcfs")} == {"better"}


def test_a_short_run_is_told_by_its_cell() -> None:
    tables = script("tables")
    row = {"response": 47.2, "response_half_width": None, "notes": "x\nruns are short against"}
    assert tables.cell(row, "response") == "47.2 (short)"
    assert tables.cell(row | {"response_half_width": 11.0}, "response") == "47.2 (short)"


def test_numbers_and_spans() -> None:
    tables = script("tables")
    assert tables.spans([(1, True), (2, True), (3, False), (4, True)]) == "1 to 2, 4"
    assert tables.shown(1234.5, 67.8) == "1,234 ± 68"
    assert tables.shown(3.14159, 0.0123) == "3.142 ± 0.012"
