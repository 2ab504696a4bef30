"""Many-server scalings: a base workload as a function of the number of servers (paper, sec. 5)."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from zerowait.model.quantities import positive, rational, refuse, whole
from zerowait.model.workload import Workload


def need_scale(servers: int, unit: int = 32, exponent: Fraction | float = Fraction(2, 3)) -> int:
    """Return f_k = floor((servers / unit)**exponent), at least 1; by default the paper's Figure 1.

    In integers, f**q unit**p <= servers**p for the exponent p / q: floats give 3 for k = 256.
    """
    servers = whole("servers", servers)
    unit = whole("unit", unit)
    power = rational("exponent", exponent)
    if not 0 <= power <= 1:
        raise refuse("exponent", exponent, "must lie in [0, 1]; needs cannot outgrow the servers")
    p, q = power.numerator, power.denominator

    def within(f: int) -> bool:
        return bool(f**q * unit**p <= servers**p)

    estimate: float = (servers / unit) ** float(power)
    scale = max(1, math.floor(estimate))
    while within(scale + 1):
        scale += 1
    while scale > 1 and not within(scale):
        scale -= 1
    return scale


def critical_load(servers: int, need_scale: int, slack: float) -> float:
    """Return rho with (1 - rho) sqrt(servers / need_scale) = slack (Halfin-Whitt)."""
    servers = whole("servers", servers)
    scale = whole("need_scale", need_scale)
    slack = positive("slack", slack)
    load = 1 - slack / math.sqrt(servers / scale)
    if load <= 0:
        raise refuse(
            "slack", slack, f"leaves no load on {servers} servers at need scale {scale}; lower it"
        )
    return load


NeedScale = int | Callable[[int], int]


def subcritical(
    base: Workload, servers: int, load: float, need_scale: NeedScale = need_scale
) -> Workload:
    """Return the base workload with needs times f_k, at a load that does not depend on k."""
    return _scaled(base, servers, need_scale).with_load(servers, load)


def critical(
    base: Workload, servers: int, slack: float, need_scale: NeedScale = need_scale
) -> Workload:
    """Return the base workload with needs times f_k, at the critical load of `slack`."""
    load = critical_load(servers, _scale_at(servers, need_scale), slack)
    return _scaled(base, servers, need_scale).with_load(servers, load)


def _scale_at(servers: int, scale: NeedScale) -> int:
    return whole("need_scale", scale(whole("servers", servers)) if callable(scale) else scale)


def _scaled(base: Workload, servers: int, scale: NeedScale) -> Workload:
    if not isinstance(base, Workload):
        raise refuse("base", base, "must be a Workload, with needs as they are at need scale 1")
    factor = _scale_at(servers, scale)
    scaled = replace(base, classes=tuple(replace(c, need=c.need * factor) for c in base.classes))
    scaled.check_fits(servers)
    return scaled
