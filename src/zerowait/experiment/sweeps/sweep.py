"""A sweep: the product of workloads, servers, loads, policies and seeds."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from zerowait.experiment.files.toml_places import Place
from zerowait.experiment.files.workload_file import load_workload, spelled
from zerowait.experiment.simulation.simulate import simulate
from zerowait.experiment.sweeps.points import Point
from zerowait.experiment.sweeps.policy_source import PolicySource
from zerowait.model import InputError, Workload
from zerowait.model.quantities import items, positive, whole
from zerowait.model.workloads import named_workload
from zerowait.policies import Policy, parse_policy

T = TypeVar("T")

# Options of `simulate` that are passed on as they are.
OPTIONS = (
    "arrivals",
    "replications",
    "warmup",
    "precision",
    "measure",
    "batches",
    "budget",
    "level",
    "allow_unstable",
)


class PlaceError(InputError):
    """Bad input at a place of a sweep, such as ("policies", 2)."""

    def __init__(self, place: Place, value: object, reason: object) -> None:
        super().__init__(f"{spelled(place)} = {value!r}: {reason}")
        self.place = place


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Every combination of the lists is a point; a list of one may be given as its only member.

    Without `loads` and `arrival_rates` each workload keeps its own rate, as `figure1` does. Points
    of the same workload, load and seed see the same jobs, whatever their policy.
    """

    workloads: Mapping[str, Workload] | Sequence[str | Workload] | str | Workload
    servers: Sequence[int] | int
    policies: Sequence[str | Policy | type[Policy]] | str | Policy | type[Policy]
    loads: Sequence[float] | float = ()
    arrival_rates: Sequence[float] | float = ()
    seeds: Sequence[int] | int = 1
    arrivals: int | None = None
    replications: int | None = None
    warmup: float | str | None = None
    precision: float | None = None
    measure: str | None = None
    batches: int | None = None
    budget: int | None = None
    level: float | None = None
    allow_unstable: bool | None = None
    name: str = ""
    sources: tuple[PolicySource, ...] = ()

    def points(self) -> list[Point]:
        """All points, checked as far as they can be before they run."""
        options = self._options()
        return [
            Point(
                label, workload, servers, policy, seed, load=load, arrival_rate=rate,
                options=options, sources=self.sources, spelling=spelling,
            )
            for servers in _wholes("servers", self.servers)
            for label, spelling, workload in self._workloads(servers)
            for policy, (load, rate), seed in product(
                self._policies(), self._rates(), _wholes("seeds", self.seeds, least=0)
            )
        ]  # fmt: skip

    def _workloads(self, servers: int) -> Iterator[tuple[str, str | None, Workload]]:
        for number, one in enumerate(_several("workloads", self.workloads)):
            try:
                if isinstance(one, tuple):
                    yield one[0], None, one[1]
                elif isinstance(one, Workload):
                    yield f"workload {number}", None, one
                elif str(one).endswith(".toml"):
                    yield Path(one).stem, str(one), load_workload(one)
                else:
                    yield str(one), str(one), named_workload(str(one), servers)
            except InputError as error:
                raise PlaceError(("workloads", number), one, error) from None

    def _policies(self) -> Iterator[str | Policy]:
        for number, one in enumerate(_several("policies", self.policies)):
            try:
                chosen = parse_policy(one)
            except InputError as error:
                raise PlaceError(("policies", number), one, error) from None
            # A spelling can be sent to any machine, a class only where it can be imported.
            yield one if isinstance(one, str) else chosen

    def _rates(self) -> list[tuple[float | None, float | None]]:
        loads = _numbers("loads", self.loads)
        rates = _numbers("arrival_rates", self.arrival_rates)
        if loads and rates:
            raise PlaceError(
                ("loads",), loads, f"arrival_rates = {rates} as well; give one of them"
            )
        if rates:
            return [(None, rate) for rate in rates]
        return [(load, None) for load in loads] or [(None, None)]

    def _options(self) -> dict[str, Any]:
        """Those that are given and not the default: a default's name in results must not matter."""
        known = inspect.signature(simulate).parameters
        given = {name: getattr(self, name) for name in OPTIONS if getattr(self, name) is not None}
        for name, value in given.items():
            if name not in known:
                raise PlaceError((name,), value, "simulate has no such option; remove it")
        return {name: value for name, value in given.items() if known[name].default != value}


def expand(sweeps: Iterable[Sweep]) -> list[tuple[str, Point]]:
    """The points of all sweeps with the names of their sweeps, equal points once per sweep."""
    found: dict[tuple[str, str], tuple[str, Point]] = {}
    for one in sweeps:
        for point in one.points():
            found.setdefault((one.name, point.key), (one.name, point))
    return list(found.values())


def _several(name: str, value: Any) -> list[Any]:
    if isinstance(value, (str, int, Workload, Policy, type)):
        return [value]
    return items(name, list(value.items()) if isinstance(value, Mapping) else value)


def _numbers(name: str, value: Sequence[float] | float) -> list[float]:
    values = [value] if isinstance(value, (int, float)) else list(value)
    return [_checked((name, number), one, positive) for number, one in enumerate(values)]


def _wholes(name: str, value: Any, least: int = 1) -> list[int]:
    def check(place: str, one: Any) -> int:
        return whole(place, one, least)

    return [
        _checked((name, number), one, check) for number, one in enumerate(_several(name, value))
    ]


def _checked(place: Place, value: Any, check: Callable[[str, Any], T]) -> T:
    try:
        return check("", value)
    except InputError as error:
        raise PlaceError(place, value, str(error).partition(": ")[2]) from None
