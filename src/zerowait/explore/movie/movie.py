"""A movie: the jobs of a stage under one policy, step by step, ready for JSON."""

from dataclasses import asdict, dataclass
from types import FunctionType
from typing import Any

import numpy as np

from zerowait.engine.run import Run, RunSettings
from zerowait.engine.seats import SERVED
from zerowait.experiment.results.single_jobs import RecordingStream
from zerowait.explore.movie.narration import NamedRule, Region, Telling, narration_of, regions_of
from zerowait.explore.movie.recorder import Recorder, Step
from zerowait.explore.movie.stage import Stage
from zerowait.model.display import json_ready
from zerowait.policies import Policy, parse_policy
from zerowait.report.palette import CLASS_HUES


@dataclass(frozen=True)
class Role:
    """A class of jobs, and its colour."""

    name: str
    need: int  # the largest
    hue: str


@dataclass(frozen=True)
class Movie:
    """A schedule as it happens. `jobs` has the rows of the table that a replay gives."""

    policy: str
    servers: int
    unit: str  # of time: "s", or none
    origin: float  # the time that is told as zero
    rules: tuple[NamedRule, ...]
    classes: tuple[Role, ...]
    regions: tuple[Region, ...]
    jobs: tuple[dict[str, Any], ...]  # per job, in stream order
    steps: tuple[Step, ...]

    def as_dict(self) -> dict[str, Any]:
        """Lists, dicts and numbers."""
        rules = [rule._asdict() for rule in self.rules]
        told: dict[str, Any] = json_ready(asdict(self) | {"rules": rules})
        return told


def movie(stage: Stage, policy: str | Policy | type[Policy]) -> Movie:
    """The engine's own run of the jobs, in plain Python, listened to."""
    chosen = parse_policy(policy)
    stream = RecordingStream(stage.stream())
    options = RunSettings(records=True, jit=False, price=stage.price)
    run = Run(stream, chosen, stage.servers, options)
    telling = Telling(stage.job_names, stage.origin, stage.unit)
    narration = narration_of(run.policy, regions_of(run.policy, run.system), telling)
    recorder = Recorder(narration)
    assert isinstance(run.loop, FunctionType)
    run.loop = recorder.heard(run.loop)
    records = run.run().records
    assert records is not None
    columns = stream.columns() | {
        "estimate": stream.estimate, "start": records.start, "end": records.end,
        "helpers": (records.helpers & SERVED) != 0, "preemptions": records.preemptions,
    }  # fmt: skip
    return Movie(
        chosen.spec, stage.servers, stage.unit, telling.origin, narration.rules,
        _classes(stage, run.system.class_needs.tolist()), tuple(narration.regions),
        _rows(stage, columns), tuple(recorder.steps),
    )  # fmt: skip


def _classes(stage: Stage, needs: list[int]) -> tuple[Role, ...]:
    hues = [CLASS_HUES[i % len(CLASS_HUES)] for i in range(len(needs))]
    return tuple(map(Role, stage.class_names, needs, hues))


def _rows(stage: Stage, columns: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    values = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return tuple(
        {"name": name} | dict(zip(columns, row, strict=True))
        for name, row in zip(stage.job_names, values, strict=True)
    )
