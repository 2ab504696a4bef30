"""The document of the register of policies: Table 1 of the paper, rules, options, sources."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar

from zerowait.policies import POLICIES, Policy
from zerowait.report.document import Document, Table, Text, columns

LEGEND = (
    "throughput-optimal: stable whenever any policy is. Asymptotically: not in general, but in the "
    "limit of many servers, under mild conditions. Unknown: no proof either way is known to us."
)


def policy_rows() -> list[dict[str, Any]]:
    """List the policies by name, with what is known of each."""
    kinds = sorted(set(POLICIES.values()), key=lambda kind: kind.name)
    return [
        {
            "name": kind.name,
            "alias": kind.alias,
            "preemptive": kind.preemptive,
            "size_aware": kind.size_aware,
            "throughput_optimal": kind.throughput_optimal,
            "takes_auxiliary": kind.auxiliary is not None,
            "options": _options(kind),
            "rule": kind.summary(),
            "source": kind.source,
        }
        for kind in kinds
    ]


def _options(kind: type[Policy]) -> dict[str, str | None]:
    """Return what may follow the name as `key=value`, and what is taken otherwise."""
    if not is_dataclass(kind):
        return {}
    return {
        field.name: None if field.default is None else field.metadata["spell"](field.default)
        for field in fields(kind)
        if field.name != "auxiliary"
    }


@dataclass(frozen=True)
class PoliciesDocument(Document):
    """What each policy needs and what is known of it; below, its rule and where it comes from."""

    subject: list[dict[str, Any]]  # rows of policies
    width: ClassVar[int | None] = 100  # wider lines are hard to read

    def brief(self) -> Iterable[Table | Text]:
        cells = [
            [
                row["name"], row["alias"], "yes" if row["preemptive"] else "no",
                "yes" if row["size_aware"] else "no", row["throughput_optimal"],
            ]
            for row in self.subject
        ]  # fmt: skip
        heads = columns(["name", "alias", "preemptive", "size-aware", "throughput-optimal"], [])
        yield Table("policies", heads, cells)
        yield Text(LEGEND, "dim")
        for row in self.subject:
            yield Text("\n" + row["name"] + spelling(row), "bold")
            yield Text(row["rule"], indent=4)
            yield Text(row["source"] or "no source is given", "dim", indent=4)


def spelling(row: dict[str, Any]) -> str:
    """Write what may follow a policy's name, as in `:auxiliary,slots=...`."""
    options = "".join(f",{key}={value or '...'}" for key, value in row["options"].items())
    return (":auxiliary" if row["takes_auxiliary"] else "") + options
