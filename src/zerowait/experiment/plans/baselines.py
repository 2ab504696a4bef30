"""Today's policy: which of a few explains the waits that the log recorded, and how well."""

from dataclasses import dataclass

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluate import run_jobs
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.replays.recorded import Match, match
from zerowait.policies import Policy, parse_policy

USUAL = "easy"  # what most sites run, Slurm's sites too
TRIED = (USUAL, "conservative", "first-fit", "fcfs")
CLEARLY = 0.75  # of the usual policy's error: another must be below it to be taken instead


@dataclass(frozen=True)
class Explained(Match):
    """A policy, and how far its waits are from the recorded ones."""

    policy: str
    mean_wait: float


@dataclass(frozen=True)
class Baseline:
    """The policy that is assumed today, and the others that were tried."""

    chosen: Explained
    others: tuple[Explained, ...]
    given: bool  # by the user
    recorded_wait: float | None  # mean, of jobs with a recorded start
    sentence: str

    @property
    def policy(self) -> str:
        return self.chosen.policy


def find_baseline(
    sample: Sample, recorded: Floats, servers: int, given: str | Policy | None = None
) -> Baseline:
    """The policy given, or the usual one unless another explains the recorded waits much better.

    Too many or too few servers can be made up for by a policy that makes jobs wait longer or
    shorter, but not the weeks in which they wait: another policy must explain at least those, and
    no worse than the usual one.
    """
    names = TRIED if given is None else (parse_policy(given).spec,)
    found = [explain(sample, recorded, servers, name) for name in names]
    known = np.isfinite(recorded)
    mean = float(recorded[known].mean()) if known.any() else None
    chosen = found[0]
    if given is None and mean:
        best = min(found, key=lambda one: one.error)
        if best.error < CLEARLY * chosen.error and _explains_weeks(best, chosen):
            chosen = best
    others = tuple(one for one in found if one is not chosen)
    sentence = _sentence(chosen, others, given is not None)
    return Baseline(chosen, others, given is not None, mean, sentence)


def _explains_weeks(one: Explained, usual: Explained) -> bool:
    return one.grade != "poorly" and not one.correlation < usual.correlation


def explain(sample: Sample, recorded: Floats, servers: int, policy: str) -> Explained:
    """Replay a policy, and compare its waits with those recorded."""
    wait = run_jobs(sample, Candidate(parse_policy(policy)), servers).wait
    found = match(sample.drawn().arrival, wait, recorded)
    return Explained(found.error, found.correlation, policy, float(wait.mean()))


def _sentence(chosen: Explained, others: tuple[Explained, ...], given: bool) -> str:
    who = f"{chosen.policy} is taken for today's policy" + (" as you said" if given else "")
    if chosen.grade == "not known":
        return f"{who}; the log has no waits to check it against."
    if chosen.grade == "poorly" and not given:
        return _nothing_explains(chosen, others)
    text = f"{who}; it explains the recorded waits {chosen.grade} ({_off(chosen)})"
    if chosen.grade == "poorly":
        text += ". Something else than the queue decides much of the waiting there"
    return f"{text}."


def _nothing_explains(usual: Explained, others: tuple[Explained, ...]) -> str:
    tried = ", ".join(f"{one.policy} is {_off(one)}" for one in others)
    return (
        f"{usual.policy} explains the recorded waits poorly ({_off(usual)}), and no other policy "
        f"that was tried is much closer, in the same weeks: {tried}. {usual.policy} is taken for "
        "today's policy all the same, because most sites run it; name yours with --baseline, and "
        "check that the number of servers is right."
    )


def _off(one: Explained) -> str:
    text = f"off by {one.error:.0%} week by week"
    if not np.isnan(one.correlation):
        text += f", rank correlation {one.correlation:.2f}"
    return text
