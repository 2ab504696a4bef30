"""What is said at each step: the event, the rule that fired, and why those who wait do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zerowait.engine.policy import Policy, PoolView, System, named
from zerowait.engine.seats import ROUTED, SERVED, Seats
from zerowait.report.numbers import number


@dataclass(frozen=True)
class Region:
    """Servers from `first` on. The engine counts servers and does not number them: we do."""

    kind: str  # own, helpers or all
    name: str
    first: int
    servers: int
    job_class: int | None = None  # of own servers


def regions_of(policy: Policy, system: System) -> tuple[Region, ...]:
    """Return the regions: own servers of class i are region i, the helpers are the last one."""
    split = policy.split_of(system)
    if split is None:
        return (Region("all", "servers", 0, system.servers),)
    return (
        *_own_servers(split.own_servers),
        Region("helpers", "helpers", system.servers - split.helpers, split.helpers),
    )


def _own_servers(counts: Sequence[int]) -> list[Region]:
    regions: list[Region] = []
    first = 0
    for i, servers in enumerate(map(int, counts)):
        regions.append(Region("own", class_name(i), first, servers, i))
        first += servers
    return regions


def class_name(i: int) -> str:
    """Name a class; they are numbered from one, as in the paper."""
    return f"class {i + 1}"


@dataclass(frozen=True)
class Telling:
    """How jobs and times are called."""

    job_names: tuple[str, ...]
    origin: float  # the time that is told as zero
    unit: str  # "s", or none

    def time(self, value: float) -> str:
        return clock(value - self.origin) if self.unit == "s" else number(value)

    def length(self, value: float) -> str:
        return clock(value) if self.unit == "s" else number(value)


def clock(seconds: float) -> str:
    """Tell seconds: `0:07`, `12:30`, `3:12:30`, `2 d 3:12:30`; halves of seconds as decimals."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    minutes, rest = divmod(round(seconds, 1), 60)
    hours, minutes = divmod(int(minutes), 60)
    days, hours = divmod(hours, 24)
    tail = f"{rest:02.0f}" if rest == int(rest) else f"{rest:04.1f}"
    text = f"{hours}:{minutes:02d}:{tail}" if days or hours else f"{minutes}:{tail}"
    return f"{sign}{days} d {text}" if days else sign + text


class NamedRule(NamedTuple):
    """A rule of a policy, and what it is called."""

    label: str
    words: str


class Said(NamedTuple):
    """Words of a step, and the place of the rule that fired among the movie's rules."""

    words: str
    rule: int | None = None


@dataclass(frozen=True)
class Scene:
    """The system after the event and the policy's decision, before that is carried out."""

    state: Any  # of the policy
    jobs: Seats
    idle: Sequence[int]  # per region
    waiting: tuple[int, ...]  # seats, in order of arrival


class Narration:
    """What is said of a policy that decides on all servers."""

    def __init__(self, policy: Policy, regions: Sequence[Region], telling: Telling) -> None:
        self.policy, self.regions, self.telling = policy, regions, telling
        self.rules = tuple(NamedRule(*one) for one in policy.rules())

    @property
    def decider(self) -> Policy:
        """The policy that decides about the queue."""
        return self.policy

    def region_of(self, jobs: Seats, job: int) -> int:
        """Return where a job runs that is about to start."""
        return 0

    def pool(self, scene: Scene) -> PoolView:
        """Return the servers that the decider decides on."""
        return self._pool(scene, scene.state, "servers")

    def _pool(self, scene: Scene, state: Any, noun: str) -> PoolView:
        telling = self.telling
        return PoolView(
            state, scene.jobs, self.regions[-1].servers, scene.idle[-1], scene.waiting,
            telling.job_names, telling.time, telling.length, noun,
        )  # fmt: skip

    def queue(self, scene: Scene) -> list[int]:
        return self.decider.line_up(self.pool(scene))

    def arrival(self, scene: Scene, job: int) -> Said:
        jobs = scene.jobs
        its = class_name(int(jobs.job_class[job]))
        return Said(f"{self._job(jobs, job)} arrives: {its}, need {jobs.need[job]}.")

    def departure(self, scene: Scene, job: int) -> Said:
        need = int(scene.jobs.need[job])
        free = "its server comes" if need == 1 else f"its {need} servers come"
        return Said(f"{self._job(scene.jobs, job)} ends: {free} free.")

    def start(self, scene: Scene, job: int, resumed: bool) -> Said:
        verb = "goes on" if resumed else "starts"
        why = self.decider.why_start(self.pool(scene), job)
        return Said(f"{self._job(scene.jobs, job)} {verb}: {why}.", 0)

    def pause(self, scene: Scene, job: int) -> Said:
        """`$others` are those who start instead, not known yet."""
        why = self.decider.why_pause(self.pool(scene), job)
        return Said(f"{self._job(scene.jobs, job)} is paused$others: {why}.", 0)

    def wait(self, scene: Scene) -> str:
        why = self.decider.why_wait(self.pool(scene))
        return f"{why[0].upper()}{why[1:]}."

    def _job(self, jobs: Seats, job: int) -> str:
        return f"Job {self.telling.job_names[int(jobs.order[job])]}"


