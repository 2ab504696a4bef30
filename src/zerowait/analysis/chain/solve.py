"""The stationary distribution of a finite chain.

Small chains, and long thin ones (few states per level, a level being the jobs in the system): a
sparse LU factorisation. Others: Gauss-Seidel sweeps up and down the levels, with the mass of each
set right after every sweep from the birth-death chain of the levels (aggregation-disaggregation,
Koury, McAllister and Stewart 1984). States that hold the order of a queue are linked like words
of a de Bruijn graph, on which LU fills in: 33,000 states took it 15 to 22 s and 32 to 42 million
entries, the sweeps 0.3 s. Very different service rates can keep the sweeps from settling; then LU
has to do it all the same (docs/decisions/0104).
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

DIRECT = 10_000  # states
DIRECT_WORK = 2e10  # states x (widest level)^2: what banded elimination costs at most
ROUGH_SWEEPS = 100
TOLERANCE = 2e-15  # of the net flow, relative to all flow
MAX_SWEEPS = 3000  # tens to hundreds, where they settle
STALLED = 200  # sweeps without progress: rounding is all that is left


def stationary(rates: "csr_array", levels: NDArray[np.int64] | None = None) -> Floats:
    """pi with pi Q = 0 and sum one. `levels`: transitions lead to the next level at most."""
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
    """One state's probability set to one, the others solved for.

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


def _sweep(balance: "csr_array", rates: "csr_array", levels: NDArray[np.int64]) -> Floats | None:
    """None where the sweeps do not settle."""
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


def _level_rates(moves: "csr_array", level: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Per state: the total rate to higher and to lower levels."""
    origin, target = moves.coords
    n = len(level)
    higher, lower = level[target] > level[origin], level[target] < level[origin]
    return (
        np.bincount(origin[higher], moves.data[higher], n).astype(np.float64),
        np.bincount(origin[lower], moves.data[lower], n).astype(np.float64),
    )


def _rescaled(x: Floats, level: NDArray[np.int64], rise: Floats, fall: Floats) -> Floats:
    """The same shape within each level, the masses of the levels in balance."""
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
