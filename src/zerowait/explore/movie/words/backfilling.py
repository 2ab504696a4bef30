"""Words of policies with reservations: what they reserve is read off their own state."""

import math

from zerowait.engine.seats import WAITING, holds
from zerowait.engine.structures.queues import NONE
from zerowait.explore.movie.words.base import Words, speaks_for
from zerowait.explore.movie.words.place import Place
from zerowait.policies.conservative import Conservative
from zerowait.policies.families.backfill_rule import NEVER, Rule
from zerowait.policies.families.backfilling import Backfilling

# Whom a scan meets first.
FIRST = {
    "arrival": "oldest",
    "need": "smallest by need",
    "estimate": "shortest by estimate",
    "area": "smallest by area (estimate x need)",
    "due": "first due (arrival + allowance)",
}


@speaks_for(Backfilling)
class BackfillingWords(Words):
    def queue(self, place: Place) -> list[int]:
        """By key; who needs more than there is (at the helpers) has none, and comes last."""
        keys = place.state.waiting.key
        few = [job for job in place.waiting if place.need(job) <= place.servers]
        many = [job for job in place.waiting if place.need(job) > place.servers]
        return sorted(few, key=lambda job: float(keys[job])) + many

    def starts(self, place: Place, job: int) -> str:
        head = int(place.state.head[0])
        line = self.queue(place)
        if head != NONE and head in line and line.index(head) < line.index(job):
            return self._passes(place, job, head)
        first = FIRST[_rule(place).order]
        passed = line[: line.index(job)]
        if not passed:
            return f"it is the {first}, needs {place.need(job)}, and {place.idle_words}"
        return (
            f"of those that fit it is the {first}, for {place.idle_words}; "
            f"{place.names(passed)} would not fit{self._no_reservation(place)}"
        )

    def _passes(self, place: Place, job: int, head: int) -> str:
        shadow, need = float(place.state.shadow[0]), place.need(job)
        told = f"it is back-filled past job {place.name(head)}, which has a reservation at "
        told += place.telling.time(shadow)
        end = place.now + float(place.jobs.estimate[job])
        if end <= shadow:
            return f"{told}: it is to end by {place.telling.time(end)}"
        extra = int(place.state.extra[0]) + need  # it has taken its part already
        return f"{told}: {extra} will be left over then, and it needs {need}"

    def _no_reservation(self, place: Place) -> str:
        after = _rule(place).reserve_after
        if after == NEVER:
            return ", and nobody gets a reservation"
        if after == 0:
            return ""
        told = place.telling.length(after)
        return f", and a reservation comes only after a wait of {told}"

    def waits(self, place: Place) -> str:
        head = int(place.state.head[0])
        if place.idle == 0:
            return place.idle_words
        if not holds(place.jobs, head, WAITING):
            return place.nobody_fits
        told = f"job {place.name(head)} needs {place.need(head)}, and {place.idle_words}"
        alone = len(place.waiting) == 1
        if place.state.reserved[0] != head:
            return told if alone else f"{told}; nobody else fits either"
        told += f": it has a reservation at {place.telling.time(float(place.state.shadow[0]))}"
        others = "; nobody behind it fits and either ends by then or leaves it enough"
        return told if alone else told + others


def _rule(place: Place) -> Rule:
    assert isinstance(place.policy, Backfilling)
    return place.policy.rule


@speaks_for(Conservative)
class ConservativeWords(Words):
    def starts(self, place: Place, job: int) -> str:
        passed = [one for one in place.before(job) if place.need(one) <= place.servers]
        if not passed:
            return f"its reservation is for now; it needs {place.need(job)}, and {place.idle_words}"
        return (
            "there is room for it now that delays no reservation made before "
            f"({self._reservations(place, passed)})"
        )

    def waits(self, place: Place) -> str:
        few = [job for job in place.waiting if place.need(job) <= place.servers]
        if not few:
            return f"nobody that waits can ever run on {place.servers} {place.noun}"
        return f"{place.idle_words}; reserved: {self._reservations(place, few)}"

    def _reservations(self, place: Place, jobs: list[int]) -> str:
        shown = [
            f"job {place.name(job)} at {place.telling.time(float(place.state.begin[job]))}"
            for job in jobs[:3]
            if math.isfinite(place.state.begin[job])
        ]
        more = len(jobs) - len(shown)
        return ", ".join([*shown, f"{more} more"] if more else shown)
