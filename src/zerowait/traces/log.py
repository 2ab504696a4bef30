"""A log that was read, the jobs in it, and the report of what was done to its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.model.display import Shown
from zerowait.model.jobs import Selection
from zerowait.model.quantities import Floats, Ints
from zerowait.traces.clock import Clock

if TYPE_CHECKING:
    import polars

# malformed, dropped, joined: the row is no job of its own; repaired: it is, with a value changed;
# noted: it is, unchanged.
Action = Literal["malformed", "dropped", "joined", "repaired", "noted"]
ACTIONS: tuple[Action, ...] = ("malformed", "dropped", "joined", "repaired", "noted")
LOST: tuple[Action, ...] = ("malformed", "dropped", "joined")

N_EXAMPLES = 3


@dataclass(frozen=True)
class RowFinding:
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
    findings: tuple[RowFinding, ...]

    def count(self, *actions: Action) -> int:
        """Return the number of rows to which any of these things was done."""
        return sum(one.count for one in self.findings if one.action in actions)

    @property
    def lost(self) -> int:
        """Return the number of rows that are not jobs of their own."""
        return self.count(*LOST)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {action: self.count(action) for action in ACTIONS}


class CleaningBook:
    """The findings of a reading while it goes on."""

    def __init__(self, path: str | Path, strict: bool = False) -> None:
        self.path, self.strict = path, strict
        self.rows = 0
        self._found: dict[tuple[Action, str], tuple[int, list[str]]] = {}

    def malformed(self, line: int, reason: str, detail: str) -> None:
        """End a strict reading at a row that cannot be understood, or note it as a finding."""
        if self.strict:
            raise InputError(f"{self.path}: line {line}: {detail}")
        self.add("malformed", reason, line, detail)

    def add(self, action: Action, reason: str, line: int, detail: str = "") -> None:
        """Note what was done to one row, and why."""
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
        """Note what was done to many rows; `details` belong to the first of them."""
        if len(lines) == 0:
            return
        for at in range(min(len(lines), N_EXAMPLES)):
            self.add(action, reason, int(lines[at]), details[at] if at < len(details) else "")
        count, examples = self._found[action, reason]
        self._found[action, reason] = (count + max(len(lines) - N_EXAMPLES, 0), examples)

    def close(self, kept: int) -> Cleaning:
        """Return the report of the whole reading."""
        findings = sorted(self._findings(), key=lambda one: (ACTIONS.index(one.action), -one.count))
        report = Cleaning(self.rows, kept, tuple(findings))
        if report.rows != kept + report.lost:
            raise AssertionError(f"{self.path}: {report.rows} rows, but {kept} + {report.lost}")
        return report

    def _findings(self) -> list[RowFinding]:
        return [
            RowFinding(action, reason, count, tuple(examples))
            for (action, reason), (count, examples) in self._found.items()
        ]

    def nothing_left(self) -> InputError:
        """Return the error to raise where no job is left."""
        if self.rows == 0:
            return InputError(f"{self.path}: holds no jobs")
        lost = [one for one in self._findings() if one.action in LOST]
        first = max(lost, key=lambda one: one.count)
        return InputError(
            f"{self.path}: no job is left of {self.rows} rows; {first.count} {first.action} "
            f"({first.reason}), first {first.examples[0]}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Log(Shown):
    """The jobs of a log, in order of arrival, and what its file says beside them."""

    path: str
    format: str
    jobs: Jobs
    cleaning: Cleaning
    columns: "polars.DataFrame"  # the file's own columns, null where it has no value
    servers: int | None = None  # as the log itself says
    header: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    unit: str = "processors"  # what a need counts

    def __repr__(self) -> str:
        servers = "" if self.servers is None else f", {self.servers} servers"
        return f"Log({self.path!r}, {self.format}, {len(self.jobs)} jobs{servers})"

    @classmethod
    def of_jobs(cls, jobs: Jobs) -> "Log":
        """Return jobs that come from no file as a log: it has no dates and no servers."""
        import polars

        frame = polars.DataFrame(
            {name: np.asarray(getattr(jobs, name)) for name in ("arrival", "need", "service")}
        )
        exact = np.array_equal(np.asarray(jobs.estimate), np.asarray(jobs.service))
        if jobs.has_estimate is None and not exact:
            jobs = jobs.with_columns(has_estimate=np.ones(len(jobs), bool))
        return cls("jobs", "jobs", jobs, Cleaning(len(jobs), len(jobs), ()), frame)

    def select(self, which: Selection) -> "Log":
        """Return the log with some of its jobs; its cleaning report stays that of the reading."""
        places = np.arange(len(self.jobs))[which]
        return replace(self, jobs=self.jobs.select(places), columns=self.columns[places])

    @property
    def user(self) -> NDArray[Any] | None:
        """Return for each job its user as the log calls them."""
        return self.jobs.user

    @property
    def job(self) -> NDArray[Any] | None:
        """Return for each job its number or name in the log."""
        return self.jobs.id

    @property
    def partition(self) -> NDArray[Any] | None:
        """Return for each job its partition."""
        return self.jobs.partition

    @property
    def queue(self) -> NDArray[Any] | None:
        """Return for each job its queue; in a log of Slurm, its QOS."""
        return self.jobs.qos

    @property
    def start(self) -> Floats | None:
        """Return for each job when it started; NaN where that is not known."""
        return self.jobs.start

    @property
    def has_estimate(self) -> NDArray[np.bool_] | None:
        """Return for each job whether it has an estimate of its own.

        If not, the service time stands in for it.
        """
        return self.jobs.has_estimate


# Beyond this a float no longer tells two seconds apart, and sums of needs may overflow.
LARGEST = 2.0**53


@dataclass(frozen=True, eq=False)
class Draft:
    """The rows of a log in file order, before any is dropped.

    `values` are the columns of `Jobs` by name, None where the file has none; NaN is "not known".
    """

    format: str
    line: Ints
    values: Mapping[str, NDArray[Any] | None]
    columns: "polars.DataFrame"
    unit: str = "processors"
    servers: int | None = None
    header: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    # What the file calls these, for people who look there.
    words: Mapping[str, str] = field(default_factory=dict)


def make_log(draft: Draft, book: CleaningBook) -> Log:
    """Drop rows that cannot be jobs, put the others in order of arrival, and report both."""
    given: dict[str, Any] = {k: v for k, v in draft.values.items() if v is not None}
    keep = np.ones(len(draft.line), bool)
    for name in ("arrival", "service", "need"):
        values: Floats = given[name]
        word = draft.words.get(name, name)
        unknown = keep & np.isnan(values)
        book.add_rows("dropped", f"no {word}", draft.line[unknown])
        keep &= ~unknown
        least = 1 if name == "need" else 0
        bad = keep & ~((values >= least) & (values < LARGEST))
        if name == "need":
            bad |= keep & (values % 1 != 0)
        details = [f"{word} = {value:g}" for value in values[bad][:3]]
        wanted = "a whole number, 1 or more" if name == "need" else "a number, zero or more"
        book.add_rows("dropped", f"{word} is not {wanted}", draft.line[bad], details)
        keep &= ~bad
    if not keep.any():
        raise book.nothing_left()
    order = np.flatnonzero(keep)
    late = _arrives_late(given["arrival"][order])
    book.add_rows("repaired", "stands after a later arrival; put in order", draft.line[order[late]])
    order = order[np.argsort(given["arrival"][order], kind="stable")]
    found = {name: values[order] for name, values in given.items()}
    service, need = found["service"], found["need"]
    zero = order[service == 0]
    book.add_rows("noted", "takes no time at all; kept", draft.line[zero])
    if draft.servers is not None:
        large = need > draft.servers
        details = [f"need = {value:g} of {draft.servers}" for value in need[large][:3]]
        book.add_rows(
            "noted", "needs more than the log's servers", draft.line[order[large]], details
        )
    if "estimate" in found:
        has = _report_estimates(draft, order, found["estimate"], service, book)
        found["has_estimate"] = has
        found["estimate"] = np.where(has, found["estimate"], service)
    return Log(
        path=str(book.path),
        format=draft.format,
        jobs=Jobs(**found),
        cleaning=book.close(len(order)),
        columns=draft.columns[order],
        servers=draft.servers,
        header=draft.header,
        clock=draft.clock,
        unit=draft.unit,
    )


def _arrives_late(arrival: Floats) -> Ints:
    """Return the places of rows that stand after a later arrival."""
    return np.flatnonzero(arrival < np.maximum.accumulate(arrival))


def _report_estimates(
    draft: Draft, order: Ints, given: Floats, service: Floats, book: CleaningBook
) -> NDArray[np.bool_]:
    """Return which jobs have an estimate; report those without, and those that ran longer."""
    has: NDArray[np.bool_] = (given > 0) & (given < LARGEST)
    if has.any():
        word = draft.words.get("estimate", "estimate")
        reason = f"no {word}; the service time stands in"
        book.add_rows("noted", reason, draft.line[order[~has]])
        over = has & (service > given)
        book.add_rows("noted", f"ran longer than its {word}; kept", draft.line[order[over]])
    return has
