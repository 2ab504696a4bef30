"""The tables of the pages of findings are those of the rows beside them."""

import importlib.util
from pathlib import Path
from types import ModuleType

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


def test_intervals_decide_who_is_better() -> None:
    tables = script("tables")
    found = dict(tables.clear_of(tables.rows("fig1"), "servers", "fcfs"))
    assert found[256] == "worse"
    assert found[2048] == "better"
    assert tables.spans([(1, True), (2, True), (3, False), (4, True)]) == "1 to 2, 4"
    assert tables.shown(1234.5, 67.8) == "1,234 ± 68"
    assert tables.shown(3.14159, 0.0123) == "3.142 ± 0.012"
