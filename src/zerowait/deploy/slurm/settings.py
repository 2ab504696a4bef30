"""The lines of slurm.conf that a plan needs, and which lines of a site contradict them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from zerowait.deploy.order import NEVER, QueueOrder
from zerowait.deploy.slurm.conf import SlurmSetting
from zerowait.deploy.slurm.site import SlurmPartition, SlurmSite
from zerowait.model import InputError

LONGEST_RESERVE_S = 2_592_000  # Slurm takes no more than 30 days
ABOVE_ALL = 4_294_967_294  # a priority that no site factor reaches


@dataclass(frozen=True)
class NeededSetting:
    """A line `Key=Value` that the plan needs, and why."""

    key: str
    value: str
    why: str

    @property
    def text(self) -> str:
        return f"{self.key}={self.value}"


@dataclass(frozen=True)
class SchedulerParameter:
    """An entry of SchedulerParameters; those that are only named have no value."""

    name: str
    value: int | None
    why: str

    @property
    def text(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value}"


def needed_settings(order: QueueOrder) -> list[NeededSetting]:
    """Return all lines but SchedulerParameters and JobSubmitPlugins, which the site adds to."""
    return [*_priority(), *_selection(), *_scheduler(order)]


def _scheduler(order: QueueOrder) -> Iterator[NeededSetting]:
    if order.backfills:
        yield NeededSetting(
            "SchedulerType", "sched/backfill", "later jobs start where they delay no reservation"
        )
    else:
        yield NeededSetting(
            "SchedulerType",
            "sched/builtin",
            "first come, first served within a partition; sched/backfill would let a job start on "
            "the helpers although its own servers come free first"
            if order.slots
            else "first come, first served: nobody starts before a job that does not fit",
        )
    yield NeededSetting(
        "CompleteWait",
        "10",
        "wait for all nodes of a job that ends: with 0 they come back one by one, and smaller, "
        "later jobs take them",
    )


def _priority() -> Iterator[NeededSetting]:
    yield NeededSetting(
        "PriorityType",
        "priority/multifactor",
        "keeps the key that job_submit.lua gives a job; under priority/basic a job that its user "
        "holds and releases jumps to the top",
    )
    weights = ("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS")
    for name in weights:
        yield NeededSetting(f"PriorityWeight{name}", "0", "nothing but the key decides the order")
    yield NeededSetting("PriorityCalcPeriod", "1", "a changed key counts after a minute at most")


def _selection() -> Iterator[NeededSetting]:
    yield NeededSetting(
        "SelectType",
        "select/cons_tres",
        "under select/linear a reservation takes spare idle nodes as well",
    )


def needed_parameters(order: QueueOrder) -> list[SchedulerParameter]:
    """Return the SchedulerParameters of the plan."""
    return [*(_reservations(order) if order.backfills else ()), *_cycle()]


def _reservations(order: QueueOrder) -> Iterator[SchedulerParameter]:
    if order.reserve_after == NEVER:
        yield SchedulerParameter("bf_min_prio_reserve", ABOVE_ALL, "no job ever gets a reservation")
    elif order.reserve_after > 0:
        yield SchedulerParameter(
            "bf_min_age_reserve",
            _seconds(order),
            "a blocked job holds nobody back before it has waited so many seconds",
        )
    yield SchedulerParameter(
        "bf_job_part_count_reserve", 1, "one reservation, for the first in line; else each has one"
    )
    yield SchedulerParameter(
        "bf_busy_nodes", None, "reserve nodes that are busy; else spare idle ones are held as well"
    )
    yield SchedulerParameter(
        "bf_window_linear",
        1,
        "exact times of reservations; else they come late, and jobs delay them",
    )
    yield SchedulerParameter("bf_resolution", 1, "reservations to the second")
    yield SchedulerParameter(
        "bf_window", 43_200, "minutes looked ahead: reservations up to 30 days away"
    )
    yield SchedulerParameter("bf_interval", 1, "seconds between passes of back-filling")
    yield SchedulerParameter(
        "bf_continue", None, "go on with a pass that was interrupted, to its end"
    )
    yield SchedulerParameter("bf_max_job_test", 10_000, "jobs looked at in a pass: all of them")
    yield SchedulerParameter("bf_node_space_size", 10_000, "room to note what is free when")


def _cycle() -> Iterator[SchedulerParameter]:
    yield SchedulerParameter("sched_min_interval", 0, "decide at once when a job comes or ends")
    yield SchedulerParameter("sched_interval", 1, "seconds between passes through the whole queue")
    yield SchedulerParameter("batch_sched_delay", 0, "do not hold back jobs that come together")
    yield SchedulerParameter(
        "default_queue_depth", 10_000, "look at all jobs, not at the first hundred"
    )


def _seconds(order: QueueOrder) -> int:
    if order.reserve_after > LONGEST_RESERVE_S:
        raise InputError(
            f"policy {order.spelling!r}: Slurm takes reserve_after up to 30 days; use 30d or never"
        )
    return math.ceil(order.reserve_after)


# Scheduler parameters of a site that would keep Slurm from doing what the plan says.
PARAMETERS_AGAINST = {
    "bf_max_job_user": "jobs of one user beyond the limit are not looked at",
    "bf_max_job_user_part": "jobs of one user beyond the limit are not looked at",
    "bf_max_job_assoc": "jobs of one association beyond the limit are not looked at",
    "bf_max_job_part": "jobs of a partition beyond the limit are not looked at",
    "bf_max_job_start": "a pass ends after so many starts",
    "bf_min_age_reserve": "another time before reservations",
    "bf_min_prio_reserve": "reservations depend on the key",
    "bf_one_resv_per_job": "reservations are made otherwise",
    "bf_running_job_reserve": "reservations are made otherwise",
    "bf_ignore_newly_avail_nodes": "nodes that come free wait for the next pass",
    "enable_user_top": "users may move their own jobs to the top",
    "partition_job_depth": "jobs of a partition beyond the limit are not looked at",
    "sched_max_job_start": "a pass ends after so many starts",
    "assoc_limit_stop": "a job at its limit blocks the others",
}


# Settings that the plan does not write, but that would undo it.
MUST_NOT_BE = {
    "PriorityWeightTRES": ((), "the order depends on what jobs ask for"),
    "PrioritySiteFactorPlugin": (("site_factor/none",), "it overwrites the keys"),
    "PreemptType": (("preempt/none",), "running jobs are stopped for others"),
}
# Of them, what is left as it is: PreemptMode, partitions and QOS hang together with it.
LEFT_ALONE = ("PreemptType",)
LUA_AGAINST = ("site_factor",)
UNITS = {"node": "nodes", "cpu": "CPUs"}


@dataclass(frozen=True)
class Contradiction:
    """A setting of the site's, where it stands, and what it does to the plan.

    `setting` is what the plan's files replace; None: it is left as it is, and the plan is then
    not done exactly.
    """

    place: str
    text: str
    why: str
    setting: SlurmSetting | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}: {self.why}"


def contradictions(
    site: SlurmSite, order: QueueOrder, planned: Sequence[SlurmPartition], server: str, servers: int
) -> list[Contradiction]:
    """List everything the operator has to decide on before the files are written."""
    return [
        *_wrong_size(site, planned, server, servers),
        *_wrong_settings(site, order),
        *_wrong_parameters(site, order),
        *_wrong_partitions(site, order, planned, server),
        *_wrong_script(site),
    ]


def _wrong_size(
    site: SlurmSite, planned: Sequence[SlurmPartition], server: str, servers: int
) -> Iterator[Contradiction]:
    there = server_counts(site, planned)[server]
    if there != servers:
        names = ", ".join(one.name for one in planned)
        yield Contradiction(
            planned[0].line.place,
            f"{names}: {there:,} {UNITS[server]}",
            f"the plan was chosen for {servers:,}: what it gains here, and who loses, nobody knows",
        )


def server_counts(site: SlurmSite, planned: Sequence[SlurmPartition]) -> dict[str, int]:
    """Count nodes and CPUs of some partitions, each once."""
    nodes = list(dict.fromkeys(node for one in planned for node in one.nodes))
    return {"node": len(nodes), "cpu": sum(map(site.cpus, nodes))}


def _wrong_settings(site: SlurmSite, order: QueueOrder) -> Iterator[Contradiction]:
    for line in needed_settings(order):
        yield from _differing(site, line)
    if site.conf.setting("SelectType") is None:
        yield Contradiction(
            str(site.conf.path),
            "SelectType is not set",
            "the plan sets select/cons_tres; where the default is another (select/linear in Slurm "
            "22.05), changing it loses all jobs, running and waiting",
        )
    for key, (allowed, why) in MUST_NOT_BE.items():
        for found in site.conf.settings(key):
            if found.value.lower() not in allowed:
                one = _of(found, why)
                yield replace(one, setting=None) if key in LEFT_ALONE else one


def _differing(site: SlurmSite, line: NeededSetting) -> Iterator[Contradiction]:
    for found in site.conf.settings(line.key):
        if not _same(found.value, line.value):
            loses = line.key == "SelectType" and found.value.lower() != "select/cons_res"
            more = "; changing it loses all jobs, running and waiting" if loses else ""
            yield _of(found, f"the plan needs {line.text}: {line.why}{more}")


def _same(given: str, wanted: str) -> bool:
    """Compare values as Slurm reads them: in any case, and 0 as 0.0."""
    try:
        return float(given) == float(wanted)
    except ValueError:
        return given.lower() == wanted.lower()


def _of(found: SlurmSetting, why: str) -> Contradiction:
    return Contradiction(found.line.place, f"{found.key}={found.value}", why, found)


def _wrong_parameters(site: SlurmSite, order: QueueOrder) -> Iterator[Contradiction]:
    found = site.conf.setting("SchedulerParameters")
    if found is None:
        return
    ours = {one.name: one for one in needed_parameters(order)}
    for text in site_parameters(found.value):
        name = text.partition("=")[0]
        wanted = ours.get(name)
        what = f"SchedulerParameters {text}"
        if wanted is None and name in PARAMETERS_AGAINST:
            yield Contradiction(found.line.place, what, PARAMETERS_AGAINST[name], found)
        elif wanted is not None and not _same(text, wanted.text):
            why = f"the plan needs {wanted.text}: {wanted.why}"
            yield Contradiction(found.line.place, what, why, found)


def site_parameters(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _wrong_partitions(
    site: SlurmSite, order: QueueOrder, planned: Sequence[SlurmPartition], server: str
) -> Iterator[Contradiction]:
    for one in planned:
        yield from _wrong_partition(site, one, server)
    others = [one for one in site.partitions if one not in planned]
    nodes = {node for one in planned for node in one.nodes}
    for number, one in enumerate(planned):
        shared = [other.name for other in planned[:number] if set(other.nodes) & set(one.nodes)]
        if shared:
            why = f"shares nodes with {', '.join(shared)}: each has its own reservation"
            yield Contradiction(one.line.place, f"PartitionName={one.name}", why)
    for one in others:
        if nodes & set(one.nodes):
            why = "shares nodes with the plan's partitions: its jobs take servers of the plan"
            yield Contradiction(one.line.place, f"PartitionName={one.name}", why)
        elif not order.backfills:
            why = "the plan needs sched/builtin, which ends back-filling in this partition too"
            yield Contradiction(one.line.place, f"PartitionName={one.name}", why)


def _wrong_partition(site: SlurmSite, one: SlurmPartition, server: str) -> Iterator[Contradiction]:
    name = f"PartitionName={one.name}"
    shared = one.attributes.get("oversubscribe", one.attributes.get("shared", "NO"))
    if shared.upper().partition(":")[0] in ("FORCE", "YES"):
        why = "several jobs may have one server"
        yield Contradiction(one.line.place, f"{name} OverSubscribe={shared}", why)
    exclusive = shared.upper() == "EXCLUSIVE"
    if server == "node" and not exclusive and any(site.cpus(node) > 1 for node in one.nodes):
        why = "jobs may share nodes, and the plan counts whole ones (OverSubscribe=EXCLUSIVE)"
        yield Contradiction(one.line.place, f"{name} OverSubscribe={shared}", why)
    if server == "cpu" and (exclusive or any(site.cpus(node) > 1 for node in one.nodes)):
        why = "nodes have several CPUs: reservations hold more of them than the plan says"
        yield Contradiction(one.line.place, name, why)


def _wrong_script(site: SlurmSite) -> Iterator[Contradiction]:
    for number, line in enumerate((site.lua or "").splitlines(), start=1):
        code = line.partition("--")[0]
        for word in LUA_AGAINST:
            if word in code:
                place = f"{site.conf.path.parent / 'job_submit.lua'}:{number}"
                yield Contradiction(place, code.strip()[:60], "the plan's key replaces this one")
