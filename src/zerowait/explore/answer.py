"""The numbers that a question asks for, as they come in: a first look, then more and more."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from zerowait.engine.stream import JobStream, WorkloadStream
from zerowait.experiment.comparisons.compare import growing
from zerowait.experiment.comparisons.log_comparison import compare_on_log
from zerowait.experiment.comparisons.ranking import contenders
from zerowait.experiment.replays.ready import Source, make_ready
from zerowait.experiment.simulation.replications import Execution
from zerowait.experiment.simulation.setup import Setup, set_up
from zerowait.explore.desk import Event
from zerowait.explore.question import Question
from zerowait.explore.setting import Setting
from zerowait.explore.shown import AnyComparison, files, shown
from zerowait.explore.stop import Stop, TooLongError
from zerowait.explore.subject import Subject
from zerowait.explore.waits import curves_of_replay, curves_of_tally
from zerowait.model import InputError
from zerowait.policies import Policy

Told = tuple[Event, AnyComparison | None]
FIRST_LOOK = 20_000  # arrivals
CHUNK = 4096  # arrivals between two looks at whether anybody still listens


def answer(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """First what the question means, then numbers again and again; the last of them are those of
    `compare`. What takes too long is cut, and says so."""
    policies, _ = contenders(question.policies)
    ask = _on_log if subject.is_log(question.workload) else _on_workload
    last: Event = ("done", None)
    known: AnyComparison | None = None
    try:
        for event, found in ask(question, subject, policies, stop):
            yield event
            known = found or known
    except TooLongError:
        last = "cut", f"cut after {stop.limit_s:.0f} s: what is shown is what was known by then"
    if known is not None:
        yield "files", files(known)
    yield last


def _on_workload(
    question: Question, subject: Subject, policies: list[Policy], stop: Stop
) -> Iterator[Told]:
    setup = setup_of(question, subject)
    yield ("setting", workload_setting(question, setup, policies).as_dict(subject)), None
    first = replace(setup.options, arrivals=min(FIRST_LOOK, setup.arrivals), replications=1)
    looks = (set_up(setup.workload, setup.servers, replace(first, load=None)), setup)
    how = Execution(progress=stop.tick, chunk_size=CHUNK)
    for look in looks:
        for growth in growing(look, policies, 0, how):
            stop.tick()  # before much is put together for nobody
            curves = [list(curves_of_tally(one)) for one in growth.tallies]
            told = _stage(growth.replications, setup.replications, look is not setup)
            yield ("numbers", told | shown(growth.comparison, curves)), growth.comparison


def setup_of(question: Question, subject: Subject) -> Setup:
    if question.servers is None:
        raise InputError("servers: a workload does not say how many there are; give some")
    workload = subject.find_workload(question.workload, question.servers)
    return set_up(workload, question.servers, question.options(False).of_simulation())


def workload_setting(question: Question, setup: Setup, policies: list[Policy]) -> Setting:
    stream = WorkloadStream(setup.workload, 1, np.random.SeedSequence(0))
    system = stream.kinds.system(setup.servers, 1)
    names = setup.workload.class_names
    return Setting(question, policies, system, names, setup.load, False)


def _on_log(
    question: Question, subject: Subject, policies: list[Policy], stop: Stop
) -> Iterator[Told]:
    assert subject.log is not None
    yield ("setting", log_setting(question, subject, policies).as_dict(subject)), None
    options = question.options(True).of_replay()
    for resamples in (0, options.resamples):  # intervals over weeks take a while
        found = compare_on_log(
            subject.log, question.servers, policies, 0, replace(options, resamples=resamples),
            progress=stop.tick,
        )  # fmt: skip
        curves = [list(curves_of_replay(one)) for one in found.results]
        yield ("numbers", _stage(1, 1, resamples == 0) | shown(found, curves)), found


def log_setting(question: Question, subject: Subject, policies: list[Policy]) -> Setting:
    assert subject.log is not None
    options = question.options(True).of_replay()
    ready = make_ready(Source.of(subject.log), question.servers, options)
    system = JobStream(ready.jobs).kinds.system(ready.servers, 1)
    load = ready.own_load if options.load is None else options.load
    return Setting(question, policies, system, ready.names, load, True)


def _stage(replications: int, of: int, first_look: bool) -> dict[str, Any]:
    return {"replications": replications, "of": of, "first_look": first_look}
