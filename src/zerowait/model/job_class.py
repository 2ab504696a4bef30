"""A class of jobs: one need and one service law."""

from dataclasses import dataclass, fields

from zerowait.model.laws.base import Law
from zerowait.model.quantities import positive, refuse, whole

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
        # Exact announcements are the rule, and are not spelled out.
        names = [one.name for one in fields(self)][: None if self.overestimation else -1]
        return f"JobClass({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

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
        """d_i."""
        return self.service.mean

    @property
    def demand(self) -> float:
        """varrho_i = alpha_i d_i n_i."""
        return self.share * self.mean_service * self.need
