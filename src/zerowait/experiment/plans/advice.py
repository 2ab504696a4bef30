"""`plan`: from a log to a decision, with the evidence."""

from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from zerowait._version import __version__
from zerowait.experiment.files.plan_file import Plan, PlanClass
from zerowait.experiment.optimisation.evaluations import Book, JobTimes, run_jobs
from zerowait.experiment.optimisation.samples import LogJobs, log_jobs
from zerowait.experiment.optimisation.search import Listener, silent
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.options import PlanOptions
from zerowait.experiment.plans.audit import (
    FEWEST_WEEKS,
    Audit,
    Baseline,
    audit_log,
    find_baseline,
    recorded_waits,
)
from zerowait.experiment.plans.choice import Chooser, PlanChoice, plan_problem
from zerowait.experiment.plans.effects import Appraiser, Winners, Worth, promises, who_wins
from zerowait.experiment.plans.verdict import PlanVerdict, Queue, judge_plan
from zerowait.experiment.simulation.log_setup import servers_of
from zerowait.experiment.sweeps.executors import opened_executor
from zerowait.model.display import Shown, json_ready
from zerowait.model.quantities import Floats
from zerowait.policies import Policy
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace, log_of

MOST_LETTERS = 120  # of a reason, in a line
FEWEST_JOBS = 50  # of a class: the mean of fewer says nothing


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """A plan: verdict, audit, today's policy, its queue, the choice, winners and losers, worth."""

    verdict: PlanVerdict
    audit: Audit
    baseline: Baseline
    queue: Queue
    choice: PlanChoice | None
    winners: Winners | None
    worth: Worth | None
    overruns: str
    known: LogJobs
    command: str = ""
    version: str = __version__

    def __repr__(self) -> str:
        candidate = self.verdict.candidate
        told = f"change nothing: {shorten(self.verdict.reason, MOST_LETTERS, placeholder=' ...')}"
        if candidate is not None:
            told = f"change {self.baseline.policy} to {candidate.spelling}"
        confidence = f"confidence {self.verdict.confidence}"
        return f"<Advice on {self.audit.servers} servers: {told}; {confidence}>"

    @property
    def looked_at(self) -> Candidate | None:
        """The change, or the best that was found and not recommended."""
        return self.verdict.candidate or self.verdict.rejected

    def with_command(self, command: str) -> "Advice":
        return replace(self, command=command)

    def plan(self) -> Plan:
        """The decision as a file."""
        candidate = self.verdict.candidate
        return Plan(
            servers=self.audit.servers,
            baseline=self.baseline.policy,
            choice=None if candidate is None else candidate.policy.spec,
            reason=self.verdict.reason,
            overruns=self.overruns,
            classes=() if candidate is None else tuple(plan_classes(candidate)),
            evidence=self._evidence(),
            front=tuple(self._rows()),
            version=self.version,
            command=self.command,
        )

    def _evidence(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "confidence": self.verdict.confidence,
            "jobs": self.audit.jobs,
            "weeks": self.audit.weeks,
            "load": self.audit.load,
            "baseline_explains_recorded_waits": self.baseline.chosen.grade,
            "mean_wait_s": self.queue.wait,
        }
        if self.choice is not None:
            found["goal"] = str(self.choice.problem.objectives[0])
            found["protections"] = [one.text for one in self.choice.problem.constraints]
        return found

    def _rows(self) -> list[dict[str, Any]]:
        if self.choice is None:
            return []
        return [
            {
                "policy": one.candidate.spelling, "what": one.label, "scored_on": one.half,
                "seen": one.seen, "ratio": one.goal.ratio, "low": one.goal.low,
                "high": one.goal.high,
            }
            for one in self.choice.scored
        ]  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        candidate, looked_at = self.verdict.candidate, self.looked_at
        everything: dict[str, Any] = json_ready(
            {
                "version": self.version,
                "command": self.command,
                "verdict": "change" if self.verdict.change else "change-nothing",
                "policy": None if candidate is None else candidate.policy.spec,
                "looked_at": None if looked_at is None else looked_at.policy.spec,
                "reason": self.verdict.reason,
                "sentences": list(self.verdict.sentences),
                "confidence": self.verdict.confidence,
                "audit": asdict(self.audit),
                "baseline": asdict(self.baseline),
                "queue": asdict(self.queue),
                "choice": None if self.choice is None else _choice_dict(self.choice),
                "winners": None if self.winners is None else asdict(self.winners),
                "worth": None if self.worth is None else asdict(self.worth),
                "overruns": self.overruns,
            }
        )
        return everything


def _choice_dict(choice: PlanChoice) -> dict[str, Any]:
    return {
        "goal": str(choice.problem.objectives[0]),
        "protections": [one.text for one in choice.problem.constraints],
        "tried": choice.tried,
        "no_split": choice.no_split,
        "scored": [
            {
                "policy": one.candidate.spelling,
                "tuned_on": one.tuned_on or None,
                "part": one.part or None,
                "scored_on": one.half,
                "seen": one.seen,
                "p_value": choice.p_values.get((one.tuned_on, one.half)) if not one.part else None,
                "goal": asdict(one.goal),
                "protections": [asdict(score) for score in one.protections],
            }
            for one in choice.scored
        ],
    }


