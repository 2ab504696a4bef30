"""A sweep: the product of workloads, servers, loads, policies and seeds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from zerowait.experiment.files.toml_file import PlaceError, spelled
from zerowait.experiment.files.toml_places import Place
from zerowait.experiment.files.workload_file import find_workload
from zerowait.experiment.options import Option, SweepOptions, options_of
from zerowait.experiment.replays.source import is_log
from zerowait.experiment.sweeps.log_points import LogPoint, logged_jobs
from zerowait.experiment.sweeps.points import Point
from zerowait.experiment.sweeps.policy_source import PolicySource
from zerowait.model import InputError, Workload
from zerowait.model.quantities import items, positive, whole
from zerowait.policies import Policy, parse_policy

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Sweep(SweepOptions):
    """Every combination of the lists is a point; a list of one may be given as its only member.

    Without `loads` and `arrival_rates` each workload keeps its own rate, as `figure1` does. Points
    of the same workload, load and seed see the same jobs, whatever their policy. The options are
    those of `simulate`, the same for all points. Files of logs may be among the workloads: their
    points are replays, with the options of `replay`.
    """

    workloads: Mapping[str, Workload] | Sequence[str | Workload] | str | Workload
    servers: Sequence[int] | int
    policies: Sequence[str | Policy | type[Policy]] | str | Policy | type[Policy]
    loads: Sequence[float] | float = ()
    arrival_rates: Sequence[float] | float = ()
    seeds: Sequence[int] | int = 1
    name: str = ""
    sources: tuple[PolicySource, ...] = ()

    def _checked(self, one: Option, value: Any) -> Any:
        return _checked((one.name,), value, lambda name, value: one.check(one.name, value))

    def points(self) -> list[Point]:
        """All points, checked as far as they can be before they run."""
        found = [
            kind(
                label, workload, servers, policy, seed, load=load, arrival_rate=rate,
                options=self._options(kind), sources=self.sources, spelling=spelling,
            )
            for servers in _wholes("servers", self.servers)
            for label, spelling, workload, kind in self._workloads(servers)
            for policy, (load, rate), seed in product(
                self._policies(), self._rates(kind), _wholes("seeds", self.seeds, least=0)
            )
        ]  # fmt: skip
        kinds = {one.options_taken for one in found}
        taken = {one.name for kind in kinds for one in options_of(kind)}
        for name, value in self.chosen().items():
            if name not in taken:
                raise _refused((name,), value, "is no option of these workloads; leave it out")
        return found

    def _options(self, kind: type[Point]) -> dict[str, Any]:
        """Those for points of a kind. A default goes by no name: it must not matter in that of a
        point."""
        own = {one.name for one in options_of(kind.options_taken)}
        return {name: value for name, value in self.chosen().items() if name in own}

    def _workloads(self, servers: int) -> Iterator[tuple[str, str | None, Any, type[Point]]]:
        for number, one in enumerate(_several("workloads", self.workloads)):
            try:
                if isinstance(one, tuple):
                    yield one[0], None, one[1], Point
                elif isinstance(one, Workload):
                    yield f"workload {number}", None, one, Point
                elif is_log(str(one)):
                    jobs = logged_jobs(str(one), self._options(LogPoint))
                    yield Path(one).name, str(one), jobs, LogPoint
                else:
                    text = str(one)
                    label = Path(text).stem if text.endswith(".toml") else text
                    yield label, text, find_workload(text, servers), Point
            except InputError as error:
                raise _refused(("workloads", number), one, error) from None

    def _policies(self) -> Iterator[str | Policy]:
        for number, one in enumerate(_several("policies", self.policies)):
            try:
                chosen = parse_policy(one)
            except InputError as error:
                raise _refused(("policies", number), one, error) from None
            # A spelling can be sent to any machine, a class only where it can be imported.
            yield one if isinstance(one, str) else chosen

    def _rates(self, kind: type[Point]) -> list[tuple[float | None, float | None]]:
        loads = _numbers("loads", self.loads)
        rates = _numbers("arrival_rates", self.arrival_rates)
        if loads and rates:
            raise _refused(("loads",), loads, f"arrival_rates = {rates} as well; give one of them")
        if rates and kind is LogPoint:
            raise _refused(("arrival_rates",), rates, "logs have loads; give these instead")
        if rates:
            return [(None, rate) for rate in rates]
        return [(load, None) for load in loads] or [(None, None)]


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
        raise _refused(place, value, str(error).partition(": ")[2]) from None


def _refused(place: Place, value: object, reason: object) -> PlaceError:
    return PlaceError(place, f"{spelled(place)} = {value!r}: {reason}")
