"""Erlang's B and C for any real number of servers, in log space.

Everything comes from one integral (Fortet's, with u = offered (e^x - 1) for its variable),

    1 / B = offered * integral over x >= 0 of exp((servers + 1) x - offered (e^x - 1)) dx,

whose integrand is entire and log-concave in x. Taken relative to its peak and cut where it has
fallen by e^-40, two Gauss-Legendre panels that meet at the peak give it to 1e-12, from no
server to 10^9, in light and in heavy overload, and deep in the tail alike. The same nodes give
the idle servers as a mean over the integrand, free of cancellation.
"""

from functools import cache
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from zerowait.model.quantities import Floats, refuse

N_NODES = 48  # per panel; 40 reach the same accuracy
DROP = 40.0  # e^-40 is beyond the digits of a float
CHUNK = 4096  # entries at a time: bounds the memory of long arrays


class _Integral(NamedTuple):
    log_blocking: Floats
    mean_fall: Floats  # mean of 1 - e^-x over the integrand


@overload
def erlang_b(servers: float, offered: float) -> float: ...
@overload
def erlang_b(servers: ArrayLike, offered: ArrayLike) -> Floats | float: ...
def erlang_b(servers: ArrayLike, offered: ArrayLike) -> Floats | float:
    """Return E_s(a), the blocking probability of M/GI/s/s offered a (paper, eq. 4).

    Smaller than the smallest float in the deep tail; `log_erlang_b` has it there.
    """
    return _shaped(np.exp(log_erlang_b(servers, offered)))


def log_erlang_b(servers: ArrayLike, offered: ArrayLike) -> Floats | float:
    """Return log E_s(a); minus infinity where nothing is offered to some server."""
    s, a = _checked(servers, offered)
    return _shaped(_integrate(s, a).log_blocking)


@overload
def erlang_c(servers: float, offered: float) -> float: ...
@overload
def erlang_c(servers: ArrayLike, offered: ArrayLike) -> Floats | float: ...
def erlang_c(servers: ArrayLike, offered: ArrayLike) -> Floats | float:
    """Return the probability of waiting in M/M/s offered a; 1 from a = s on, where all wait."""
    return _shaped(np.exp(log_erlang_c(servers, offered)))


def log_erlang_c(servers: ArrayLike, offered: ArrayLike) -> Floats | float:
    """Return log C, with C = s B / (s - a (1 - B))."""
    s, a = _checked(servers, offered)
    log_b = _integrate(s, a).log_blocking
    with np.errstate(divide="ignore", invalid="ignore"):
        # s - a and a B are both positive below saturation: nothing cancels.
        log_c = np.log(s) + log_b - np.log(np.maximum(s - a, 0) + a * np.exp(log_b))
    # C <= 1; rounding must not say otherwise. Without load or servers the formula is 0 / 0.
    return _shaped(np.where(a >= s, 0.0, np.where(a == 0, -np.inf, np.minimum(log_c, 0.0))))


def idle(servers: ArrayLike, offered: ArrayLike) -> Floats | float:
    """Return the mean number of idle servers of M/GI/s/s, exact also in deep overload."""
    s, a = _checked(servers, offered)
    return _shaped(np.where(a > 0, s * _integrate(s, a).mean_fall, s))


def _integrate(servers: Floats, offered: Floats) -> _Integral:
    """Integrate for broadcast arrays, in chunks; entries without load are filled in by hand."""
    s, a = np.broadcast_arrays(servers, offered)
    shape = s.shape
    s, a = s.reshape(-1), a.reshape(-1)
    result = _Integral(np.empty(s.shape), np.empty(s.shape))
    for start in range(0, len(s), CHUNK):
        part = slice(start, start + CHUNK)
        loaded = np.where(a[part] > 0, a[part], 1.0)
        for whole, piece in zip(result, _quadrature(s[part], loaded), strict=True):
            whole[part] = piece
    log_blocking = np.where(a > 0, np.minimum(result.log_blocking, 0.0), -np.inf)
    log_blocking[s == 0] = 0.0
    return _Integral(log_blocking.reshape(shape), result.mean_fall.reshape(shape))


