"""The subject of the explorer: the workload, log or plan that was named on the command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zerowait.experiment.checks import entries_of
from zerowait.experiment.files.plan_file import Plan
from zerowait.experiment.options import LogFileOptions
from zerowait.model import InputError, Workload
from zerowait.model.workloads import WORKLOADS, is_published, named_workload
from zerowait.traces.log import Log

FIRST = "figure1"  # what is shown where nothing was named


@dataclass(frozen=True, eq=False)
class Subject:
    """A workload or log, and perhaps a plan: all that a page can ask for beside published ones."""

    name: str = FIRST  # as it was given
    servers: int | None = None
    workload: Workload | None = None
    log: Log | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)  # options of the log's reader
    plan: Plan | None = None
    plan_name: str = ""

    @property
    def names(self) -> list[str]:
        """List the workloads that the page offers, the one of the command line first."""
        return list(dict.fromkeys([self.name, *sorted(WORKLOADS)]))

    def is_log(self, name: str) -> bool:
        return self.log is not None and name == self.name

    def find_workload(self, name: str, servers: int) -> Workload:
        """Return the named workload, or a published one; no file is read."""
        if name == self.name and self.workload is not None:
            return self.workload
        if not is_published(name):
            known = ", ".join(self.names)
            raise InputError(f"workload {name!r}: is not known here; choose {known}")
        return named_workload(name, servers)

    def reading_flags(self) -> list[str]:
        """Spell the options of the log as the command line does."""
        flags = []
        for one in entries_of(LogFileOptions):
            value = self.reading.get(one.name, one.default)
            if value == one.default:
                continue
            name = (one.flag or f"--{one.name.replace('_', '-')}").split()[0]
            yes, _, no = name.partition("/")
            if isinstance(value, bool):
                flags.append(yes if value else no)
            else:
                flags += [yes, str(value)]
        return flags

    @property
    def in_planned_classes(self) -> bool:
        """Tell whether the jobs are in classes of the plan, which no option of `compare` makes."""
        return self.log is not None and self.plan is not None and bool(self.plan.classes)

    def reading_python(self) -> str:
        """Return the Python code that reads the log."""
        given = {k: v for k, v in self.reading.items() if v != _defaults()[k]}
        of_filter = {"partition", "queue", "user", "begin", "end", "max_need"}
        read = "".join(f", {k}={v!r}" for k, v in given.items() if k not in of_filter)
        kept = "".join(f", {k}={v!r}" for k, v in given.items() if k in of_filter)
        text = f"zw.read_log({self.name!r}{read})"
        return f"zw.filter_log({text}{kept})" if kept else text


def _defaults() -> dict[str, Any]:
    return {one.name: one.default for one in entries_of(LogFileOptions)}
