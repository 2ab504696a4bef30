"""Waiting under Balanced Splitting: each class against M/M/s on its own slots.

Whenever class-i jobs wait, all of A_i is busy, and A_i takes them in order of arrival; a job
that the helpers take leaves the queue earlier than A_i would have taken it. So every class-i job
waits at most as long as in the M/GI/s_i queue with the same arrivals and services, job by job,
for any nonpreemptive auxiliary policy. Hence, for bs:

- exponential service: Erlang's C **bounds** P(wait) and `routed_to_helpers`, and
  C d_i / (s_i - a_i) bounds the mean wait, of each class with a_i < s_i;
- other laws: the M/GI/s_i queue still bounds, but Erlang's C, and its mean wait times
  (1 + scv) / 2, only **approximate** that queue;
- a_i >= s_i: nothing is said (1 and infinity);
- mbs: nothing of this holds, a job sent to the helpers has only these.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.bounds import chosen_split, offered_slots
from zerowait.analysis.erlang import Floats, erlang_c
from zerowait.model import Exponential, Split, Workload
from zerowait.model.workloads import as_workload

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class OwnServersWait:
    """M/M/s_i of each class on its own slots alone; infinite means where overloaded."""

    names: tuple[str, ...]  # per class
    shares: Floats  # per class
    mean_services: Floats  # per class
    class_p_wait: Floats  # per class: Erlang's C
    class_wait: Floats  # per class: C d (1 + scv) / 2 / (s - a)
    is_bound: tuple[bool, ...]  # per class: a bound for bs, or an approximation of one?

    @property
    def p_wait(self) -> float:
        return math.fsum(self.shares * self.class_p_wait)

    @property
    def wait(self) -> float:
        return math.fsum(self.shares * self.class_wait)

    @property
    def response(self) -> float:
        return math.fsum(self.shares * (self.mean_services + self.class_wait))

    def table(self) -> "polars.DataFrame":
        """One row per class."""
        import polars

        return polars.DataFrame(
            {
                "job_class": self.names,
                "p_wait": self.class_p_wait,
                "wait": self.class_wait,
                "response": self.mean_services + self.class_wait,
                "is_bound": self.is_bound,
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON: None where a class is offered more than its slots can do."""
        rows = self.table().to_dicts()
        for row in rows:
            for key in ("wait", "response"):
                row[key] = row[key] if math.isfinite(row[key]) else None
        total = self.response
        return {
            "p_wait": self.p_wait,
            "response": total if math.isfinite(total) else None,
            "classes": rows,
        }


def own_servers_wait(
    workload: Workload | str, servers: int, split: Split | None = None
) -> OwnServersWait:
    """Erlang's C for each class on its own slots; Poisson arrivals."""
    workload = as_workload(workload, servers)
    split = chosen_split(workload, servers, split)
    offered = offered_slots(workload, servers)
    slots = np.array(split.slots, dtype=np.float64)
    p_wait = np.asarray(erlang_c(slots, offered))
    variability = np.array([(1 + c.service.scv) / 2 for c in workload.classes])
    room = slots - offered
    with np.errstate(divide="ignore", invalid="ignore"):
        wait = np.where(room > 0, p_wait * workload.mean_services * variability / room, np.inf)
    return OwnServersWait(
        tuple(workload.class_names),
        workload.shares,
        workload.mean_services,
        p_wait,
        wait,
        tuple(isinstance(c.service, Exponential) for c in workload.classes),
    )
