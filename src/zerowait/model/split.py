"""The balanced split of the servers among the classes (paper, eq. 2), in exact arithmetic."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter, mul
from typing import Any, cast

import numpy as np

from zerowait.model.display import Shown
from zerowait.model.quantities import (
    Floats,
    Ints,
    items,
    meant,
    non_negative,
    proportional_integers,
    refuse,
    stored_fraction,
    whole,
)
from zerowait.model.workload import Workload
from zerowait.model.workloads import as_workload

IN_SHORT = 8  # classes in a split's own line
Numbers = Sequence[int] | Sequence[float] | Sequence[Fraction] | Floats | Ints


@dataclass(frozen=True, repr=False)
class Split(Shown):
    """Slots per class, a slot being `need` servers of the class's own, and helpers for the rest."""

    psi: Fraction | None  # a supremum, in general not attained; None where the slots were given
    slots: tuple[int, ...]  # per class
    own_servers: tuple[int, ...]  # per class
    helpers: int
    needs: tuple[int, ...]  # per class

    def __repr__(self) -> str:
        own = ", ".join(map(str, self.own_servers[:IN_SHORT]))
        more = ", ..." if len(self.own_servers) > IN_SHORT else ""
        return f"<Split of {self.servers} servers: own servers {own}{more}; helpers {self.helpers}>"

    @property
    def servers(self) -> int:
        return sum(self.own_servers) + self.helpers

    @property
    def without_slots(self) -> tuple[int, ...]:
        """Return the indices of the classes that are served by the helpers alone."""
        return tuple(i for i, s in enumerate(self.slots) if s == 0)

    def as_dict(self) -> dict[str, Any]:
        """Return the split ready for JSON; psi as a float."""
        return asdict(self) | {"psi": None if self.psi is None else float(self.psi)}

    def overloaded(self, offered: Iterable[float]) -> tuple[int, ...]:
        """Return the indices of the classes whose slots are offered more work than they can do.

        `offered` is the work per class in slots, arrival_rate x share x mean_service.
        """
        work = [non_negative(f"offered[{i}]", o) for i, o in enumerate(offered)]
        if len(work) != len(self.slots):
            raise refuse("offered", work, f"must have {len(self.slots)} entries, one per class")
        return tuple(i for i, s in enumerate(self.slots) if 0 < s < work[i])


def balanced_split(workload: Workload | str, servers: int) -> Split:
    """Return the split of eq. 2 for the demands of a workload (`"figure1"`: a published one)."""
    workload = as_workload(workload, servers)
    workload.check_fits(servers)
    return split_demands(workload.needs, proportional_demands(workload), servers)


def why_no_split(needs: Sequence[int] | Ints, demands: Numbers, servers: int) -> str | None:
    """Say which jobs force all servers to be helpers, and what the split would be without them."""
    if any(split_demands(needs, demands, servers).slots):
        return None
    work = np.asarray(demands, dtype=np.float64)
    sizes = np.asarray(needs)
    told = "no real split: all servers are helpers, so that the auxiliary policy decides alone"
    without = [
        (most, split_demands(sizes[sizes <= most], work[sizes <= most].tolist(), servers))
        for most in np.unique(sizes)[-2::-1].tolist()
    ]
    own = [sum(split.own_servers) for _, split in without]
    best = next((i for i, n in enumerate(own) if 2 * n >= servers), None)
    best = next((i for i, n in enumerate(own) if n), None) if best is None else best
    if best is None:
        return f"{told}; no class can have servers of its own on {servers} servers"
    most = without[best][0]
    share = float(work[sizes > most].sum() / (work.sum() or 1.0))
    return (
        f"{told}; jobs that need more than {most} ({share:.2%} of the work) force it: without them "
        f"(--max-need {most}) classes would have {own[best]} of {servers} servers of their own"
    )


def proportional_demands(workload: Workload) -> list[int]:
    """Return integers in proportion to the classes' demands, read as they were meant."""
    return proportional_integers(
        [meant(c.share) * meant(c.mean_service) * c.need for c in workload.classes],
        [
            stored_fraction(c.share) * stored_fraction(c.mean_service) * c.need
            for c in workload.classes
        ],
    )


