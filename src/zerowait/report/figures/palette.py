"""How each policy looks in every chart and figure: a hue, a marker and a dash of its own.

The hues are those of Okabe and Ito (2008), told apart by colour-blind readers, without their
yellow, which is too pale for lines, and with an indigo. Markers and dashes say the same twice.
"""

from dataclasses import dataclass
from zlib import crc32

# On a light page and on a dark one.
HUES = {
    "blue": ("#0072B2", "#3FA2E6"),
    "vermillion": ("#D55E00", "#F07A3C"),
    "orange": ("#E69F00", "#F0B429"),
    "green": ("#009E73", "#23BF93"),
    "sky": ("#56B4E9", "#9AD7FF"),
    "pink": ("#CC79A7", "#E295C0"),
    "indigo": ("#44318D", "#A193F2"),
    "grey": ("#6F6F6F", "#A8A8A8"),
}
# Classes beside policies, from the smallest need to the largest: no policy has these colours.
RAMP = ("#12304F", "#23557F", "#327A97", "#4B9DA6", "#77BFAF", "#ABDABB", "#DAF0CD")
MARKERS = ("circle", "square", "diamond", "triangle")
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
        return {"circle": "o", "square": "s", "diamond": "D", "triangle": "^"}[self.marker]


# Policies that are compared most have hues of their own; relatives share one.
LOOKS = {
    "fcfs": Look("vermillion"),
    "first-fit": Look("orange", "square"),
    "easy": Look("orange", "diamond", "dashed"),
    "conservative": Look("orange", "triangle", "dotted"),
    "smallest-area-first": Look("vermillion", "triangle", "dashed"),
    "most-servers-first": Look("pink", "square"),
    "least-servers-first": Look("pink", "circle", "dashed"),
    "maxweight": Look("grey", "diamond"),
    "maxweight-myopic": Look("grey", "square", "dashed"),
    "server-filling": Look("green"),
    "server-filling-srpt": Look("green", "square", "dashed"),
    "server-filling-gittins": Look("green", "diamond", "dotted"),
    "divisor-filling": Look("green", "triangle", "dashdot"),
    "divisor-filling-srpt": Look("green", "square", "dashdot"),
    "divisor-filling-gittins": Look("green", "diamond", "dashdot"),
    "first-fit-srpt": Look("pink", "triangle", "dotted"),
    "greedy-srpt": Look("grey", "circle", "dotted"),
    "balanced-splitting:fcfs": Look("blue"),
    "balanced-splitting:first-fit": Look("sky", "square"),
    "balanced-splitting:easy": Look("sky", "diamond", "dashed"),
    "modified-balanced-splitting:fcfs": Look("indigo"),
    "modified-balanced-splitting:first-fit": Look("indigo", "square", "dashed"),
}


def look_of(policy: str) -> Look:
    """The look of a policy as it is spelled; options and unknown policies get one by their name."""
    names = policy.split(",")[0]
    if policy in LOOKS:
        return LOOKS[policy]
    number = crc32(policy.encode())
    if names.startswith("balanced-splitting"):
        hue = ("blue", "sky")[number % 2]
    elif names.startswith("modified-balanced-splitting"):
        hue = "indigo"
    elif names in LOOKS:
        hue = LOOKS[names].hue
    else:
        hue = list(HUES)[number % len(HUES)]
    return Look(hue, MARKERS[number // 8 % 4], DASHES[number // 32 % 4])


def short_name(policy: str) -> str:
    """The policy with aliases for names: `bs:ff` would puzzle, so only the first is shortened."""
    from zerowait.policies import POLICIES

    names, comma, options = policy.partition(",")
    name, colon, auxiliary = names.partition(":")
    kind = POLICIES.get(name)
    splits = kind is not None and hasattr(kind, "split_of")
    return (kind.alias if kind and splits else name) + colon + auxiliary + comma + options
