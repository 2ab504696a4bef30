"""Tables 1 to 3: what is known of each policy, and the parameters of two logs."""

from typing import TYPE_CHECKING

import zerowait as zw
from zerowait.model.workloads import PUBLISHED, ROWS
from zerowait.paper.own_log import log_caption, parameter_rows
from zerowait.paper.settings import Settings, Target

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


def _table1_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    """List the paper's policies in its order, then the others of the register."""
    import polars

    others = sorted({kind.name for kind in zw.POLICIES.values()} - set(PRINTED))
    found = []
    for name in (*PRINTED, *others):
        kind = zw.POLICIES[name]
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


def _table1_says(settings: Settings) -> str:
    return (
        "Requirements and performance of scheduling policies, from the register of policies; "
        "columns named 'printed' are the paper's. *: not in general, but in the limit of many "
        "servers, under mild conditions. **: where servers and needs are powers of two."
    )


def _table2_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    return parameter_rows(PUBLISHED, settings.sdsc_log, settings.columns)


def _table2_says(settings: Settings) -> str:
    return log_caption(settings.sdsc_log, "--sdsc-log", "the SDSC SP2 log")


def _table3_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    return parameter_rows(ROWS, settings.kit_log, settings.columns)


def _table3_says(settings: Settings) -> str:
    return log_caption(settings.kit_log, "--kit-log", "the KIT FH2 log")


TARGETS = (
    Target("table1", "Table 1: policies", _table1_says, _table1_rows),
    Target("table2", "Table 2: SDSC SP2", _table2_says, _table2_rows),
    Target("table3", "Table 3: KIT FH2", _table3_says, _table3_rows),
)
