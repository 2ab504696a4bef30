"""The document of a split: slots per class, helpers, and what they are offered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zerowait.model import Split
from zerowait.report.document import Bar, Cell, Column, Document, Share, Table, Text
from zerowait.report.numbers import Value, number
from zerowait.report.palette import CLASS_HUES, RAMP

SHADES = tuple(f"shade{i}" for i in range(len(RAMP)))


@dataclass(frozen=True)
class SplitDocument(Document):
    """Slots per class and helpers; `offered` is the work of each class in slots, if known."""

    subject: Split
    names: Sequence[str] = ()
    offered: Sequence[float] = ()

    @property
    def classes(self) -> Sequence[str]:
        return self.names or [f"need {need}" for need in self.subject.needs]

    def brief(self) -> Iterable[Table | Bar | Text]:
        split, names, offered = self.subject, self.classes, self.offered
        yield split_table(split, names, offered)
        yield self._bar()
        if split.psi is not None:
            yield Text(f"psi = {float(split.psi):.6f}")
        for i in split.without_slots:
            yield Text(f"{names[i]}: no slots, served by the helpers alone")
        for i in split.overloaded(offered) if offered else ():
            yield Text(
                f"{names[i]}: offered {number(offered[i])} slots of work, has {split.slots[i]}; "
                "the rest falls to the helpers",
                "note",
            )

    def pictures(self) -> Sequence[Bar]:
        return [self._bar()]

    def _bar(self) -> Bar:
        title = f"{self.subject.servers:,} servers"
        return split_bar(title, self.subject, self.classes, CLASS_HUES)


def split_table(split: Split, names: Sequence[str], offered: Sequence[float]) -> Table:
    """List the slots of each class, and what they are offered where that is known."""
    heads = ["need", "slots", "own servers", *(["offered", "load"] if offered else [])]
    rows: list[list[Cell]] = []
    for i, name in enumerate(names):
        row: list[Cell] = [name, split.needs[i], split.slots[i], split.own_servers[i]]
        if offered:
            load = offered[i] / split.slots[i] if split.slots[i] else None
            row += [Value(offered[i]), Value(load)]
        rows.append(row)
    rows.append(["helpers", "", "", split.helpers, *[""] * (2 * bool(offered))])
    title = f"balanced split of {split.servers} servers"
    return Table(title, [Column("class", text=True), *map(Column, heads)], rows, total=True)


def split_bar(
    title: str, split: Split, names: Sequence[str], shades: Sequence[str] = SHADES
) -> Bar:
    """Make a bar of each class's own servers, then the helpers."""
    own = zip(names, split.own_servers, split.slots, split.needs, strict=True)
    shares = [
        Share(name, servers, f"{slots} slots of {need}", shades[i % len(shades)])
        for i, (name, servers, slots, need) in enumerate(own)
    ]
    rest = Share("helpers", split.helpers, "for whatever finds its own busy", "grey", True)
    return Bar(title, [*shares, rest])
