"""Looks: every policy is told apart from every other, by colour-blind readers as well."""

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from zerowait.paper.settings import MORE, PAPER
from zerowait.policies import POLICIES
from zerowait.report.palette import (
    DASHES,
    HUES,
    MARKERS,
    Look,
    known_looks,
    look_of,
    looks_of,
    short_name,
)

# From linear RGB to what dichromats see: Machado, Oliveira and Fernandes (2009), severity 1.
VISIONS = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
}  # fmt: skip
APART, ALIKE = 0.1, 0.08  # distances in OKLab: well told apart, and mistaken for each other


def oklab(colour: str, vision: str = "normal") -> NDArray[np.float64]:
    """Ottosson (2020): equal distances look equally far."""
    given = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    seen = np.clip(VISIONS[vision] @ linear, 0, 1)
    cones = np.array(
        [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
         [0.0883024619, 0.2817188376, 0.6299787005]]
    )  # fmt: skip
    lab = np.array(
        [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
         [0.0259040371, 0.7827717662, -0.8086757660]]
    )  # fmt: skip
    found: NDArray[np.float64] = lab @ np.cbrt(cones @ seen)
    return found


def distance(a: str, b: str, vision: str = "normal", dark: int = 0) -> float:
    return float(np.linalg.norm(oklab(HUES[a][dark], vision) - oklab(HUES[b][dark], vision)))


def mistaken(a: Look, b: Look) -> bool:
    """Are the hues alike to some reader, on a light or a dark page?"""
    return any(
        distance(a.hue, b.hue, vision, dark) < ALIKE for vision, dark in product(VISIONS, (0, 1))
    )


def known() -> list[str]:
    # Other tests make policies of their own known.
    kinds = {kind for kind in POLICIES.values() if kind.__module__.startswith("zerowait.")}
    splits = sorted({kind.name for kind in kinds if kind.auxiliary})
    plain = sorted({kind.name for kind in kinds} - set(splits))
    return [*plain, *(f"{split}:{name}" for split in splits for name in ("fcfs", "first-fit"))]


def test_hues_are_told_apart_on_light_and_dark_pages() -> None:
    for a, b in combinations(HUES, 2):
        assert distance(a, b, dark=0) > APART
        assert distance(a, b, dark=1) > APART


def test_every_policy_has_a_look_of_its_own() -> None:
    looks = [look_of(spec) for spec in known()]
    assert len(set(looks)) == len(looks)
    assert look_of("mine,a=1") == look_of("mine,a=1")
    assert look_of("mine,a=1") not in known_looks().values()
    assert look_of("fcfs").colour == "#D55E00"
    assert short_name("balanced-splitting:fcfs,slots=1/2") == "bs:fcfs,slots=1/2"


def test_policies_of_one_hue_differ_in_marker_and_dash() -> None:
    for one, other in combinations(known_looks().values(), 2):
        if one.hue == other.hue:
            assert one.marker != other.marker
            assert one.dash != other.dash
        elif mistaken(one, other):
            assert (one.marker, one.dash) != (other.marker, other.dash)


def test_the_papers_figures_have_a_hue_for_every_policy() -> None:
    for a, b in combinations(PAPER + MORE, 2):
        one, other = look_of(a), look_of(b)
        assert one.hue != other.hue
        if mistaken(one, other):
            assert one.marker != other.marker


def test_relatives_in_one_chart_have_different_hues() -> None:
    policies = ["easy", "conservative", "fcfs", "smallest-area-first", "fcfs,a=1", "fcfs,a=2"]
    looks = looks_of(policies)
    assert list(looks) == policies
    assert looks["easy"] == look_of("easy")
    assert len({look.hue for look in looks.values()}) == len(policies)
    many = [f"fcfs,a={i}" for i in range(100)]
    assert len(set(looks_of(many).values())) == len(many)
    assert set(MARKERS) >= {look.marker for look in looks.values()}
    assert set(DASHES) >= {look.dash for look in looks.values()}
