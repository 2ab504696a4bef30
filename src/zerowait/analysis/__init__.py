"""What can be known without simulating: formulas, limits, small chains, overflow.

Names are found on first use: a simulation asks for the limit of stability only.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "ExactResult": "small_system",
    "HelperBounds": "bounds",
    "erlang_b": "erlang",
    "erlang_c": "erlang",
    "helper_bounds": "bounds",
    "solve_exactly": "small_system",
    "stable_rates": "stability",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
