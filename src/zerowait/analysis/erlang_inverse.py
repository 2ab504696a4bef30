"""Erlang's formulas solved for the servers, or for the load, that meet a target."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.erlang import (
    Floats,
    Slopes,
    log_erlang_b,
    log_erlang_b_slopes,
    log_erlang_c,
    log_erlang_c_slopes,
)
from zerowait.model.quantities import finite, positive, refuse

Formula = Callable[[ArrayLike, ArrayLike], "Floats | float"]
FormulaSlopes = Callable[[ArrayLike, ArrayLike], Slopes]

ITERATIONS = 100  # Newton needs some ten, halving alone about 60
TOLERANCE = 4e-16


def servers_for_blocking(offered: float, target: float, whole: bool = True) -> float:
    """The fewest servers with E_s(offered) <= target; real ones where `whole` is False."""
    return _servers_for(log_erlang_b, log_erlang_b_slopes, offered, target, 0.0, whole)


def servers_for_waiting(offered: float, target: float, whole: bool = True) -> float:
    """The fewest servers with which at most `target` of the jobs of M/M/s wait."""
    # C is one at s = offered, and decreasing beyond (Jagers and van Doorn 1986, for real s).
    return _servers_for(log_erlang_c, log_erlang_c_slopes, offered, target, offered, whole)


def offered_for_blocking(servers: float, target: float) -> float:
    """The largest load with E_s(offered) <= target."""
    return _offered_for(log_erlang_b, log_erlang_b_slopes, servers, target)


def offered_for_waiting(servers: float, target: float) -> float:
    """The largest load with which at most `target` of the jobs of M/M/s wait."""
    return _offered_for(log_erlang_c, log_erlang_c_slopes, servers, target)


def _offered_for(formula: Formula, slopes: FormulaSlopes, servers: float, target: float) -> float:
    servers, goal = positive("servers", servers), _log_target(target)
    # By the logarithm of the load, in which both formulas are all but straight at light load.
    low = high = float(np.log(servers))
    while formula(servers, np.exp(high)) < goal:
        high += 1
    step = 1.0
    while formula(servers, np.exp(low)) > goal:
        low -= step
        step *= 2

    def excess(log_offered: float) -> tuple[float, float]:
        offered = float(np.exp(log_offered))
        slope = float(slopes(servers, offered).by_offered)
        return float(formula(servers, offered)) - goal, offered * slope

    return float(np.exp(_root(excess, low, high)))


def _servers_for(
    formula: Formula,
    slopes: FormulaSlopes,
    offered: float,
    target: float,
    low: float,
    whole: bool,
) -> float:
    offered, goal = positive("offered", offered), _log_target(target)
    step = 1.0 + np.sqrt(offered)
    high = offered + step
    while formula(high, offered) > goal:
        step *= 2
        high += step

    def excess(servers: float) -> tuple[float, float]:
        slope = float(slopes(servers, offered).by_servers)
        return goal - float(formula(servers, offered)), -slope

    servers = _root(excess, low, high)
    if not whole:
        return servers
    # The root is right to the last digits or so; which whole number meets the target is not
    # left to them.
    count = np.ceil(servers)
    while count > low and formula(count - 1, offered) <= goal:
        count -= 1
    while formula(count, offered) > goal:
        count += 1
    return int(count)


def _root(function: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """The zero of an increasing function, given with its slope: Newton inside a bracket."""
    at = high
    for _ in range(ITERATIONS):
        value, slope = function(at)
        if value < 0:
            low = at
        else:
            high = at
        following = at - value / slope if slope > 0 else low
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - at) <= TOLERANCE * max(abs(high), 1.0) or value == 0:
            break
        at = following
    return at


def _log_target(target: float) -> float:
    number = finite("target", target, "must be a probability, above 0 and below 1")
    if not 0 < number < 1:
        raise refuse("target", target, "must be a probability, above 0 and below 1")
    return float(np.log(number))
