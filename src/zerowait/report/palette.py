"""How each policy looks in every chart and figure: a hue, a marker and a dash of its own.

The first eight hues are those of Okabe and Ito (2008), told apart by colour-blind readers, without
their yellow, which is too pale for lines, and with an indigo. Markers and dashes say the same
twice: policies of one hue differ in both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

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

    @property
    def colour(self) -> str:
        return HUES[self.hue][0]

    @property
    def matplotlib_marker(self) -> str:
        return MARKERS[self.marker]


# Policies that are compared most have hues of their own; relatives share one.
LOOKS = {
    "fcfs": Look("vermillion"),
    "first-fit": Look("orange", "square"),
    "easy": Look("brown", "diamond", "dashed"),
    "conservative": Look("brown", "triangle", "dotted"),
    "smallest-area-first": Look("vermillion", "down", "dashed"),
    "most-servers-first": Look("pink", "down"),
    "least-servers-first": Look("olive", "triangle", "dashed"),
    "first-fit-srpt": Look("wine", "triangle", "dotted"),
    "greedy-srpt": Look("grey", "plus", "dotted"),
    "maxweight": Look("grey", "diamond", "dashdot"),
    "maxweight-myopic": Look("grey", "down"),
    "server-filling": Look("green"),
    "server-filling-srpt": Look("violet", "square", "dashed"),
    "server-filling-gittins": Look("green", "diamond", "dotted"),
    "divisor-filling": Look("green", "triangle", "dashdot"),
    "divisor-filling-srpt": Look("violet", "down", "dotted"),
    "divisor-filling-gittins": Look("green", "plus", "dashed"),
    "balanced-splitting:fcfs": Look("blue"),
    "balanced-splitting:first-fit": Look("sky", "square"),
    "balanced-splitting:easy": Look("sky", "diamond", "dashed"),
    "modified-balanced-splitting:fcfs": Look("indigo", "plus", "dashdot"),
    "modified-balanced-splitting:first-fit": Look("indigo", "square", "dashed"),
}
SPLITS = {"balanced-splitting": ("blue", "sky"), "modified-balanced-splitting": ("indigo",)}


def look_of(policy: str) -> Look:
    """The look of a policy as it is spelled; options and unknown policies get one by their name."""
    if policy in LOOKS:
        return LOOKS[policy]
    names = policy.split(",")[0]
    hues = SPLITS.get(names.split(":")[0], tuple(HUES))
    if names in LOOKS:
        hues = (LOOKS[names].hue,)
    return _unused(hues, LOOKS.values(), crc32(policy.encode()))


def looks_of(policies: Iterable[str]) -> dict[str, Look]:
    """Looks for one chart: of two that would share a hue, the later takes one that nobody has."""
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
    """One that nobody has; the same number gives the same."""
    taken = set(used)
    every = [Look(*parts) for parts in product(hues, MARKERS, DASHES)]
    free = [look for look in every if look not in taken] or every
    return free[number % len(free)]


def short_name(policy: str) -> str:
    """The policy with aliases for names: `bs:ff` would puzzle, so only the first is shortened."""
    from zerowait.policies import POLICIES

    names, comma, options = policy.partition(",")
    name, colon, auxiliary = names.partition(":")
    kind = POLICIES.get(name)
    splits = kind is not None and hasattr(kind, "split_of")
    return (kind.alias if kind and splits else name) + colon + auxiliary + comma + options
