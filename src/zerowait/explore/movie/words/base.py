"""The register of words: a class of them for each kind of policy, the nearest one speaks."""

from collections.abc import Callable
from typing import TypeVar

from zerowait.engine.policy import Policy
from zerowait.explore.movie.words.place import Place

W = TypeVar("W", bound="type[Words]")


class Words:
    """What can be said of any policy: what a job needs, and what is idle.

    Each answer is a clause that follows a colon. It is asked for after the policy has decided, and
    before the decision is carried out: a job that starts still waits, its servers are still idle.
    """

    def queue(self, place: Place) -> list[int]:
        """Who waits, in the order in which the policy looks at them."""
        return list(place.waiting)

    def starts(self, place: Place, job: int) -> str:
        """Why it starts, or goes on, now."""
        return f"its rule chose it; it needs {place.need(job)}, and {place.idle_words}"

    def pauses(self, place: Place, job: int) -> str:
        """Why it is taken out of service."""
        return "its rule chose others"

    def waits(self, place: Place) -> str:
        """Why those who wait do: a sentence, of a moment when nobody can start."""
        return f"{place.idle_words}, and its rule starts nobody"


WORDS: dict[type[Policy], Words] = {Policy: Words()}


def speaks_for(*kinds: type[Policy]) -> Callable[[W], W]:
    """Class decorator: these are the words of policies of these kinds."""

    def enter(words: W) -> W:
        WORDS.update((kind, words()) for kind in kinds)
        return words

    return enter


def words_of(policy: Policy) -> Words:
    return next(WORDS[kind] for kind in type(policy).__mro__ if kind in WORDS)


def rule_of(policy: Policy) -> str:
    """The first paragraph of a policy's docstring, as `zerowait policies` prints it."""
    rule = (type(policy).__doc__ or policy.name).split("\n\n")[0]
    return " ".join(rule.replace("`", "").split())
