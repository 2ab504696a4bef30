"""What a site's configuration says against a plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zerowait.deploy.order import Order
from zerowait.deploy.slurm.conf import Setting
from zerowait.deploy.slurm.settings import AGAINST, Line, lines_of, parameters_of
from zerowait.deploy.slurm.site import Partition, Site

# Settings that the plan does not write, but that would undo it.
MUST_NOT_BE = {
    "PriorityWeightTRES": ((), "the order depends on what jobs ask for"),
    "PrioritySiteFactorPlugin": (("site_factor/none",), "it overwrites the keys"),
    "PreemptType": (("preempt/none",), "running jobs are stopped for others"),
}
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
    setting: Setting | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}: {self.why}"


def contradictions(
    site: Site, order: Order, planned: Sequence[Partition], server: str, servers: int
) -> list[Contradiction]:
    """Everything the operator has to decide on before the files are written."""
    return [
        *_size(site, planned, server, servers),
        *_settings(site, order),
        *_parameters(site, order),
        *_partitions(site, order, planned, server),
        *_script(site),
    ]


def _size(
    site: Site, planned: Sequence[Partition], server: str, servers: int
) -> Iterator[Contradiction]:
    there = server_counts(site, planned)[server]
    if there != servers:
        names = ", ".join(one.name for one in planned)
        yield Contradiction(
            planned[0].line.place,
            f"{names}: {there:,} {UNITS[server]}",
            f"the plan was chosen for {servers:,}: what it gains here, and who loses, nobody knows",
        )


def server_counts(site: Site, planned: Sequence[Partition]) -> dict[str, int]:
    """Nodes and CPUs of some partitions, each counted once."""
    nodes = list(dict.fromkeys(node for one in planned for node in one.nodes))
    return {"node": len(nodes), "cpu": sum(map(site.cpus, nodes))}


def _settings(site: Site, order: Order) -> Iterator[Contradiction]:
    for line in lines_of(order):
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
                yield _of(found, why)


def _differing(site: Site, line: Line) -> Iterator[Contradiction]:
    for found in site.conf.settings(line.key):
        if not _same(found.value, line.value):
            loses = line.key == "SelectType" and found.value.lower() != "select/cons_res"
            more = "; changing it loses all jobs, running and waiting" if loses else ""
            yield _of(found, f"the plan needs {line.text}: {line.why}{more}")


def _same(given: str, wanted: str) -> bool:
    """Slurm reads values in any case; 0 and 0.0 are one number."""
    try:
        return float(given) == float(wanted)
    except ValueError:
        return given.lower() == wanted.lower()


def _of(found: Setting, why: str) -> Contradiction:
    return Contradiction(found.line.place, f"{found.key}={found.value}", why, found)


def _parameters(site: Site, order: Order) -> Iterator[Contradiction]:
    found = site.conf.setting("SchedulerParameters")
    if found is None:
        return
    ours = {one.name: one for one in parameters_of(order)}
    for text in site_parameters(found.value):
        name = text.partition("=")[0]
        wanted = ours.get(name)
        what = f"SchedulerParameters {text}"
        if wanted is None and name in AGAINST:
            yield Contradiction(found.line.place, what, AGAINST[name], found)
        elif wanted is not None and not _same(text, wanted.text):
            why = f"the plan needs {wanted.text}: {wanted.why}"
            yield Contradiction(found.line.place, what, why, found)


def site_parameters(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _partitions(
    site: Site, order: Order, planned: Sequence[Partition], server: str
) -> Iterator[Contradiction]:
    for one in planned:
        yield from _partition(site, one, server)
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


def _partition(site: Site, one: Partition, server: str) -> Iterator[Contradiction]:
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


def _script(site: Site) -> Iterator[Contradiction]:
    for number, line in enumerate((site.lua or "").splitlines(), start=1):
        code = line.partition("--")[0]
        for word in LUA_AGAINST:
            if word in code:
                place = f"{site.conf.path.parent / 'job_submit.lua'}:{number}"
                yield Contradiction(place, code.strip()[:60], "the plan's key replaces this one")
