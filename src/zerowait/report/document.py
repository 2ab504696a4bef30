"""What is said of a result, before anything is known of the screen that shows it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from zerowait._version import __version__
from zerowait.report.numbers import Value

if TYPE_CHECKING:
    from zerowait.report.charts import Chart
    from zerowait.report.palette import Look

SCRIPTS = ("format.js", "chart.js", "table.js")
Style = Literal["", "bold", "dim", "note", "warning"]


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
    """Rows of cells below a title; `total`: the last row is for all.

    `units`: times have units wherever the table is shown, in files and pipes too.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    total: bool = False
    units: bool = False

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
    """Make columns of text, then of numbers."""
    return [*(Column(head, text=True) for head in texts), *map(Column, numbers)]


def why_once(values: Sequence[Value]) -> list[Value]:
    """Say in the first of some cells alone that a run diverges."""
    first = next((i for i, one in enumerate(values) if one.diverging), -1)
    return [replace(one, diverging=i == first) for i, one in enumerate(values)]


@dataclass(frozen=True)
class Text:
    """A sentence or some lines, in which **stars** make words bold on a page.

    Lines that are not to be broken have `wrap` off; `hint`: how to use the terminal, and so only
    shown there.
    """

    text: str
    style: Style = ""
    wrap: bool = True
    indent: int = 0
    hint: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and values; `big` is for what matters most, `lines` for values that are long."""

    rows: Sequence[tuple[str, str]]
    kind: Literal["facts", "big", "lines"] = "facts"


@dataclass(frozen=True)
class Share:
    """A part of a bar: its name, its servers, what else is said of it, and its look."""

    name: str
    servers: int
    more: str
    shade: str
    is_rest: bool = False  # hatched: what is left when all others have theirs


@dataclass(frozen=True)
class Bar:
    """All servers as one bar, drawn to scale."""

    title: str
    shares: Sequence[Share]


@dataclass(frozen=True)
class Pictures:
    """Drawings by name, each a function of Matplotlib's axes."""

    drawings: Mapping[str, Callable[[Any], None]]


@dataclass(frozen=True)
class Markup:
    """A piece of a page that a script of its own fills with the data, put where `$data` stands."""

    html: str
    data: Any


@dataclass(frozen=True)
class PagePart:
    """A heading and what is below it; without blocks it is left out."""

    title: str
    blocks: Sequence[Any]


@dataclass(frozen=True)
class Source:
    """Where the numbers of a page come from: everything needed to get them again."""

    command: str
    parameters: Mapping[str, Any]
    measures: Iterable[str] = ()  # whose meanings are told
    version: str = __version__


@dataclass(frozen=True)
class Document:
    """What is said of one thing: sentences, tables and charts, made when they are drawn.

    Each kind of result has a subclass, which alone knows that kind. Terminals and notebooks draw
    what is `brief`, pages draw `title`, `summary`, `parts`, `notes` and `source`, figures draw
    `pictures`.
    """

    subject: Any
    command: str = field(default="", kw_only=True)  # that made it
    name: str = field(default="", kw_only=True)  # what the workload or log is called
    scripts: ClassVar[Sequence[str]] = SCRIPTS  # of its page
    width: ClassVar[int | None] = None  # of lines on a terminal that may be wider

    @property
    def title(self) -> str:
        return self.name

    @property
    def subtitle(self) -> str:
        return ""

    @property
    def looks(self) -> "Mapping[str, Look]":
        """The look of each policy, where several are drawn together."""
        return {}

    def brief(self) -> Iterable["Text | Table | Bar"]:
        """Say what matters most, in sentences and tables."""
        return ()

    def glance(self) -> Iterable["Text | Table | Bar"]:
        """Say as much as there is room for in a notebook: what is brief, unless that is long."""
        return (one for one in self.brief() if not (isinstance(one, Text) and one.hint))

    def summary(self) -> list[str]:
        """Return the sentences on top of the page."""
        return []

    def parts(self) -> list[PagePart]:
        """Return what stands on the page."""
        return []

    def notes(self) -> Sequence[str]:
        """Return what the reader should know."""
        return ()

    def source(self) -> Source:
        """Return what it takes to get the numbers again."""
        return Source(self.command, {})

    def pictures(self) -> "Sequence[Chart | Bar | Pictures]":
        """Return what a figure shows, a panel each; of a chart with several views the first."""
        return ()
