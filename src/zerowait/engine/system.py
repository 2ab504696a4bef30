"""What a policy is told about the system before the first job arrives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zerowait.model import Law
from zerowait.model.quantities import Floats, Ints


@dataclass(frozen=True)
class System:
    """Servers, classes and the number of seats; given to `Policy.initial_state`.

    Arrays that a policy keeps per job have `n_seats` entries and are indexed by the job.
    When seats run out the engine asks for a state with more and copies the old entries.
    """

    servers: int
    n_seats: int
    needs: Ints  # the distinct needs of all jobs, smallest first
    class_needs: Ints  # per class: the largest need
    class_demands: Sequence[int] | Sequence[float]  # per class: work, in any unit
    class_services: Floats  # per class: mean service time
    class_laws: Callable[[], Sequence[Law]]  # per class: of the service times, made when asked for
    kinds: Sequence[tuple[int, int]]  # the pairs of class and need that occur

    @property
    def n_classes(self) -> int:
        return len(self.class_needs)
