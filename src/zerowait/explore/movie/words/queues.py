"""Words of policies that serve a queue in order of arrival, or pack the idle servers."""

from zerowait.explore.movie.words.base import Words, speaks_for
from zerowait.explore.movie.words.place import Place
from zerowait.policies.fcfs import Fcfs
from zerowait.policies.first_fit import FirstFit
from zerowait.policies.maxweight_myopic import MaxweightMyopic


@speaks_for(Fcfs)
class FcfsWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return f"it is the head of the queue, needs {place.need(job)}, and {place.idle_words}"

    def waits(self, place: Place) -> str:
        head, behind = place.waiting[0], len(place.waiting) - 1
        blocked = f"; it blocks the {'one' if behind == 1 else behind} behind it" if behind else ""
        return (
            f"job {place.name(head)}, the head of the queue, needs {place.need(head)}, "
            f"and {place.idle_words}{blocked}"
        )


@speaks_for(FirstFit)
class FirstFitWords(Words):
    def starts(self, place: Place, job: int) -> str:
        skipped = place.before(job)
        if not skipped:
            return f"the oldest that waits needs {place.need(job)}, and {place.idle_words}"
        return (
            f"it is the oldest that fits, for {place.idle_words}; "
            f"{place.names(skipped)} would not fit and {_are(skipped)} passed over"
        )

    def waits(self, place: Place) -> str:
        return place.nobody_fits


@speaks_for(MaxweightMyopic)
class MaxweightMyopicWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return (
            "it is in the packing of the idle servers that weighs most (a job weighs as many as "
            f"wait of its need); it needs {place.need(job)}, and {place.idle_words}"
        )

    def waits(self, place: Place) -> str:
        return place.nobody_fits


def _are(jobs: list[int]) -> str:
    return "is" if len(jobs) == 1 else "are"
