"""The overall means of a result as attributes: `result.wait`."""

from abc import ABC, abstractmethod

ClassKey = int | str | None  # a class by its name or number; None: all jobs


class Means(ABC):
    """One attribute for each measure of the register."""

    @abstractmethod
    def mean(self, measure: str = "response", job_class: ClassKey = None) -> float:
        """Of all jobs, or of a class."""

    @property
    def response(self) -> float:
        return self.mean("response")

    @property
    def wait(self) -> float:
        return self.mean("wait")

    @property
    def slowdown(self) -> float:
        return self.mean("slowdown")

    @property
    def bounded_slowdown(self) -> float:
        return self.mean("bounded_slowdown")

    @property
    def p_wait(self) -> float:
        return self.mean("p_wait")

    @property
    def utilisation(self) -> float:
        return self.mean("utilisation")

    @property
    def in_system(self) -> float:
        return self.mean("in_system")

    @property
    def preemptions(self) -> float:
        return self.mean("preemptions")

    @property
    def lost(self) -> float:
        return self.mean("lost")

    @property
    def routed_to_helpers(self) -> float:
        return self.mean("routed_to_helpers")

    @property
    def served_by_helpers(self) -> float:
        return self.mean("served_by_helpers")