class SplitNarration(Narration):
    """What is said of own servers and helpers: Definition 1 of the paper, or Definition 2."""

    @property
    def decider(self) -> Policy:
        assert self.policy.auxiliary is not None
        return self.policy.auxiliary

    @property
    def returns(self) -> bool:
        """May own servers take back what was sent to the helpers?"""
        return self.policy.refill is not None

    def region_of(self, jobs: Seats, job: int) -> int:
        helped = int(jobs.helpers[job]) & SERVED
        return len(self.regions) - 1 if helped else int(jobs.job_class[job])

    def pool(self, scene: Scene) -> PoolView:
        return self._pool(scene, scene.state.helpers, "helpers")

    def queue(self, scene: Scene) -> list[int]:
        """Return the line at the helpers; who is about to enter its own servers stands behind."""
        sent = [int(scene.jobs.helpers[job]) & ROUTED for job in scene.waiting]
        line = super().queue(scene)
        entering = [job for job, it in zip(scene.waiting, sent, strict=True) if not it]
        return [job for job in line if job not in entering] + entering

    def arrival(self, scene: Scene, job: int) -> Said:
        jobs, job_class = scene.jobs, int(scene.jobs.job_class[job])
        own, idle = self.regions[job_class].servers, scene.idle[job_class]
        told = super().arrival(scene, job).words
        by = self.rules[0].label if self.returns else "definition 2"
        if not int(jobs.helpers[job]) & ROUTED:
            return Said(f"{told} {_found(own, idle)}: {by} sends it there.", 0)
        if own == 0:
            found = "Its class has no servers of its own"
        elif idle < jobs.need[job]:
            found = _found(own, idle, "only ")
        else:
            found = "An older job of its class waits"
        sent = "it to the helpers" if self.returns else "it to the helpers for good"
        return Said(f"{told} {found}: {by} sends {sent}.", 0)

    def departure(self, scene: Scene, job: int) -> Said:
        need, region = int(scene.jobs.need[job]), self.region_of(scene.jobs, job)
        whose = self._whose(region)
        free = f"1 of {whose} comes" if need == 1 else f"{need} of {whose} come"
        return Said(f"{self._job(scene.jobs, job)} ends: {free} free.")

    def start(self, scene: Scene, job: int, resumed: bool) -> Said:
        jobs, region = scene.jobs, self.region_of(scene.jobs, job)
        told, whose = self._job(jobs, job), self._whose(region)
        if self.regions[region].kind == "helpers":
            why = self.decider.why_start(self.pool(scene), job)
            verb = "go on with" if resumed else "take"
            by = f": {self.rules[1].label}" if self.returns else ""
            return Said(f"The helpers {verb} {told.lower()}: {why}{by}.", 1)
        if not int(jobs.helpers[job]) & ROUTED:
            by = f": {self.rules[0].label}" if self.returns else ""
            return Said(f"{told} starts on {whose}{by}.", 0)
        which = self.policy.why_start(self.pool(scene), job)
        before = ", which the helpers had paused" if resumed else ""
        return Said(f"{whose.capitalize()} take {which}, {told.lower()}{before}: rule 3.", 2)

    def pause(self, scene: Scene, job: int) -> Said:
        why = self.decider.why_pause(self.pool(scene), job)
        return Said(f"The helpers pause {self._job(scene.jobs, job).lower()}$others: {why}.", 1)

    def wait(self, scene: Scene) -> str:
        return f"At the helpers: {self.decider.why_wait(self.pool(scene))}."

    def _whose(self, region: int) -> str:
        one = self.regions[region]
        return "the helpers" if one.kind == "helpers" else f"{one.name}’s own servers"


def _found(own: int, idle: int, only: str = "") -> str:
    """Say what an arrival finds of its class's own servers."""
    if own == 1:
        return f"Its class’s own server is {'idle' if idle else 'busy'}"
    some = {0: "none is", 1: f"{only}1 is"}.get(idle, f"{only}{idle} are")
    return f"Of its class’s {own} own servers {some} idle"


def narration_of(policy: Policy, regions: Sequence[Region], telling: Telling) -> Narration:
    """Return what tells of a policy, which is another where the servers are split."""
    kind = SplitNarration if regions[-1].kind == "helpers" else Narration
    return kind(policy, regions, telling)


def with_others(words: str, names: list[str]) -> str:
    """Complete a pause's words, now that it is known who started."""
    return words.replace("$others", f" for {named(names)}" if names else "")
