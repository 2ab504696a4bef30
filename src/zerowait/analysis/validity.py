"""For which policies that split the servers the bound on what helpers serve is a theorem.

Corollary 1 under bs: give the k-th job that starts on A_i the k-th of a list of service times, in
bs as in the loss system on A_i with the same arrivals. Then it starts no later in bs: as long as
all before it started no later, A_i of bs has no more jobs than the loss system has, so that where
an arrival finds a slot there it finds one here, and no job waits for it (rule 3). So A_i starts at
least as many jobs, and the helpers end at most the rest, Erlang's B of all.

One step needs a reason: jobs that start on A_i must have independent service times of the class's
law, whoever waits. They do if nobody looked at their sizes, neither rule 3 nor the helpers, and if
none has been in service before: unless service is exponential, what is left of a paused job has
another law, and may be longer.
"""

from typing import Literal, NamedTuple


class Claim(NamedTuple):
    """What a formula says of a measure: an upper bound, the value itself, or nothing."""

    relation: Literal["<=", "="] | None
    reason: str


def corollary_1(
    refill: str | None, *, preemptive: bool, size_aware: bool, exponential: bool = False
) -> Claim:
    """Erlang's B and `served_by_helpers`, for Poisson arrivals, any service law and any slots.

    `refill` is rule 3's choice, None for mbs, which has no rule 3; `preemptive` and `size_aware`
    are the auxiliary's; `exponential`: is all service?
    """
    if refill is None:
        return Claim("=", "a job sent to the helpers stays there, whatever these do")
    if refill == "largest":
        return Claim(None, "own servers that take the largest job serve fewer of them")
    if size_aware:
        return Claim(None, "helpers that know sizes leave the larger jobs to the own servers")
    if preemptive and not exponential:
        return Claim(None, "what is left of a paused job may be longer than a new one")
    return Claim("<=", "own servers start at least as many jobs as a loss system does")
