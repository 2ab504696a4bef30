"""What is said at each step: the event, the rule that fired, and why those who wait do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zerowait.engine.policy import Policy
from zerowait.engine.seats import ROUTED, SERVED, Seats
from zerowait.explore.movie.regions import Region, class_name
from zerowait.explore.movie.words import words_of
from zerowait.explore.movie.words.base import rule_of
from zerowait.explore.movie.words.place import Place, Telling, named
from zerowait.policies.balanced_splitting import BalancedSplitting
from zerowait.policies.families.splitting import Splitting

# Whom own servers take by rule 3: of a class that is named, and of theirs.
REFILLED = {
    "oldest": ("its oldest waiting job", "the oldest waiting job of their class"),
    "largest": (
        "its waiting job with the most left",
        "the waiting job of their class with the most left",
    ),
    "expected": (
        "its waiting job that is expected to have the most left",
        "the waiting job of their class that is expected to have the most left",
    ),
}


class Rule(NamedTuple):
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
    """Of a policy that decides on all servers."""

    def __init__(self, policy: Policy, regions: Sequence[Region], telling: Telling) -> None:
        self.policy, self.regions, self.telling = policy, regions, telling
        self.words = words_of(self.decider)

    @property
    def decider(self) -> Policy:
        """Who decides about the queue."""
        return self.policy

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule(self.policy.name, rule_of(self.policy)),)

    def region_of(self, jobs: Seats, job: int) -> int:
        """Where a job runs, once it is decided that it does."""
        return 0

    def place(self, scene: Scene) -> Place:
        servers = self.regions[0].servers
        return Place(
            self.policy, scene.state, scene.jobs, servers, scene.idle[0], scene.waiting,
            self.telling,
        )  # fmt: skip

    def queue(self, scene: Scene) -> list[int]:
        return self.words.queue(self.place(scene))

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
        why = self.words.starts(self.place(scene), job)
        return Said(f"{self._job(scene.jobs, job)} {verb}: {why}.", 0)

    def pause(self, scene: Scene, job: int) -> Said:
        """`$others` are those who start instead, not known yet."""
        why = self.words.pauses(self.place(scene), job)
        return Said(f"{self._job(scene.jobs, job)} is paused$others: {why}.", 0)

    def wait(self, scene: Scene) -> str:
        why = self.words.waits(self.place(scene))
        return f"{why[0].upper()}{why[1:]}."

    def _job(self, jobs: Seats, job: int) -> str:
        return f"Job {self.telling.job_names[int(jobs.order[job])]}"


class SplitNarration(Narration):
    """Of own servers and helpers: Definition 1 of the paper, or (ModifiedBS) Definition 2."""

    policy: Splitting

    @property
    def decider(self) -> Policy:
        return self.policy.auxiliary

    @property
    def returns(self) -> bool:
        """May own servers take back what was sent to the helpers?"""
        return isinstance(self.policy, BalancedSplitting)

    @property
    def rules(self) -> tuple[Rule, ...]:
        auxiliary = f"{self.decider.name}: {rule_of(self.decider)}"
        arrivals = (
            "A job that arrives goes to the own servers of its class if enough of them are idle, "
            "and else to the helpers"
        )
        if not self.returns:
            return (
                Rule("own servers", f"{arrivals}, for good."),
                Rule("helpers", f"The helpers serve whom they are sent by {auxiliary}"),
            )
        assert isinstance(self.policy, BalancedSplitting)
        return (
            Rule("rule 1", f"{arrivals}, where it waits."),
            Rule("rule 2", f"The helpers serve those who wait by {auxiliary}"),
            Rule("rule 3", f"Own servers that come free take {REFILLED[self.policy.refill][1]}."),
        )

    def region_of(self, jobs: Seats, job: int) -> int:
        helped = int(jobs.helpers[job]) & SERVED
        return len(self.regions) - 1 if helped else int(jobs.job_class[job])

    def place(self, scene: Scene) -> Place:
        return Place(
            self.decider, scene.state.helpers, scene.jobs, self.regions[-1].servers,
            scene.idle[-1], scene.waiting, self.telling, noun="helpers",
        )  # fmt: skip

    def queue(self, scene: Scene) -> list[int]:
        """At the helpers; who is about to enter its own servers stands behind."""
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
            why = self.words.starts(self.place(scene), job)
            verb = "go on with" if resumed else "take"
            by = f": {self.rules[1].label}" if self.returns else ""
            return Said(f"The helpers {verb} {told.lower()}: {why}{by}.", 1)
        if not int(jobs.helpers[job]) & ROUTED:
            by = f": {self.rules[0].label}" if self.returns else ""
            return Said(f"{told} starts on {whose}{by}.", 0)
        assert isinstance(self.policy, BalancedSplitting)
        which = REFILLED[self.policy.refill][0]
        before = ", which the helpers had paused" if resumed else ""
        return Said(f"{whose.capitalize()} take {which}, {told.lower()}{before}: rule 3.", 2)

    def pause(self, scene: Scene, job: int) -> Said:
        why = self.words.pauses(self.place(scene), job)
        return Said(f"The helpers pause {self._job(scene.jobs, job).lower()}$others: {why}.", 1)

    def wait(self, scene: Scene) -> str:
        return f"At the helpers: {self.words.waits(self.place(scene))}."

    def _whose(self, region: int) -> str:
        one = self.regions[region]
        return "the helpers" if one.kind == "helpers" else f"{one.name}’s own servers"


def _found(own: int, idle: int, only: str = "") -> str:
    """What an arrival finds of its class's own servers."""
    if own == 1:
        return f"Its class’s own server is {'idle' if idle else 'busy'}"
    some = {0: "none is", 1: f"{only}1 is"}.get(idle, f"{only}{idle} are")
    return f"Of its class’s {own} own servers {some} idle"


def narration_of(policy: Policy, regions: Sequence[Region], telling: Telling) -> Narration:
    kind = SplitNarration if isinstance(policy, Splitting) else Narration
    return kind(policy, regions, telling)


def with_others(words: str, names: list[str]) -> str:
    """A pause's words, now that it is known who started."""
    return words.replace("$others", f" for {named(names)}" if names else "")
