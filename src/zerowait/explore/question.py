"""A question of the page: everything that its numbers depend on, as its address spells it."""

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zerowait.experiment.options import CompareOptions
from zerowait.explore.subject import Subject
from zerowait.model import InputError
from zerowait.model.quantities import refuse, whole

MOST_LETTERS = 4000  # of a whole question
MOST_POLICIES = 4
MOST_SERVERS = 1_000_000
MOST_JOBS = 100_000_000  # of all replications and policies together
ARRIVALS, REPLICATIONS = 100_000, 8
PLANNED = """from dataclasses import replace

import zerowait as zw
from zerowait.experiment.files.plan_file import in_planned_classes, load_plan

log = {what}
log = replace(log, jobs=in_planned_classes(log.jobs, load_plan({plan!r})))
{call}
"""
ONLY_LOGS = ("classes", "overruns", "estimates")
ONLY_WORKLOADS = ("arrivals", "replications")


@dataclass(frozen=True)
class Question:
    """The same as `compare` takes: a subject by its name, servers, policies and a few options."""

    workload: str
    servers: int | None
    policies: tuple[str, ...]
    load: float | None = None
    arrivals: int = ARRIVALS
    replications: int = REPLICATIONS
    seed: int = 1
    classes: str | None = None
    overruns: str = "extend"
    estimates: str = "user"
    jobs: int = 60  # of the movie
    first: int = 0  # of a log's, in the movie

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Question":
        """Read the pairs of an address; `policy` stands once for each policy."""
        pairs = list(pairs)
        if sum(len(key) + len(value) for key, value in pairs) > MOST_LETTERS:
            raise InputError(f"question: is longer than {MOST_LETTERS} letters; ask for less")
        policies = tuple(value for key, value in pairs if key == "policy")
        known: dict[str, Any] = {}
        for key, value in pairs:
            if key == "policy":
                continue
            if key not in READERS or key in known:
                raise refuse("question", key, "is asked twice, or not known; leave it out")
            known[key] = READERS[key](key, value)
        if not 1 <= len(policies) <= MOST_POLICIES:
            raise refuse("policies", len(policies), f"give one to {MOST_POLICIES}")
        if "workload" not in known:
            raise InputError("workload: is missing; name one")
        return cls(policies=policies, **{"servers": None} | known)._checked()

    def _checked(self) -> "Question":
        n_jobs = self.arrivals * self.replications * len(self.policies)
        if n_jobs > MOST_JOBS:
            remedy = f"makes {n_jobs:,} with these replications and policies; {MOST_JOBS:,} at most"
            raise refuse("arrivals", self.arrivals, remedy)
        return self

    def options(self, of_log: bool) -> CompareOptions:
        """Return the options as `compare` takes them."""
        left_out = ONLY_WORKLOADS if of_log else ONLY_LOGS
        names = {"load", "seed", *ONLY_LOGS, *ONLY_WORKLOADS} - {*left_out}
        return CompareOptions(**{name: getattr(self, name) for name in names})

    def command(self, subject: Subject) -> str:
        """Return the command that gives the same numbers."""
        of_log = subject.is_log(self.workload)
        if of_log and subject.in_planned_classes:
            return "# the classes of a plan are no option of compare: see it in Python"
        words = ["zerowait", "compare", self.workload, *self.policies]
        words += [] if self.servers is None else ["--servers", str(self.servers)]
        for name, value in self.options(of_log).chosen().items():
            words += [f"--{name}", _spelled(value)]
        return shlex.join(words + (subject.reading_flags() if of_log else []))

    def python(self, subject: Subject) -> str:
        """Return the Python code that gives the same numbers."""
        of_log = subject.is_log(self.workload)
        what = subject.reading_python() if of_log else repr(self.workload)
        chosen = self.options(of_log).chosen()
        given = "".join(f", {name}={value!r}" for name, value in chosen.items())
        call = f"zw.compare({what}, {self.servers}, {list(self.policies)}{given})"
        if not (of_log and subject.in_planned_classes):
            return f"import zerowait as zw\n\n{call}\n"
        call = call.replace(what, "log", 1)
        return PLANNED.format(what=what, plan=subject.plan_name, call=call)


def _spelled(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _count(most: int, least: int = 1) -> Any:
    def read(name: str, text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text):
            raise refuse(name, text, "must be a whole number")
        return whole(name, int(text), least, most)

    return read


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise refuse(name, text, "must be a number") from None


def _text(name: str, text: str) -> str:
    return text


READERS = {
    "workload": _text,
    "servers": _count(MOST_SERVERS),
    "load": _number,
    "arrivals": _count(2_000_000, 1000),
    "replications": _count(64, 2),
    "seed": _count(10**12, 0),
    "classes": _text,
    "overruns": _text,
    "estimates": _text,
    "jobs": _count(200),
    "first": _count(10**9, 0),
}
