"""The movie of a question: its first jobs under one policy or two, step by step."""

from collections.abc import Iterator

from zerowait.experiment.comparisons.ranking import contenders
from zerowait.explore.answer import setup_of
from zerowait.explore.desk import Event
from zerowait.explore.movie import Stage, log_stage, movie, workload_stage
from zerowait.explore.question import Question
from zerowait.explore.stop import Stop
from zerowait.explore.subject import Subject
from zerowait.model import InputError

MOST_MOVIES = 2


def screening(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """The same jobs for each; what is drawn is all that is told."""
    policies, _ = contenders(question.policies)
    if len(policies) > MOST_MOVIES:
        raise InputError(f"policies: a movie shows {MOST_MOVIES} at most; choose them")
    stage = _stage(question, subject)
    movies = []
    for policy in policies:
        stop.tick()
        movies.append(movie(stage, policy).as_dict())
    yield "movies", movies
    yield "done", None


def _stage(question: Question, subject: Subject) -> Stage:
    if not subject.is_log(question.workload):
        setup = setup_of(question, subject)
        return workload_stage(setup.workload, setup.servers, jobs=question.jobs, seed=question.seed)
    assert subject.log is not None
    given = {name: getattr(question, name) for name in ("load", "classes", "overruns", "estimates")}
    return log_stage(
        subject.log, question.servers, first=question.first, jobs=question.jobs, **given
    )
