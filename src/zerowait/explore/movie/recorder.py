"""Listens to a policy while the engine's own event loop runs in plain Python.

Nothing is decided here: the loop is the engine's, with the policy's hooks as they are. What each
hook says is written down, with the state of the policy that said it at hand for the words.
"""

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from zerowait.engine.loop import tell_time
from zerowait.engine.seats import WAITING, Seats, holds
from zerowait.engine.structures.queues import NONE
from zerowait.explore.movie.narration import Narration, Said, Scene, with_others
from zerowait.report.gantt.layout import Free

Pieces = tuple[tuple[int, int], ...]  # first server, servers


@dataclass(frozen=True)
class Step:
    """One event, and the system after it."""

    time: float
    kind: str  # arrival, departure, start, pause, resume; move: resumed on other servers
    job: int  # its place in the stream
    region: int | None  # where it runs or ran; None of an arrival
    tiles: Pieces  # the servers that it takes or gives back
    queue: tuple[int, ...]  # who waits after it, in the order in which the policy looks at them
    rule: int | None  # that fired, by its place among the movie's rules
    words: str
    note: str = ""  # after a decision: why those who wait do


class Recorder:
    """The steps so far, and who waits and runs where."""

    def __init__(self, narration: Narration) -> None:
        self.steps: list[Step] = []
        self._narration = narration
        self._free = [Free(one.first, one.servers) for one in narration.regions]
        self._idle = [one.servers for one in narration.regions]
        self._waiting: list[tuple[int, int]] = []  # place in the stream, seat
        self._held: dict[int, tuple[int, Pieces]] = {}  # per job in service: region and servers
        self._last_region: dict[int, int] = {}  # per job that was paused
        self._decided = 0  # steps up to the last decision

    def heard(self, loop: FunctionType) -> FunctionType:
        """The same loop, whose hooks are listened to; it always tells the time."""
        hooks = loop.__globals__
        listening = {
            "tell_time": tell_time,
            "on_arrival": _after(hooks["on_arrival"], self._arrival),
            "on_departure": _after(hooks["on_departure"], self._departure),
            "on_pause": _after(hooks["on_pause"], self._pause),
            "next_start": self._asked(hooks["next_start"]),
        }
        return FunctionType(loop.__code__, hooks | listening, loop.__name__)

    def _asked(self, next_start: Callable[[Any, Seats], int]) -> Callable[[Any, Seats], int]:
        def asked(state: Any, jobs: Seats) -> int:
            job = next_start(state, jobs)
            if job == NONE:
                self._settle(state, jobs)
            elif holds(jobs, job, WAITING):  # the engine refuses anybody else
                self._start(state, jobs, job)
            return job

        return asked

    def _arrival(self, state: Any, jobs: Seats, job: int) -> None:
        insort(self._waiting, (int(jobs.order[job]), job))
        scene = self._scene(state, jobs)
        self._note("arrival", scene, job, None, (), self._narration.arrival(scene, job))

    def _departure(self, state: Any, jobs: Seats, job: int) -> None:
        region, tiles = self._give_back(jobs, job)
        scene = self._scene(state, jobs)
        self._note("departure", scene, job, region, tiles, self._narration.departure(scene, job))

    def _pause(self, state: Any, jobs: Seats, job: int) -> None:
        region, tiles = self._give_back(jobs, job)
        self._last_region[int(jobs.order[job])] = region
        insort(self._waiting, (int(jobs.order[job]), job))
        scene = self._scene(state, jobs)
        self._note("pause", scene, job, region, tiles, self._narration.pause(scene, job))

    def _start(self, state: Any, jobs: Seats, job: int) -> None:
        order, need = int(jobs.order[job]), int(jobs.need[job])
        region = self._narration.region_of(jobs, job)
        if need > self._idle[region]:
            return  # more than there are: the engine ends the run
        before = self._last_region.get(order)
        scene = self._scene(state, jobs)
        said = self._narration.start(scene, job, before is not None)
        self._waiting.remove((order, job))
        taken = self._free[region].take(need)
        tiles = tuple((low, high - low) for low, high in taken)
        self._held[order] = region, tiles
        self._idle[region] -= need
        kind = "start" if before is None else "resume" if before == region else "move"
        self._note(kind, self._scene(state, jobs), job, region, tiles, said)

    def _give_back(self, jobs: Seats, job: int) -> tuple[int, Pieces]:
        region, tiles = self._held.pop(int(jobs.order[job]))
        self._free[region].give([(first, first + count) for first, count in tiles])
        self._idle[region] += int(jobs.need[job])
        return region, tiles

    def _settle(self, state: Any, jobs: Seats) -> None:
        """Say, when nobody else starts now, for whom jobs were paused and why others wait."""
        since, self._decided = self._decided, len(self.steps)
        begun = [one.job for one in self.steps[since:] if one.kind in ("start", "resume", "move")]
        names = [self._narration.telling.job_names[job] for job in begun]
        for at in range(since, len(self.steps)):
            step = self.steps[at]
            if step.kind == "pause":
                self.steps[at] = replace(step, words=with_others(step.words, names))
        if self._waiting and len(self.steps) > since:
            note = self._narration.wait(self._scene(state, jobs))
            self.steps[-1] = replace(self.steps[-1], note=note)

    def _scene(self, state: Any, jobs: Seats) -> Scene:
        return Scene(state, jobs, tuple(self._idle), tuple(seat for _, seat in self._waiting))

    def _note(
        self, kind: str, scene: Scene, job: int, region: int | None, tiles: Pieces, said: Said
    ) -> None:
        jobs = scene.jobs
        queue = tuple(int(jobs.order[seat]) for seat in self._narration.queue(scene))
        self.steps.append(
            Step(
                float(jobs.clock[0]),
                kind,
                int(jobs.order[job]),
                region,
                tiles,
                queue,
                said.rule,
                said.words,
            )
        )


def _after(
    hook: Callable[[Any, Seats, int], None], hear: Callable[[Any, Seats, int], None]
) -> Callable[[Any, Seats, int], None]:
    def both(state: Any, jobs: Seats, job: int) -> None:
        hook(state, jobs, job)
        hear(state, jobs, job)

    return both
