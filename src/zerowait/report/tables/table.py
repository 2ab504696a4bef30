"""A table, before anything is known of the screen that shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from zerowait.report.numbers import Value


@dataclass(frozen=True)
class PolicyName:
    """A policy as it is spelled; `best`: no other is significantly better."""

    spec: str
    best: bool = False


Cell = str | int | Value | PolicyName


@dataclass(frozen=True)
class Column:
    """Text may be folded, numbers never; `few`: shown where there is little room, too."""

    head: str
    text: bool = False
    few: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of cells below a title; `total`: the last row is for all."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    total: bool = False

    @property
    def has_heads(self) -> bool:
        return any(column.head for column in self.columns)

    @property
    def fewer(self) -> "Table":
        """The columns that matter most."""
        kept = [i for i, column in enumerate(self.columns) if column.few]
        rows = [[row[i] for i in kept] for row in self.rows]
        return replace(self, columns=[self.columns[i] for i in kept], rows=rows)


def columns(texts: Iterable[str], numbers: Iterable[str]) -> list[Column]:
    """Columns of text, then of numbers."""
    return [*(Column(head, text=True) for head in texts), *map(Column, numbers)]


def why_once(values: Sequence[Value]) -> list[Value]:
    """That a run diverges is said in the first of its cells alone."""
    first = next((i for i, one in enumerate(values) if one.diverging), -1)
    return [replace(one, diverging=i == first) for i, one in enumerate(values)]
