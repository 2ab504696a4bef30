"""The generic builder: explore the states of some rules, and write down the rates between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerowait.analysis.chain.rules import Rules, State

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chain:
    """A finite continuous-time Markov chain and what its states count. States are rows."""

    rates: "csr_array"  # states x states, off the diagonal
    sizes: NDArray[np.int64]  # jobs in the system
    present: Floats  # states x classes
    on_helpers: Floats  # states x classes
    busy: Floats  # servers
    waits: Floats  # states x classes: does an arrival of the class not start at once?
    routed: Floats  # states x classes
    max_jobs: int  # arrivals that find so many are lost

    @property
    def n_states(self) -> int:
        return len(self.sizes)


class TooManyStatesError(Exception):
    """The exploration went beyond the states it was allowed."""


def build_chain(
    rules: Rules, arrival_rates: Sequence[float], max_jobs: int, max_states: int = 10**6
) -> Chain:
    """All states that can be reached from the empty one with at most `max_jobs` jobs."""
    from scipy.sparse import coo_array

    index: dict[State, int] = {rules.empty(): 0}
    states: list[State] = [rules.empty()]
    rows: list[int] = []
    columns: list[int] = []
    rates: list[float] = []
    waits: list[list[float]] = []
    routed: list[list[float]] = []

    def go(origin: int, rate: float, target: State) -> None:
        at = index.setdefault(target, len(states))
        if at == len(states):
            states.append(target)
            if at >= max_states:
                raise TooManyStatesError
        rows.append(origin)
        columns.append(at)
        rates.append(rate)

    n_classes = len(arrival_rates)
    for origin, state in enumerate(states):  # grows while it is walked
        waits.append([0.0] * n_classes)
        routed.append([0.0] * n_classes)
        full = rules.size(state) >= max_jobs
        for job_class, arrival_rate in enumerate(arrival_rates):
            if full:
                break
            for entry in rules.arrive(state, job_class):
                go(origin, arrival_rate * entry.probability, entry.state)
                waits[origin][job_class] += entry.probability * (not entry.starts)
                routed[origin][job_class] += entry.probability * entry.routed
        for rate, target in rules.complete(state):
            go(origin, rate, target)

    counts = [rules.count(state) for state in states]
    n = len(states)
    matrix = coo_array((rates, (rows, columns)), shape=(n, n)).tocsr()  # adds up parallel moves
    return Chain(
        rates=matrix,
        sizes=np.array([rules.size(state) for state in states]),
        present=np.array([c.present for c in counts], dtype=np.float64),
        on_helpers=np.array([c.on_helpers for c in counts], dtype=np.float64),
        busy=np.array([c.busy for c in counts], dtype=np.float64),
        waits=np.array(waits),
        routed=np.array(routed),
        max_jobs=max_jobs,
    )