def plan_classes(candidate: Candidate) -> list[PlanClass]:
    """The classes of a split, by need and estimate."""
    cut = candidate.cut
    if cut is None or not cut.needs:
        return []
    found, least = [], 1
    for largest, at in zip(cut.needs, cut.at, strict=True):
        name = f"need {least}-{largest}"
        found.append(PlanClass(f"{name}, short", (least, largest), (0.0, at)))
        found.append(PlanClass(f"{name}, long", (least, largest), (at, float("inf"))))
        least = largest + 1
    return found


def plan(
    log: Trace,
    servers: int | None = None,
    *,
    baseline: str | Policy | None = None,
    goal: str = "bounded_slowdown",
    protect: str | Sequence[str] | None = None,
    size_for: str | Sequence[str] = (),
    overruns: str = "extend",
    evaluations: int = 200,
    seed: int = 1,
    executor: Executor | None = None,
    threads: int | None = None,
    store: str | Path | None = None,
    listener: Listener = silent,
) -> Advice:
    """Find what to change on the cluster of `log`, what it gains, who loses, and how sure that is.

    The log is one that was read, its file, or `zerowait.Jobs` with times in seconds.
    Orders, reservations and splits are searched on one half of the log under the protections and
    scored on the other, both ways round, against `baseline` (found out if not given). `protect`
    are constraints as in `optimise`; by default neither the longest wait, nor the mean over weeks
    of the longest in each, nor any class's mean wait may grow beyond 1.25 times the baseline's.
    `evaluations` are tried on each half, half as many again for splits. `size_for` asks for the
    servers that keep a promise.
    """
    log = log_of(log, "plan")
    size = servers_of(log, servers)
    options = PlanOptions.among(locals())
    listener("looking at the log", None)
    known = log_jobs(log, size, protected_classes(log, size), overruns)
    audit = audit_log(log, known, size)
    sample = known.sample
    sizing = promises(options.size_for, known.names)
    listener("explaining the recorded waits", None)
    waits = recorded_waits(log, known)
    assumed = find_baseline(sample, waits, size, baseline)
    problem = plan_problem(known.names, assumed.policy, goal, options.protect)
    before = run_jobs(sample, problem.baseline, size)
    queue = queue_of(before)
    choice = None
    if not queue.is_none and audit.weeks >= FEWEST_WEEKS:
        book = Book(_file(store, sample.key, size, seed))
        opened = nullcontext(executor) if executor is not None else opened_executor(threads)
        with opened as pool:
            choice = Chooser(known, problem, size, evaluations, seed, pool, book, listener).choose()
    verdict = judge_plan(audit, assumed, queue, choice, recorded_queue(waits, before))
    found = Advice(verdict, audit, assumed, queue, choice, None, None, overruns, known)
    candidate = found.looked_at
    listener("weighing what it is worth", None)
    if candidate is None:
        if sizing:
            only = Appraiser(known, problem, problem.baseline, size)
            return replace(found, worth=only.worth(sizing))
        return found
    winners = who_wins(log, known, before, run_jobs(sample, candidate, size))
    worth = Appraiser(known, problem, candidate, size).worth(sizing)
    return replace(found, winners=winners, worth=worth)


def queue_of(runs: JobTimes) -> Queue:
    return Queue(
        float(runs.wait.mean()),
        float(runs.drawn.service.mean()),
        float(runs.bounded_slowdown.mean()),
        float(runs.measure("p_wait").mean()),
    )


def recorded_queue(waits: Floats, before: JobTimes) -> Queue | None:
    """Return the queue of the jobs whose wait the log knows.

    None where it knows none, or none that waited, for submit times may then be the starts.
    """
    known = np.isfinite(waits)
    if not known.any() or not waits[known].any():
        return None
    wait, service = waits[known], before.drawn.service[known]
    slowdown = np.maximum(1.0, (wait + service) / np.maximum(service, before.bound))
    means = [float(one.mean()) for one in (wait, service, slowdown, wait > 0)]
    return Queue(*means)


def _file(store: str | Path | None, key: str, servers: int, seed: int) -> Path | None:
    if store is None:
        return None
    name = sha256(repr((key, servers, seed)).encode()).hexdigest()[:12]
    return Path(store) / f"plan-{name}.jsonl"


def protected_classes(log: Log, servers: int) -> str:
    """Bins of needs with enough jobs in both halves for their means to say something."""
    known = log_jobs(log, servers)
    first, second = known.halves()
    need, index, n = known.drawn.need, known.drawn.index, len(known.names)
    edges = [int(need[index == at].max()) for at in range(n)]
    counts = [min(int((index[half] == at).sum()) for half in (first, second)) for at in range(n)]
    kept: list[int] = []
    waiting = 0
    for edge, count in zip(edges, counts, strict=True):
        waiting += count
        if waiting >= FEWEST_JOBS:
            kept.append(edge)
            waiting = 0
    if not kept or kept[-1] < edges[-1]:
        kept = [*kept[:-1], edges[-1]]
    return "bins=" + "/".join(map(str, kept))
