"""The register of all known policies."""

from zerowait.engine.policy import Policy

__all__ = ["POLICIES", "Policy", "register"]

POLICIES: dict[str, type[Policy]] = {}


def register(policy: type[Policy]) -> type[Policy]:
    """Class decorator: make `policy` known to the CLI, the docs and the contract tests.

    A decorator, not `__init_subclass__`: Dask rebuilds classes from notebooks piecemeal, and
    a hook that runs before `name` exists would break them.
    """
    for name in filter(None, (policy.name, policy.alias)):
        known = POLICIES.get(name)
        if known is not None and known.__qualname__ != policy.__qualname__:
            raise ValueError(f"policy name {name!r} is taken by {known.__qualname__}")
        POLICIES[name] = policy
    return policy
