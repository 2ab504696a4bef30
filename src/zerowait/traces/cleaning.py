"""What was dropped, joined, repaired or not understood while a log was read, and why."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from zerowait.model import InputError
from zerowait.model.quantities import Ints

# malformed, dropped, joined: the row is no job of its own; repaired: it is, with a value changed;
# noted: it is, unchanged.
Action = Literal["malformed", "dropped", "joined", "repaired", "noted"]
ACTIONS: tuple[Action, ...] = ("malformed", "dropped", "joined", "repaired", "noted")
LOST: tuple[Action, ...] = ("malformed", "dropped", "joined")

N_EXAMPLES = 3


@dataclass(frozen=True)
class Finding:
    """One kind of thing done to rows of a log."""

    action: Action
    reason: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.count} {self.action}: {self.reason}"


@dataclass(frozen=True)
class Cleaning:
    """The report of a reading; `rows = kept + malformed + dropped + joined`, always."""

    rows: int
    kept: int
    findings: tuple[Finding, ...]

    def count(self, *actions: Action) -> int:
        return sum(one.count for one in self.findings if one.action in actions)

    @property
    def lost(self) -> int:
        """Rows that are no job of their own."""
        return self.count(*LOST)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {action: self.count(action) for action in ACTIONS}


class CleaningBook:
    """Findings while they are being made."""

    def __init__(self, path: str | Path, strict: bool = False) -> None:
        self.path, self.strict = path, strict
        self.rows = 0
        self._found: dict[tuple[Action, str], tuple[int, list[str]]] = {}

    def malformed(self, line: int, reason: str, detail: str) -> None:
        """A row that cannot be understood: the end of a strict reading, else a finding."""
        if self.strict:
            raise InputError(f"{self.path}: line {line}: {detail}")
        self.add("malformed", reason, line, detail)

    def add(self, action: Action, reason: str, line: int, detail: str = "") -> None:
        count, examples = self._found.setdefault((action, reason), (0, []))
        if len(examples) < N_EXAMPLES:
            examples.append(f"line {line}: {detail}" if detail else f"line {line}")
        self._found[action, reason] = (count + 1, examples)

    def add_rows(
        self,
        action: Action,
        reason: str,
        lines: Ints,
        details: Sequence[str] = (),
    ) -> None:
        """Many rows at once; `details` belong to the first of them."""
        if len(lines) == 0:
            return
        for at in range(min(len(lines), N_EXAMPLES)):
            self.add(action, reason, int(lines[at]), details[at] if at < len(details) else "")
        count, examples = self._found[action, reason]
        self._found[action, reason] = (count + max(len(lines) - N_EXAMPLES, 0), examples)

    def close(self, kept: int) -> Cleaning:
        findings = sorted(self._findings(), key=lambda one: (ACTIONS.index(one.action), -one.count))
        report = Cleaning(self.rows, kept, tuple(findings))
        if report.rows != kept + report.lost:
            raise AssertionError(f"{self.path}: {report.rows} rows, but {kept} + {report.lost}")
        return report

    def _findings(self) -> list[Finding]:
        return [
            Finding(action, reason, count, tuple(examples))
            for (action, reason), (count, examples) in self._found.items()
        ]

    def nothing_left(self) -> InputError:
        """The error to raise where no job is left."""
        if self.rows == 0:
            return InputError(f"{self.path}: holds no jobs")
        lost = [one for one in self._findings() if one.action in LOST]
        first = max(lost, key=lambda one: one.count)
        return InputError(
            f"{self.path}: no job is left of {self.rows} rows; {first.count} {first.action} "
            f"({first.reason}), first {first.examples[0]}"
        )
