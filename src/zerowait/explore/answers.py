"""What the page asks for, computed: comparisons that grow, a search for a split, a movie."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from zerowait.experiment.comparisons.compare import growing
from zerowait.experiment.comparisons.comparison import Comparison, contenders
from zerowait.experiment.optimisation.optimise import optimise
from zerowait.experiment.simulation.setup import Execution, Setup
from zerowait.experiment.simulation.simulate import set_up
from zerowait.experiment.simulation.workload_setup import WorkloadSetup
from zerowait.explore.comparison_view import (
    comparison_files,
    comparison_view,
    curves_of_replay,
    curves_of_tally,
)
from zerowait.explore.controls import Preview
from zerowait.explore.movie import Stage, log_stage, movie, workload_stage
from zerowait.explore.question import Question
from zerowait.explore.request_handler import Event, Stop, TooLongError
from zerowait.explore.subject import Subject
from zerowait.model import InputError, Workload
from zerowait.policies import Policy
from zerowait.policies.spelling import policy_options
from zerowait.traces.log import Log

Told = tuple[Event, Comparison | None]
FIRST_LOOK = 20_000  # arrivals
CHUNK = 4096  # arrivals between two checks whether anybody still listens
EVALUATIONS = 60  # of a search for a split, on short runs
SEARCHED_LENGTHS = {"arrivals": 30_000, "replications": 2, "scored_arrivals": 50_000}
MOST_MOVIES = 2


def answer_comparison(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """Yield a preview, then growing numbers; the last of them equal those of `compare`.

    A comparison that takes too long is cut, and says so.
    """
    policies, _ = contenders(question.policies)
    last: Event = ("done", None)
    known: Comparison | None = None
    try:
        for event, found in _numbers(question, subject, policies, stop):
            yield event
            known = found or known
    except TooLongError:
        last = "cut", f"cut after {stop.limit_s:.0f} s: what is shown is what was known by then"
    if known is not None:
        yield "files", comparison_files(known)
    yield last


def _numbers(
    question: Question, subject: Subject, policies: list[Policy], stop: Stop
) -> Iterator[Told]:
    setup = set_up_question(question, subject)
    yield ("setting", preview(question, setup, policies).as_dict(subject)), None
    how = Execution(progress=stop.tick, chunk_size=CHUNK)
    short = setup.shortened(FIRST_LOOK)
    for look in (setup,) if short is None else (short, setup):
        for growth in growing(look, policies, 0, how):
            stop.tick()  # before much is put together for nobody
            curves = [
                list(curves_of_tally(tally) if result.jobs is None else curves_of_replay(result))
                for tally, result in zip(growth.tallies, growth.comparison.results, strict=True)
            ]
            told = _progress(growth.replications, setup.replications, look is not setup)
            yield ("numbers", told | comparison_view(growth.comparison, curves)), growth.comparison


def set_up_question(question: Question, subject: Subject) -> Setup:
    """Make the question's workload or log ready to run."""
    of_log = subject.is_log(question.workload)
    return set_up(_named(question, subject), question.servers, question.options(of_log))


def _named(question: Question, subject: Subject) -> Workload | Log:
    if subject.is_log(question.workload) and subject.log is not None:
        return subject.log
    if question.servers is None:
        raise InputError("servers: a workload does not say how many there are; give some")
    return subject.find_workload(question.workload, question.servers)


def preview(question: Question, setup: Setup, policies: list[Policy]) -> Preview:
    """Return what a question means before anything runs."""
    system = setup.kinds.system(setup.servers, 1)
    load = setup.offered_load
    return Preview(question, policies, system, setup.names, load, setup.in_seconds)


def _progress(replications: int, of: int, first_look: bool) -> dict[str, Any]:
    return {"replications": replications, "of": of, "first_look": first_look}


def answer_search(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """Search the slots of the question's only policy that make the mean wait shortest."""
    policies, _ = contenders(question.policies)
    if len(policies) != 1 or "slots" not in policy_options(type(policies[0])):
        raise InputError("policy: only the slots of one policy that splits can be searched")
    policy: Policy = replace(policies[0], slots=None)  # type: ignore[type-var]
    yield "progress", f"trying {EVALUATIONS} splits on short runs"
    what, given = _asked(question, subject)
    try:
        found = optimise(
            what, question.servers, policies=policy.spec, minimise="wait", baseline=policy,
            fix=_fixed(policy), evaluations=EVALUATIONS, seed=question.seed, progress=stop.tick,
            **given,
        )  # fmt: skip
    except TooLongError:
        remedy = "drag the borders, or try fewer classes"
        raise InputError(f"search: took longer than {stop.limit_s:.0f} s; {remedy}") from None
    best = found.objectives[0]
    yield "found", {"policy": found.policy, "ratio": best.ratio, "notes": list(found.notes)}
    yield "done", None


def _asked(question: Question, subject: Subject) -> tuple[Any, dict[str, Any]]:
    """Return what is searched on, with its options: the question's workload, or the log."""
    setup = set_up_question(question, subject)
    if isinstance(setup, WorkloadSetup):
        return setup.workload, dict(SEARCHED_LENGTHS)
    own = {"classes": question.classes or "exact", "overruns": question.overruns}
    return subject.log, own | ({} if question.load is None else {"load": question.load})


def _fixed(policy: Policy) -> dict[str, str]:
    """Return the values of all options but the slots, which stay as they are."""
    found = {}
    for one in filter(None, (policy, policy.auxiliary)):
        for name, field in policy_options(type(one)).items():
            value = getattr(one, name)
            if name not in ("auxiliary", "slots") and value is not None:
                found[name] = field.metadata["spell"](value)
    return found


def answer_movie(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """Yield the movies of a question: the same first jobs under one policy or two."""
    policies, _ = contenders(question.policies)
    if len(policies) > MOST_MOVIES:
        raise InputError(f"policies: a movie shows {MOST_MOVIES} at most; choose them")
    stage = _movie_stage(question, subject)
    movies = []
    for policy in policies:
        stop.tick()
        movies.append(movie(stage, policy).as_dict())
    yield "movies", movies
    yield "done", None


def _movie_stage(question: Question, subject: Subject) -> Stage:
    setup = set_up_question(question, subject)
    if isinstance(setup, WorkloadSetup):
        return workload_stage(setup.workload, setup.servers, jobs=question.jobs, seed=question.seed)
    assert subject.log is not None
    given = {name: getattr(question, name) for name in ("load", "classes", "overruns", "estimates")}
    return log_stage(
        subject.log, question.servers, first=question.first, jobs=question.jobs, **given
    )
