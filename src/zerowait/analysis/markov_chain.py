"""Finite Markov chains: their states and rates, and their stationary distribution.

Small chains, and long thin ones (few states per level, a level being the jobs in the system), are
solved by a sparse LU factorisation. Others: Gauss-Seidel sweeps up and down the levels, with the
mass of each set right after every sweep from the birth-death chain of the levels (aggregation and
disaggregation, Koury, McAllister and Stewart 1984). States that hold the order of a queue are
linked like words of a de Bruijn graph, on which LU fills in: 33,000 states took it 15 to 22 s and
32 to 42 million entries, the sweeps 0.3 s. Very different service rates can keep the sweeps from
settling; then LU has to do it all the same (docs/decisions/0104).

What is lost falls all but geometrically with the length, as a sum of few such terms; the algorithm
removes one with each pair of further values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from zerowait.analysis.chain_rules import ChainRules, ChainState, Counts
from zerowait.model.quantities import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Chain:
    """A finite continuous-time Markov chain and what its states count. States are rows."""

    rates: "csr_array"  # states x states, off the diagonal
    sizes: Ints  # jobs in the system
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
        self, rules: ChainRules, arrival_rates: Sequence[float], max_states: int = 10**6
    ) -> None:
        self.rules, self.arrival_rates, self.max_states = rules, arrival_rates, max_states
        self.states: list[ChainState] = []
        self._index: dict[ChainState, int] = {}
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
        """Return the chain of the states that at most `max_jobs` jobs reach from the empty one."""
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

    def _go(self, origin: int, rate: float, target: ChainState) -> None:
        self._targets.append(self._place(target))
        self._origins.append(origin)
        self._rates.append(rate)

    def _place(self, state: ChainState) -> int:
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
    """Return the limit of a sequence, and an estimate of its error.

    Two columns may agree by chance on what neither has reached; that the limits of shorter
    sequences agree with them as well, is no chance.
    """
    found = [_limit_of(values[:n]) for n in range(max(len(values) - 2, 1), len(values) + 1)]
    limit, change, settled = found[-1]
    if not settled:
        change = max([change, *(abs(b[0] - a[0]) for a, b in pairwise(found))])
    return limit, MARGIN * change + (ROUNDING if change else 0.0)


def _limit_of(values: Sequence[float]) -> tuple[float, float, bool]:
    """Return the limit, the last change on the way to it, and whether it has settled itself.

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


DIRECT = 10_000  # states
DIRECT_WORK = 2e10  # states x (widest level)^2: what banded elimination costs at most
ROUGH_SWEEPS = 100
TOLERANCE = 2e-15  # of the net flow, relative to all flow
MAX_SWEEPS = 3000  # tens to hundreds, where they settle
STALLED = 200  # sweeps without progress: rounding is all that is left


def stationary(rates: "csr_array", levels: Ints | None = None) -> Floats:
    """Solve pi Q = 0 with sum one. `levels`: transitions lead to the next level at most."""
    from scipy.sparse import diags_array

    outflow = np.asarray(rates.sum(axis=1)).reshape(-1)
    balance = (diags_array(outflow) - rates.T).tocsc()  # balance @ pi = 0
    n = len(outflow)
    if n == 1:
        return np.ones(1)
    levels = np.zeros(n, np.int64) if levels is None else levels
    widest = int(np.bincount(levels).max())
    if n <= DIRECT or n * widest**2 <= DIRECT_WORK:
        return _direct(balance)
    settled = _sweep(balance, rates, levels)
    return _direct(balance) if settled is None else settled


def _direct(balance: "csr_array") -> Floats:
    """Set one state's probability to one, and solve for the others.

    The state must be a likely one: relative to one that is visited once in 10^20 years the others
    would be lost in rounding. Some rough sweeps tell.
    """
    from scipy.sparse import tril, triu
    from scipy.sparse.linalg import splu

    # Columns are diagonally dominant, so elimination needs no pivoting.
    lower = splu(tril(balance, 0).tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0)
    above = triu(balance, 1).tocsr()
    rough = np.ones(balance.shape[0])
    for _ in range(ROUGH_SWEEPS):
        rough = np.maximum(lower.solve(-(above @ rough)), 0.0)
        if not rough.any():  # already sorted so that one sweep is exact up to a constant
            break
        rough /= rough.sum()
    likely = int(np.argmax(rough))
    rest = np.delete(np.arange(balance.shape[0]), likely)
    flow = -balance[rest][:, [likely]].toarray().reshape(-1)
    factor = splu(
        balance[rest][:, rest].tocsc(), diag_pivot_thresh=0.0, options={"SymmetricMode": True},
        permc_spec="MMD_AT_PLUS_A",
    )  # fmt: skip
    distribution = np.ones(balance.shape[0])
    distribution[rest] = np.maximum(factor.solve(flow), 0.0)
    return np.asarray(distribution / distribution.sum())


def _sweep(balance: "csr_array", rates: "csr_array", levels: Ints) -> Floats | None:
    """Sweep up and down the levels; return None where that does not settle."""
    from scipy.sparse import tril, triu
    from scipy.sparse.linalg import splu

    order = np.argsort(levels, kind="stable")
    level = levels[order]
    matrix = balance[order][:, order].tocsr()
    # A triangular matrix in its natural order is its own factor: splu is a fast solver here.
    natural = {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.0}
    lower, upper = tril(matrix, 0).tocsc(), triu(matrix, 0).tocsc()
    up, down = splu(lower, **natural), splu(upper, **natural)
    above, below = triu(matrix, 1).tocsr(), tril(matrix, -1).tocsr()
    rise, fall = _level_rates(rates[order][:, order].tocoo(), level)
    weight = matrix.diagonal()

    x = np.full(len(level), 1 / len(level))
    best, since = np.inf, 0
    for _ in range(MAX_SWEEPS):
        following = down.solve(-(below @ np.maximum(up.solve(-(above @ x)), 0.0)))
        following = _rescaled(np.maximum(following, 0.0), level, rise, fall)
        # Undamped, the two steps can fall into a cycle of two.
        x = following if since == 0 else (x + following) / 2
        error = float(np.abs(matrix @ x).sum() / (x @ weight))
        if error < 0.9 * best:
            best, since = error, 0
        else:
            since += 1
        if error < TOLERANCE or (since > STALLED and error < 100 * TOLERANCE):
            distribution = np.empty_like(x)
            distribution[order] = x
            return distribution
    return None


def _level_rates(moves: "csr_array", level: Ints) -> tuple[Floats, Floats]:
    """Return, per state, the total rate to higher and to lower levels."""
    origin, target = moves.coords
    n = len(level)
    higher, lower = level[target] > level[origin], level[target] < level[origin]
    return (
        np.bincount(origin[higher], moves.data[higher], n).astype(np.float64),
        np.bincount(origin[lower], moves.data[lower], n).astype(np.float64),
    )


def _rescaled(x: Floats, level: Ints, rise: Floats, fall: Floats) -> Floats:
    """Return the same shape within each level, the masses of the levels in balance."""
    mass = np.bincount(level, x)
    ups, downs = np.bincount(level, x * rise)[:-1], np.bincount(level, x * fall)[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        # mass x (ups / mass) balances next mass x (downs / next mass)
        logs = np.cumsum(np.log(ups / mass[:-1]) - np.log(downs / mass[1:]))
        logs = np.concatenate([[0.0], logs])
        target = np.exp(logs - np.max(logs))
        factor = target / target.sum() / mass
    if not np.all(np.isfinite(factor)):  # a level without mass yet
        return np.asarray(x / x.sum())
    return np.asarray(x * factor[level])
