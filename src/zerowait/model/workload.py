"""A workload: job classes with shares, and an arrival process."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from zerowait.model.arrivals import ArrivalProcess, Poisson
from zerowait.model.laws.base import Law
from zerowait.model.quantities import Floats, Ints, check_sum_is_one, items, positive, refuse, whole

LARGEST_NEED = 2**53  # beyond it a float does not count servers one by one


@dataclass(frozen=True, repr=False)
class JobClass:
    """Jobs that hold `need` servers at once for a time drawn from `service`.

    `share` is the probability alpha_i that an arriving job is of this class. `overestimation` is
    the law of how many times its service time a job is announced with, at least once; without it
    announcements are exact.
    """

    need: int
    share: float
    service: Law
    name: str = ""
    overestimation: Law | None = None

    def __repr__(self) -> str:
        shown = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self)]
        if not self.overestimation:  # exact announcements are the rule, and are not spelled out
            del shown[-1]
        return f"JobClass({', '.join(shown)})"

    def __post_init__(self) -> None:
        object.__setattr__(self, "need", whole("need", self.need, most=LARGEST_NEED))
        remedy = "must be above 0 and at most 1; leave out a class that never arrives"
        object.__setattr__(self, "share", positive("share", self.share, remedy))
        if self.share > 1 + 1e-9:
            raise refuse("share", self.share, remedy)
        if not isinstance(self.service, Law):
            raise refuse("service", self.service, "must be a law, e.g. Exponential(mean=1.0)")
        if not isinstance(self.name, str):
            raise refuse("name", self.name, "must be text")
        if self.overestimation is not None and not isinstance(self.overestimation, Law):
            remedy = "must be a law of estimate / service, e.g. Uniform(1.0, 5.0), or None"
            raise refuse("overestimation", self.overestimation, remedy)

    @property
    def mean_service(self) -> float:
        """Return d_i."""
        return self.service.mean

    @property
    def demand(self) -> float:
        """Return varrho_i = alpha_i d_i n_i."""
        return self.share * self.mean_service * self.need


@dataclass(frozen=True)
class Workload:
    """Each arrival of `arrivals` is of class i with probability `classes[i].share`."""

    classes: Sequence[JobClass]
    arrivals: ArrivalProcess = field(default_factory=Poisson)

    if TYPE_CHECKING:  # made of the classes, read-only; a workload is stored by its fields alone
        needs: Ints = field(init=False)  # per class
        shares: Floats = field(init=False)  # per class
        mean_services: Floats = field(init=False)  # per class
        demands: Floats = field(init=False)  # per class

    def __post_init__(self) -> None:
        classes = items("classes", self.classes)
        given: Counter[str] = Counter()
        for i, c in enumerate(classes):
            if not isinstance(c, JobClass):
                raise refuse(f"classes[{i}]", c, "must be a JobClass(need, share, service)")
            given[c.name] += 1
        object.__setattr__(self, "classes", tuple(classes))
        for one in ("need", "share", "mean_service", "demand"):
            dtype = np.int64 if one == "need" else np.float64
            array = np.array([getattr(c, one) for c in classes], dtype)
            array.flags.writeable = False
            object.__setattr__(self, f"{one}s", array)
        check_sum_is_one("shares", self.shares.tolist())
        for name, count in given.items():
            if name and count > 1:
                raise refuse("name", name, f"stands for {count} classes; give each its own")
        if not isinstance(self.arrivals, ArrivalProcess):
            raise refuse("arrivals", self.arrivals, "must be an arrival process, e.g. Poisson()")

    @property
    def class_names(self) -> list[str]:
        """Name each class by its name or its need, numbered where that does not tell it apart."""
        names = [c.name or f"need {c.need}" for c in self.classes]
        counts = Counter(names)
        return [
            name if c.name or counts[name] == 1 else f"{name} (class {i})"
            for i, (name, c) in enumerate(zip(names, self.classes, strict=True), 1)
        ]

    @cached_property
    def demand(self) -> float:
        """Return varrho: mean work per arrival, in servers x time."""
        return math.fsum(self.demands)

    @cached_property
    def mean_service(self) -> float:
        """Return the mean service time of an arrival, over all classes."""
        return math.fsum(self.shares * self.mean_services)

    @property
    def max_need(self) -> int:
        return int(self.needs.max())

    def arrival_rate(self, servers: int, load: float) -> float:
        """Return lambda = rho k / varrho; a load of one or more is allowed, and unstable."""
        servers = whole("servers", servers)
        load = positive("load", load)
        remedy = "must be above zero for a load; give some class a service time"
        return load * servers / positive("demand", self.demand, remedy)

    def load(self, servers: int) -> float:
        """Return rho = lambda varrho / k (paper, eq. 1)."""
        servers = whole("servers", servers)
        if self.arrivals.rate is None:
            raise refuse("arrival rate", None, "is not decided; give a load or an arrival rate")
        return self.arrivals.rate * self.demand / servers

    def with_load(self, servers: int, load: float) -> "Workload":
        return self.with_arrival_rate(self.arrival_rate(servers, load))

    def with_arrival_rate(self, rate: float) -> "Workload":
        return replace(self, arrivals=self.arrivals.with_rate(rate))

    def up_to(self, max_need: int) -> "Workload":
        """Return the same jobs but for those that need more, which no longer come."""
        kept = [c for c in self.classes if c.need <= whole("max_need", max_need)]
        if not kept:
            raise refuse("max_need", max_need, f"leaves no class; they need {min(self.needs)} on")
        total = math.fsum(c.share for c in kept)
        rate = self.arrivals.rate
        others = Workload([replace(c, share=c.share / total) for c in kept], self.arrivals)
        return others if rate is None else others.with_arrival_rate(rate * total)

    def check_fits(self, servers: int) -> None:
        """Refuse a cluster on which some job could never run."""
        servers = whole("servers", servers)
        for i, c in enumerate(self.classes):
            if c.need > servers:
                label = f"classes[{i}] ({c.name})" if c.name else f"classes[{i}]"
                raise refuse(
                    f"need of {label}", c.need, f"exceeds the {servers} servers; give more servers"
                )
