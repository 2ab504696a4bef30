"""Why a policy did what it did, in words: one file per family, found by the policy's class."""

from zerowait.explore.movie.words import backfilling, preemptive, queues  # noqa: F401
from zerowait.explore.movie.words.base import Words, words_of

__all__ = ["Words", "words_of"]
