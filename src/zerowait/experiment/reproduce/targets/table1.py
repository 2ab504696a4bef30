"""Table 1: what each policy needs and what is known of it, beside what the paper prints."""

from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.policies import POLICIES

if TYPE_CHECKING:
    import polars

# As printed: preemptive, size-aware, throughput optimality. *: asymptotically; **: where servers
# and needs are powers of two.
PRINTED = {
    "fcfs": ("First-Come First-Served", "No", "No", "Almost*"),
    "most-servers-first": ("Most Servers First", "Yes", "No", "No"),
    "first-fit": ("First-Fit Back-Filling", "No", "No", "?"),
    "first-fit-srpt": ("First-Fit SRPT", "Yes", "Yes", "?"),
    "maxweight": ("Max-Weight", "Yes", "No", "Yes"),
    "greedy-srpt": ("GreedySRPT", "Yes", "Yes", "?"),
    "server-filling": ("ServerFilling", "Yes", "No", "Yes**"),
    "server-filling-srpt": ("ServerFilling-SRPT", "Yes", "Yes", "Yes**"),
    "server-filling-gittins": ("ServerFilling-Gittins", "Yes", "No", "Yes**"),
    "balanced-splitting": ("BalancedSplitting", "No", "No", "Almost*"),
}
NOTHING = (None, None, None, None)


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    """The paper's policies in its order, then the others of the register."""
    import polars

    others = sorted({kind.name for kind in POLICIES.values()} - set(PRINTED))
    found = []
    for name in (*PRINTED, *others):
        kind = POLICIES[name]
        title, preemptive, size_aware, optimal = PRINTED.get(name, NOTHING)
        found.append(
            {
                "policy": name,
                "preemptive": kind.preemptive,
                "size_aware": kind.size_aware,
                "throughput_optimal": kind.throughput_optimal,
                "source": kind.source,
                "printed_name": title,
                "printed_preemptive": preemptive,
                "printed_size_aware": size_aware,
                "printed_throughput_optimal": optimal,
            }
        )
    return polars.DataFrame(found)


def says(settings: Settings) -> str:
    return (
        "Requirements and performance of scheduling policies, from the register of policies; "
        "columns named 'printed' are the paper's. *: not in general, but in the limit of many "
        "servers, under mild conditions. **: where servers and needs are powers of two."
    )


TARGET = Target("table1", "Table 1: policies", says, rows)
