"""The states of some rules, the rates between them, and chains cut out of these."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerowait.analysis.chain.rules import Counts, Rules, State

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


class Exploration:
    """The states of some rules, looked at once each, however many chains are cut out of them."""

    def __init__(
        self, rules: Rules, arrival_rates: Sequence[float], max_states: int = 10**6
    ) -> None:
        self.rules, self.arrival_rates, self.max_states = rules, arrival_rates, max_states
        self.states: list[State] = []
        self._index: dict[State, int] = {}
        self._sizes: list[int] = []
        self._counts: list[Counts] = []
        self._waits: list[list[float]] = []
        self._routed: list[list[float]] = []
        self._origins: list[int] = []  # of moves, as their targets and rates
        self._targets: list[int] = []
        self._rates: list[float] = []
        self._max_jobs = -1  # of the longest chain so far
        self._n_completed = 0  # states whose completions are known
        self._border: list[int] = []  # states whose arrivals are not
        self._place(rules.empty())

    def chain(self, max_jobs: int) -> Chain:
        """All states that can be reached from the empty one with at most `max_jobs` jobs."""
        if max_jobs > self._max_jobs:  # one that was given up says nothing of shorter chains
            self._explore(max_jobs)
            self._max_jobs = max_jobs
        return self._cut(max_jobs)

    def _explore(self, max_jobs: int) -> None:
        known, self._border = self._border, []
        for origin in known:
            self._arrivals(origin, max_jobs)
        while self._n_completed < len(self.states):
            origin, self._n_completed = self._n_completed, self._n_completed + 1
            self._arrivals(origin, max_jobs)
            for rate, target in self.rules.complete(self.states[origin]):
                self._go(origin, rate, target)

    def _arrivals(self, origin: int, max_jobs: int) -> None:
        if self._sizes[origin] >= max_jobs:
            self._border.append(origin)
            return
        for job_class, arrival_rate in enumerate(self.arrival_rates):
            for entry in self.rules.arrive(self.states[origin], job_class):
                self._go(origin, arrival_rate * entry.probability, entry.state)
                self._waits[origin][job_class] += entry.probability * (not entry.starts)
                self._routed[origin][job_class] += entry.probability * entry.routed

    def _go(self, origin: int, rate: float, target: State) -> None:
        self._targets.append(self._place(target))
        self._origins.append(origin)
        self._rates.append(rate)

    def _place(self, state: State) -> int:
        at = self._index.setdefault(state, len(self.states))
        if at == len(self.states):
            n_classes = len(self.arrival_rates)
            self.states.append(state)
            self._sizes.append(self.rules.size(state))
            self._counts.append(self.rules.count(state))
            self._waits.append([0.0] * n_classes)
            self._routed.append([0.0] * n_classes)
            if at >= self.max_states:
                raise TooManyStatesError
        return at

    def _cut(self, max_jobs: int) -> Chain:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import breadth_first_order

        origins, targets = np.array(self._origins), np.array(self._targets)
        rates = np.array(self._rates)
        sizes = np.array(self._sizes)
        inside = (sizes[origins] <= max_jobs) & (sizes[targets] <= max_jobs)
        n = len(sizes)
        matrix = coo_array(  # adds up parallel moves
            (rates[inside], (origins[inside], targets[inside])), shape=(n, n)
        ).tocsr()
        # Some states of few jobs are come by from more than these alone.
        reached = np.sort(breadth_first_order(matrix, 0, return_predecessors=False))
        counts = [self._counts[state] for state in reached]
        enters = (sizes[reached] < max_jobs)[:, np.newaxis]
        return Chain(
            rates=matrix[reached][:, reached],
            sizes=sizes[reached],
            present=np.array([c.present for c in counts], dtype=np.float64),
            on_helpers=np.array([c.on_helpers for c in counts], dtype=np.float64),
            busy=np.array([c.busy for c in counts], dtype=np.float64),
            waits=np.array(self._waits)[reached] * enters,
            routed=np.array(self._routed)[reached] * enters,
            max_jobs=max_jobs,
        )


MARGIN = 10.0  # times the last change: what is claimed as the error
ROUNDING = 1e-14


def extrapolate(values: Sequence[float]) -> tuple[float, float]:
    """The limit of a sequence, and an estimate of its error.

    Two columns may agree by chance on what neither has reached; that the limits of shorter
    sequences agree with them as well, is no chance.
    """
    found = [_limit_of(values[:n]) for n in range(max(len(values) - 2, 1), len(values) + 1)]
    limit, change, settled = found[-1]
    if not settled:
        change = max([change, *(abs(b[0] - a[0]) for a, b in pairwise(found))])
    return limit, MARGIN * change + (ROUNDING if change else 0.0)


def _limit_of(values: Sequence[float]) -> tuple[float, float, bool]:
    """The limit, the last change on the way to it, and whether the sequence has settled itself.

    Of the algorithm's columns the one that changed least from the one before is taken.
    """
    before, column = [0.0] * (len(values) + 1), [float(value) for value in values]
    limits = [column[-1]]
    while len(column) > 1:
        steps = [b - a for a, b in pairwise(column)]
        if len(limits) == 1 and min(map(abs, steps)) <= ROUNDING * max(1.0, abs(column[-1])):
            return values[-1], abs(steps[-1]), True
        if 0.0 in steps:
            break
        following = [before[i + 1] + 1 / step for i, step in enumerate(steps)]
        before, column = column, following
        if (len(values) - len(column)) % 2 == 0:
            limits.append(column[-1])
    changes = [abs(b - a) for a, b in pairwise(limits)]
    if not changes:
        return values[-1], abs(values[-1] - values[0]), False
    best = changes.index(min(changes))
    return limits[best + 1], changes[best], False
