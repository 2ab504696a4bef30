"""From the rows of a sweep to panels: what varies along the axis, and what is held in each."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zerowait.experiment.statistics.samples import over_seeds

Row = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    """Rows of one workload that differ in policy, class and in what the axis shows."""

    title: str
    axis: str  # servers or load
    rows: tuple[Row, ...]

    @property
    def everybody(self) -> list[Row]:
        """The rows for all jobs."""
        return [row for row in self.rows if row.get("job_class", "all") == "all"]

    @property
    def policies(self) -> list[str]:
        return list(dict.fromkeys(row["policy"] for row in self.rows))

    @property
    def diverging(self) -> list[str]:
        """The policies that diverge somewhere."""
        return [one for one in self.policies if any(row.get("diverging") for row in self.of(one))]

    def of(self, policy: str) -> list[Row]:
        """Return the rows of a policy for all jobs, along the axis."""
        mine = [row for row in self.everybody if row["policy"] == policy]
        return sorted(mine, key=lambda row: float(row[self.axis]))


def panels_of(rows: Iterable[Row]) -> list[Panel]:
    """Make one panel per workload, or several where servers and loads vary independently."""
    found = []
    for workload, mine in _groups(rows, "workload"):
        axis = _axis(mine)
        held = "load" if axis == "servers" else "servers"
        independent = _most(mine, axis, held) > 1
        for value, part in _groups(mine, held) if independent else [(None, mine)]:
            names = [str(workload)] if workload is not None else []
            if value is not None:
                names.append(f"{value:,} servers" if held == "servers" else f"load {value:.4g}")
            found.append(Panel(", ".join(names), axis, tuple(_over_seeds(part, axis))))
    return found


def _axis(rows: list[Row]) -> str:
    """Choose the servers if there is one load for each, else whichever has more values."""
    sizes, loads = _most(rows, "servers", "load"), _most(rows, "load", "servers")
    if len({row["servers"] for row in rows}) == 1:
        return "load"
    return "servers" if sizes == 1 or loads >= sizes else "load"


def _most(rows: list[Row], of: str, other: str) -> int:
    """Count the values of `other` that some value of `of` has at most."""
    return max(len({row[other] for row in part}) for _, part in _groups(rows, of))


def _groups(rows: Iterable[Row], name: str) -> list[tuple[Any, list[Row]]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row.get(name), []).append(row)
    return list(found.items())


def _over_seeds(rows: list[Row], axis: str) -> list[Row]:
    return over_seeds(rows, lambda row: (row["policy"], row[axis], row.get("job_class", "all")))