def _quadrature(servers: Floats, offered: Floats) -> _Integral:
    """Integrate by y = x - peak: log integrand - its maximum = -(slope y + curve (e^y-1-y))."""
    power = servers + 1
    peak = np.log1p(np.maximum(power - offered, 0) / offered)
    curve = np.maximum(power, offered)
    slope = curve - power  # above zero where the integrand falls from x = 0 on
    left, right = _widths(slope, curve)
    left = np.minimum(left, peak)  # x >= 0

    nodes, weights = _gauss_legendre()
    total = mean_fall = np.zeros_like(power)
    for width, side in ((left, -1.0), (right, 1.0)):
        y = side * width[:, None] * nodes
        density = np.exp(-(slope[:, None] * y + curve[:, None] * _exp_beyond_line(y)))
        density *= weights * width[:, None]
        x = peak[:, None] + y
        total = total + density.sum(axis=1)
        mean_fall = mean_fall - (density * np.expm1(-x)).sum(axis=1)
    log_inverse = np.log(offered) + _log_peak(power, offered) + np.log(total)
    return _Integral(-log_inverse, mean_fall / total)


def _widths(slope: Floats, curve: Floats) -> tuple[Floats, Floats]:
    """Return how far from the peak the integrand falls by e^-DROP.

    Newton's method from beyond on a convex function never overshoots, so that a few steps give
    a width that is safe, if not sharp.
    """
    right = np.sqrt(2 * DROP / curve)  # e^y - 1 - y >= y^2 / 2
    left = np.where(curve > 3 * DROP, np.sqrt(3 * DROP / curve), 1 + DROP / curve)
    for _ in range(6):
        fall = slope * right + curve * _exp_beyond_line(right)
        right = right - (fall - DROP) / (slope + curve * np.expm1(right))
        left = left + (curve * _exp_beyond_line(-left) - DROP) / (curve * np.expm1(-left))
    return left, right


def _log_peak(power: Floats, offered: Floats) -> Floats:
    """Return power log(power / offered) - (power - offered) above the load, else 0."""
    ratio = np.minimum((offered - power) / power, 0.0)
    near = np.maximum(ratio, -0.5)
    far = power * np.log(power / offered) + (offered - power)
    return np.where(ratio < -0.5, far, -power * _log_beyond_line(near))


def _exp_beyond_line(y: Floats) -> Floats:
    """Return e^y - 1 - y, to the last digits also where it is tiny."""
    small = np.abs(y) < 0.05
    t = np.where(small, y, 0.0)
    series = np.ones_like(t)
    for n in range(9, 2, -1):
        series = 1 + t / n * series
    large = np.where(small, 1.0, y)
    return np.where(small, t * t / 2 * series, np.expm1(large) - large)


def _log_beyond_line(z: Floats) -> Floats:
    """Return log(1 + z) - z, to the last digits also where it is tiny."""
    small = np.abs(z) < 0.02
    t = np.where(small, z, 0.0)
    series = np.zeros_like(t)
    for n in range(12, 1, -1):
        series = series * t - (-1) ** n / n
    return np.where(small, series * t * t, np.log1p(z) - z)


@cache
def _gauss_legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(N_NODES)
    return (nodes + 1) / 2, weights / 2


def _checked(servers: ArrayLike, offered: ArrayLike) -> tuple[Floats, Floats]:
    s, a = _numbers("servers", servers), _numbers("offered", offered)
    try:
        np.broadcast_shapes(s.shape, a.shape)
    except ValueError:
        raise refuse(
            "offered", offered, f"has shape {a.shape}, servers {s.shape}; give equal shapes"
        ) from None
    return s, a


def _numbers(field: str, values: ArrayLike) -> Floats:
    remedy = "must be finite, zero or more"
    try:
        array = np.asarray(values)
    except ValueError:
        raise refuse(field, values, remedy) from None
    if array.dtype.kind not in "iuf":
        raise refuse(field, values, remedy)
    bad = ~(np.isfinite(array) & (array >= 0))
    if bad.any():
        raise refuse(field, array[bad].flat[0] if array.ndim else values, remedy)
    return array.astype(np.float64)


def _shaped(values: Floats | float) -> Floats | float:
    return values if isinstance(values, np.ndarray) and values.ndim else float(values)
