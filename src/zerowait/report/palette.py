"""How each policy looks in every chart and figure: a hue, a marker and a dash of its own.

Policies state their looks: those that are compared most have a hue of their own, relatives share
one.

The first eight hues are those of Okabe and Ito (2008), told apart by colour-blind readers, without
their yellow, which is too pale for lines, and with an indigo. Markers and dashes say the same
twice: policies of one hue differ in both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

from zerowait.model.quantities import refuse

# On a light page and on a dark one.
HUES = {
    "blue": ("#0072B2", "#3D9BE0"),
    "vermillion": ("#D55E00", "#F4743B"),
    "orange": ("#E69F00", "#F5BD3C"),
    "green": ("#009E73", "#1FBF91"),
    "sky": ("#56B4E9", "#A3DBFF"),
    "pink": ("#CC79A7", "#F0A5CF"),
    "indigo": ("#44318D", "#8470F2"),
    "grey": ("#6F6F6F", "#9A9A9A"),
    "brown": ("#6B3A12", "#A8713C"),
    "olive": ("#8A8B00", "#B0B52C"),
    "wine": ("#9B1D5A", "#E0508F"),
    "violet": ("#A14BD1", "#D48CFF"),
}
CLASS_HUES = tuple(hue for hue in HUES if hue != "grey")  # of classes where no policy is drawn
# Classes beside policies, from the smallest need to the largest: no policy has these colours.
RAMP = ("#12304F", "#23557F", "#327A97", "#4B9DA6", "#77BFAF", "#ABDABB", "#DAF0CD")
# By what matplotlib calls them.
MARKERS = {
    "circle": "o", "square": "s", "diamond": "D", "triangle": "^", "down": "v", "plus": "P",
}  # fmt: skip
DASHES = ("solid", "dashed", "dotted", "dashdot")


@dataclass(frozen=True)
class Look:
    """The look of one policy, in words; `colour`, `matplotlib_marker` and `dash` draw it."""

    hue: str
    marker: str = "circle"
    dash: str = "solid"  # as matplotlib and CSS call it

    def __post_init__(self) -> None:
        for name, known in (("hue", HUES), ("marker", MARKERS), ("dash", DASHES)):
            if getattr(self, name) not in known:
                raise refuse(name, getattr(self, name), f"must be one of {', '.join(known)}")

    @property
    def colour(self) -> str:
        return HUES[self.hue][0]

    @property
    def matplotlib_marker(self) -> str:
        return MARKERS[self.marker]


def known_looks() -> dict[str, Look]:
    """Return the looks that policies state, by `name` or `name:auxiliary`."""
    from zerowait.policies import POLICIES

    found = {}
    for kind in POLICIES.values():
        if kind.look:
            found[kind.name] = Look(*kind.look)
        for auxiliary, look in kind.looks_with.items():
            found[f"{kind.name}:{auxiliary}"] = Look(*look)
    return found


def look_of(policy: str) -> Look:
    """Return the look of a policy as it is spelled; what states none gets one by its spelling."""
    known = known_looks()
    if policy in known:
        return known[policy]
    names = policy.split(",")[0]
    outer = names.split(":")[0]
    # Relatives share hues: a policy with other options, a split with another auxiliary.
    related = [known[names]] if names in known else [
        look for name, look in known.items() if name.startswith(f"{outer}:")
    ]  # fmt: skip
    hues = tuple(dict.fromkeys(look.hue for look in related)) or tuple(HUES)
    return _unused(hues, known.values(), crc32(policy.encode()))


def looks_of(policies: Iterable[str]) -> dict[str, Look]:
    """Choose looks for one chart: where two would share a hue, the later takes an unused one."""
    own = {policy: look_of(policy) for policy in policies}
    free = [hue for hue in HUES if hue not in {look.hue for look in own.values()}]
    found: dict[str, Look] = {}
    for policy, look in own.items():
        if free and look.hue in {one.hue for one in found.values()}:
            look = replace(look, hue=free.pop(0))
        elif look in found.values():
            look = _unused(tuple(HUES), found.values(), crc32(policy.encode()))
        found[policy] = look
    return found


def _unused(hues: tuple[str, ...], used: Iterable[Look], number: int) -> Look:
    """Choose a look that nobody has; the same number gives the same one."""
    taken = set(used)
    every = [Look(*parts) for parts in product(hues, MARKERS, DASHES)]
    free = [look for look in every if look not in taken] or every
    return free[number % len(free)]


def short_name(policy: str) -> str:
    """Shorten the name of a split; that of its auxiliary stays, for `bs:ff` would puzzle."""
    from zerowait.policies import POLICIES

    names, comma, options = policy.partition(",")
    name, colon, auxiliary = names.partition(":")
    kind = POLICIES.get(name)
    splits = kind is not None and kind.auxiliary is not None
    return (kind.alias if kind and splits else name) + colon + auxiliary + comma + options
