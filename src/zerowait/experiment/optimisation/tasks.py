"""The task of a search: what was asked for, checked and made ready before anything runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from zerowait.experiment.optimisation.problem import Problem, parse_constraint, parse_objective
from zerowait.experiment.optimisation.samples import Sample, log_jobs, replication
from zerowait.experiment.optimisation.search import FINALS_SEED, Stages, log_stages
from zerowait.experiment.optimisation.space import Arm, Candidate, Cut, Ground, Narrowing, arms_of
from zerowait.experiment.options import OptimiseOptions
from zerowait.experiment.simulation.log_setup import servers_of
from zerowait.model import InputError, Workload
from zerowait.model.quantities import refuse, whole
from zerowait.policies import Policy, parse_policy
from zerowait.policies.spelling import policy_options
from zerowait.traces.log import Log

WARMUP = 0.1
OF_LOGS = {"classes", "overruns", "tune_on"}
OF_WORKLOADS = {"load", "arrivals", "replications", "scored_arrivals"}
FINALS, SCORED = 4, 8  # replications
# Streams that the search does not see: `compare --seed` gives them to whoever wants to check.
SCORED_SEED = 1_000_000


@dataclass(frozen=True)
class Task:
    """Everything that determines a search, but for where it runs."""

    problem: Problem
    servers: int
    arms: tuple[Arm, ...]
    stages: Stages
    unseen: tuple[Sample, ...]  # that the choice is scored on
    parameters: Mapping[str, Any]
    evaluations: int
    seed: int
    notes: tuple[str, ...] = ()

    def ground(self, cut: Cut | None) -> Ground:
        return self.stages.long[0].ground(self.servers, cut)

    @property
    def key(self) -> str:
        """Names the file of a search's evaluations."""
        samples = [one.key for one in (*self.stages.long, *self.unseen)]
        known = (samples, self.servers, [one.name for one in self.arms], self.problem.statistics)
        return sha256(repr(known).encode()).hexdigest()[:12]


@dataclass(frozen=True, kw_only=True)
class SearchRequest(OptimiseOptions):
    """What is searched, and the options that were given."""

    policies: tuple[str, ...]
    baseline: str | Policy | None = None  # type: ignore[assignment]

    def problem(self, names: Sequence[str], *, of_log: bool) -> Problem:
        aims = self.minimise or (("bounded_slowdown",) if of_log else ("wait",))
        if len(aims) > 2:
            raise refuse("minimise", ", ".join(aims), "give one objective, or two for a front")
        objectives = tuple(parse_objective(one, names, of_log) for one in aims)
        constraints = tuple(
            one for text in self.subject_to for one in parse_constraint(text, names, of_log)
        )
        named = next((one.relative_to for one in constraints if one.relative_to), None)
        chosen = self.baseline or named or ("easy" if of_log else "first-fit")
        known = Candidate(parse_policy(chosen))
        return Problem(
            objectives, constraints, tuple(names), known, "deviation" if of_log else "error"
        )

    def task(
        self, problem: Problem, servers: int, stages: Stages, unseen: tuple[Sample, ...],
        told: Mapping[str, Any], notes: Sequence[str] = (),
    ) -> Task:  # fmt: skip
        """Return the task of a problem; `told` are the parameters that a result tells first."""
        parameters = {**told, "evaluations": self.evaluations, "seed": self.seed}
        return Task(
            problem, servers, self._arms(len(problem.names)), stages, unseen, parameters,
            self.evaluations, self.seed, tuple(notes),
        )  # fmt: skip

    def _arms(self, n_classes: int) -> tuple[Arm, ...]:
        narrowing = Narrowing(self.fix or {}, self.ranges or {})
        found = [one for p in self.policies for one in arms_of(p, n_classes, narrowing, self.cut)]
        self._check_names(found)
        return tuple(found)

    def _check_names(self, arms: Sequence[Arm]) -> None:
        known = {
            name
            for arm in arms
            for kind in (arm.family.kind, arm.family.auxiliary)
            if kind is not None
            for name in policy_options(kind)
        }
        for what, names in (("fix", self.fix or {}), ("range", self.ranges or {})):
            for name in names:
                if name not in known:
                    can = ", ".join(sorted(known - {"auxiliary"})) or "none"
                    raise InputError(
                        f"{what} {name}={names[name]}: no such option; there are {can}"
                    )


def make_task(what: Workload | Log, servers: int | None, **request: Any) -> Task:
    """Check a request for a search before anything runs."""
    wanted = SearchRequest(**request)
    chosen = wanted.chosen()
    if isinstance(what, Workload):
        size = given_servers(servers)
        for name in filter(OF_LOGS.__contains__, chosen):
            raise refuse(name, chosen[name], "is for logs, and this is a workload; leave it out")
        given = {name: chosen[name] for name in Lengths.__annotations__ if name in chosen}
        return _workload_task(what, size, wanted.load, Lengths(**given), wanted)
    for name in filter(OF_WORKLOADS.__contains__, chosen):
        raise refuse(name, chosen[name], "is for workloads; a log has its own")
    return _log_task(what, servers_of(what, servers), wanted)


def given_servers(servers: int | None) -> int:
    """Return the servers given for a workload."""
    if servers is None:
        raise InputError("servers: a workload does not say how many there are; give servers")
    return whole("servers", servers)


@dataclass(frozen=True)
class Lengths:
    """How long a workload is run."""

    arrivals: int = 400_000  # in each replication of the search
    replications: int = 5
    scored_arrivals: int = 1_000_000  # in each replication of finals and scores


def _workload_task(
    workload: Workload, servers: int, load: float | None, lengths: Lengths, wanted: SearchRequest
) -> Task:
    workload.check_fits(servers)
    if load is not None:
        workload = workload.with_load(servers, load)
    actual = workload.load(servers)
    if actual >= 1:
        raise refuse("load", actual, "must be below 1: no policy has a steady state there")

    def streams(seed: int, count: int, length: int) -> tuple[Sample, ...]:
        return tuple(replication(workload, length, seed, at, WARMUP) for at in range(count))

    long = streams(wanted.seed, lengths.replications, lengths.arrivals)
    finals = streams(wanted.seed + FINALS_SEED, FINALS, lengths.scored_arrivals)
    unseen = streams(wanted.seed + SCORED_SEED, SCORED, lengths.scored_arrivals)
    problem = wanted.problem(workload.class_names, of_log=False)
    told = {"servers": servers, "load": actual, **vars(lengths)}
    return wanted.task(problem, servers, Stages(long[:1], long, finals), unseen, told)


def _log_task(log: Log, servers: int, wanted: SearchRequest) -> Task:
    classes, overruns, tune_on = wanted.classes, wanted.overruns, wanted.tune_on
    if tune_on not in ("first", "second"):
        raise refuse("tune_on", tune_on, "must be first or second: the half that is searched on")
    known = log_jobs(log, servers, classes, overruns)
    problem = wanted.problem(known.names, of_log=True)
    first, second = known.halves()
    seen, unseen = (first, second) if tune_on == "first" else (second, first)
    stages = log_stages(known.sample.part(seen), problem.baseline, servers, wanted.seed)
    told = {
        "servers": servers, "jobs": known.sample.n_jobs, "classes": classes, "overruns": overruns,
        "tune_on": tune_on,
    }  # fmt: skip
    notes = []
    if n := int((~known.kept).sum()):
        notes.append(f"left out {n} jobs that need more than the {servers} servers")
    if known.overran:
        notes.append(f"{known.overran} jobs ran longer than estimated (overruns: {overruns})")
    return wanted.task(problem, servers, stages, (known.sample.part(unseen),), told, notes)