def split_demands(needs: Sequence[int] | Ints, demands: Numbers, servers: int) -> Split:
    """Return the split of eq. 2 for given demands, in any unit: only their proportions matter.

    A class without demand gets no slots, and has to be served by the helpers.
    """
    servers = whole("servers", servers)
    sizes = _needs(needs, servers)
    given = items("demands", demands)
    if len(given) != len(sizes):
        raise refuse("demands", given, f"must have {len(sizes)} entries, one per need")
    for i, d in enumerate(given):
        non_negative(f"demands[{i}]", d)
    numbers = cast(list[float | Fraction], given)
    exact, stored = list(map(meant, numbers)), list(map(stored_fraction, numbers))
    return _balance(sizes, proportional_integers(exact, stored), servers)


def split_from_slots(needs: Sequence[int] | Ints, slots: Sequence[int], servers: int) -> Split:
    """Return a split with the user's own slots; the servers left over are the helpers."""
    servers = whole("servers", servers)
    sizes = _needs(needs, servers)
    counts = tuple(whole(f"slots[{i}]", s, least=0) for i, s in enumerate(items("slots", slots)))
    if len(counts) != len(sizes):
        raise refuse("slots", counts, f"must have {len(sizes)} entries, one per class")
    split = _split(None, sizes, counts, servers)
    if split.helpers < 0:
        raise refuse(
            "slots", counts, f"take {servers - split.helpers} of {servers} servers; give fewer"
        )
    for i in split.without_slots:
        if sizes[i] > split.helpers:
            raise refuse(
                f"slots[{i}]",
                0,
                f"leaves jobs of need {sizes[i]} to {split.helpers} helpers, where none ever fits; "
                "give the class a slot, or the others fewer",
            )
    return split


def _needs(needs: Sequence[int] | Ints, servers: int) -> tuple[int, ...]:
    sizes = tuple(whole(f"needs[{i}]", n) for i, n in enumerate(items("needs", needs)))
    for i, n in enumerate(sizes):
        if n > servers:
            raise refuse(f"needs[{i}]", n, f"exceeds the {servers} servers; give more servers")
    return sizes


def _split(
    psi: Fraction | None, needs: tuple[int, ...], slots: tuple[int, ...], servers: int
) -> Split:
    own = tuple(map(mul, slots, needs))
    return Split(psi, slots, own, servers - sum(own), needs)


def _balance(needs: tuple[int, ...], parts: list[int], servers: int) -> Split:
    """Solve eq. 2 for integers `parts` in proportion to the demands.

    With c_i = servers parts_i / (n_i sum(parts)), class i has floor(x c_i) slots at x, and
    psi = sup{x <= 1: the helpers left at x are at least max n_i}. The slots only grow with x:
    bisection on x = step / 2**bits leaves about two breakpoints m / c_i per class to walk.
    """
    total = sum(parts) or 1
    supply = [servers * p for p in parts]  # c_i = supply_i / cost_i
    cost = [n * total for n in needs]
    most = servers - max(needs)  # own servers allowed

    def slots_at(step: int, bits: int) -> tuple[int, ...]:
        return tuple(step * s // (c << bits) for s, c in zip(supply, cost, strict=True))

    above = slots_at(1, 0)
    # A class without demand has c_i = 0, but needs helpers all the same.
    integral = all(p and s % c == 0 for p, s, c in zip(parts, supply, cost, strict=True))
    if integral or sum(map(mul, above, needs)) <= most:
        return _split(Fraction(1), needs, above, servers)

    below = slots_at(0, 0)
    step, bits = 0, 0  # below is at step / 2**bits and allowed, above one step on and is not
    while sum(above) - sum(below) > 2 * len(needs):
        step, bits = 2 * step, bits + 1
        middle = slots_at(step + 1, bits)
        if sum(map(mul, middle, needs)) <= most:
            step, below = step + 1, middle
        else:
            above = middle

    # m / c_i is in proportion to m n_i / parts_i. Two of these differ by 1 / (parts_i parts_j)
    # at least, or not at all, so that in units finer than that their floors order them exactly.
    fine = 2 * max(parts).bit_length()
    breakpoints = sorted(
        ((m * needs[i] << fine) // parts[i], i, m)
        for i in range(len(needs))
        for m in range(below[i] + 1, above[i] + 1)
    )
    slots = list(below)
    free = most - sum(map(mul, below, needs))
    for _, group in groupby(breakpoints, key=itemgetter(0)):
        together = list(group)
        free -= sum(needs[i] for _, i, _ in together)
        if free < 0:
            _, i, m = together[0]
            return _split(Fraction(m * cost[i], supply[i]), needs, tuple(slots), servers)
        for _, i, m in together:
            slots[i] = m
    raise AssertionError("the slots above psi leave too few helpers")
