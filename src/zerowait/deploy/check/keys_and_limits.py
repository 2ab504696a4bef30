"""Scenarios about what a job is given: its key, and the limits of its partition."""

import os
import re
from collections.abc import Mapping

from zerowait.deploy.check.fixture import OTHER_USER, PARTITION_DROPPED, SlurmFixture
from zerowait.deploy.check.scenarios import CheckFinding, scenario, without_split
from zerowait.deploy.cluster.cluster import RefusedError
from zerowait.deploy.order import QueueOrder, queue_key
from zerowait.deploy.slurm.deployment import SlurmDeployment
from zerowait.deploy.slurm.key_script import REKEY_FILE
from zerowait.deploy.slurm.site import limit_minutes

# As slurm.conf and as `scontrol show partition` call them.
SHOWN = {
    "maxtime": "MaxTime", "maxnodes": "MaxNodes", "minnodes": "MinNodes",
    "allowgroups": "AllowGroups", "allowaccounts": "AllowAccounts",
    "denyaccounts": "DenyAccounts", "rootonly": "RootOnly", "hidden": "Hidden",
    "reqresv": "ReqResv", "defaulttime": "DefaultTime", "state": "State",
    "disablerootjobs": "DisableRootJobs", "maxmempernode": "MaxMemPerNode",
    "maxmempercpu": "MaxMemPerCPU",
}  # fmt: skip
TIMES = ("maxtime", "defaulttime")

HIGHEST, EPOCH = 2_147_483_645, 1_700_000_000  # as in job_submit.lua


def by_size(one: SlurmDeployment) -> bool:
    return without_split(one) and one.order.key != "arrival"


def expected_priority(order: QueueOrder, arrival: float, need: int, limit_min: int) -> int:
    """Return the site factor that job_submit.lua has to give."""
    key = queue_key(order, arrival, need, 60.0 * limit_min)
    if order.key in ("due", "arrival"):
        key -= EPOCH
    elif order.key in ("estimate", "area"):
        key /= 60
    return HIGHEST - int(key + 0.5)


def compare_priorities(seen: int, expected: int) -> CheckFinding:
    """Compare two priorities; less than a minute apart they are the same.

    The script reads the clock a moment before Slurm notes the submission, and it runs fast here.
    """
    shown = expected if abs(seen - expected) < 60 else seen
    return CheckFinding(f"priority {expected}", f"priority {shown}")


@scenario("a job that asks for tasks alone has the key of the servers it needs", by_size)
def tasks_alone(fixture: SlurmFixture) -> CheckFinding:
    blocker = fixture.block()
    cpus = fixture.deployed.site.cpus(fixture.partition.nodes[0])
    need = 3 if fixture.deployed.server == "node" else 3 * cpus
    number = fixture.submit(None, 30, f"--ntasks={3 * cpus}")
    job = fixture.job(number)
    fixture.let_go(blocker)
    return compare_priorities(job.priority, expected_priority(fixture.order, job.submit, need, 30))


@scenario("another time limit is another key, counted from the same arrival", by_size)
def changed_limit(fixture: SlurmFixture) -> CheckFinding:
    fixture.block()
    number = fixture.submit(fixture.n_nodes, fixture.longest_min)
    submit = fixture.job(number).submit
    shorter = max(1, fixture.longest_min // 8)
    fixture.set_limit(number, str(shorter))
    expected = expected_priority(fixture.order, submit, _servers(fixture), shorter)
    fixture.settle(lambda: abs(fixture.job(number).priority - expected) < 60)
    return compare_priorities(fixture.job(number).priority, expected)


def _servers(fixture: SlurmFixture) -> int:
    """Return how many servers a job on all nodes needs."""
    nodes = fixture.partition.nodes[: fixture.n_nodes]
    site = fixture.deployed.site
    return len(nodes) if fixture.deployed.server == "node" else sum(map(site.cpus, nodes))


@scenario("a job that its user holds and releases keeps its place", without_split)
def held_and_released(fixture: SlurmFixture) -> CheckFinding:
    blocker = fixture.block()
    user = OTHER_USER if os.getuid() == 0 and is_open(fixture.deployed) else None
    numbers = [
        fixture.submit(fixture.n_nodes, fixture.longest_min, real_s=0.2, user=user)
        for _ in range(3)
    ]
    last = numbers[-1]
    fixture.cluster.call("scontrol", "hold", str(last), user=user)
    fixture.cluster.call("scontrol", "release", str(last), user=user)
    fixture.let_go(blocker)
    fixture.cluster.wait_for_end(numbers)
    names = dict(zip(numbers, "ABC", strict=True))
    return CheckFinding("A, B, C", fixture.order_of_starts(names))


def is_open(one: SlurmDeployment) -> bool:
    return not {"allowgroups", "allowaccounts"} & set(one.planned[0].attributes)


@scenario("users cannot set a priority of their own", is_open, as_other_user=True)
def own_priority(fixture: SlurmFixture) -> CheckFinding:
    held = fixture.submit(1, 1, "--hold")
    waits = f"--dependency=afterany:{held}"
    asked = fixture.submit(1, 1, waits, "--priority=4000000000", user=OTHER_USER)
    plain = fixture.submit(1, 1, waits, user=OTHER_USER)
    jobs = fixture.cluster.jobs()
    # As they came: some seconds may have passed between them.
    gained = "nothing" if 0 <= jobs[asked].priority - jobs[plain].priority < 1000 else "a place"
    changes = ("Priority=4000000000", "SiteFactor=2000000000", "Nice=-100")
    answers = [f"{change} {_answer(fixture, asked, change)}" for change in changes]
    try:
        fixture.submit(1, 1, waits, "--nice=-100", user=OTHER_USER)
        answers.append("--nice=-100 accepted")
    except RefusedError:
        answers.append("--nice=-100 refused")
    return CheckFinding(
        "--priority gains nothing; Priority=4000000000 refused; SiteFactor=2000000000 refused; "
        "Nice=-100 refused; --nice=-100 refused",
        "; ".join([f"--priority gains {gained}", *answers]),
    )


def _answer(fixture: SlurmFixture, number: int, change: str) -> str:
    try:
        fixture.update(number, change, user=OTHER_USER)
    except RefusedError:
        return "refused"
    return "accepted"


@scenario("rekey.sh gives jobs that waited before the plan the keys of their submission")
def rekeyed(fixture: SlurmFixture) -> CheckFinding:
    held = fixture.submit(1, 1, "--hold")
    number = fixture.submit(1, 30, f"--dependency=afterany:{held}")
    before = fixture.job(number).priority
    fixture.update(number, "SiteFactor=0")
    lost = fixture.job(number).priority
    fixture.cluster.run_script(REKEY_FILE)
    kept = "its key" if abs(fixture.job(number).priority - before) < 60 else "another key"
    without = "1 or less" if lost <= 1 else str(lost)
    return CheckFinding(
        "without it, 1 or less; with it, its key", f"without it, {without}; with it, {kept}"
    )


@scenario("the limits of every partition are what they were")
def limits_kept(fixture: SlurmFixture) -> CheckFinding:
    shown = _shown(fixture)
    expected, seen = [], []
    partitions = {one.name: one.attributes for one in fixture.deployed.site.partitions}
    layout = fixture.deployed.layout
    for one in layout.partitions if layout else ():
        partitions[one.name] = fixture.partition.attributes
    for name, attributes in partitions.items():
        for key, value in attributes.items():
            if key in SHOWN and key not in PARTITION_DROPPED:
                kept = "NONE" if _is_dropped(key, value, attributes) else value
                expected.append(f"{name} {SHOWN[key]}={_normal(key, kept)}")
                seen.append(f"{name} {SHOWN[key]}={_normal(key, shown[name].get(SHOWN[key], ''))}")
    return CheckFinding("; ".join(expected) or "no limits", "; ".join(seen) or "no limits")


def _is_dropped(key: str, value: str, attributes: Mapping[str, str]) -> bool:
    """Tell whether Slurm drops a limit by itself: a default time above the longest."""
    longest = limit_minutes(attributes.get("maxtime", "INFINITE"))
    return key == "defaulttime" and limit_minutes(value) > longest


def _shown(fixture: SlurmFixture) -> dict[str, dict[str, str]]:
    text = fixture.cluster.call("scontrol", "--oneliner", "show", "partition")
    tables = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in text.splitlines()]
    return {table["PartitionName"]: table for table in tables}


def _normal(key: str, value: str) -> str:
    if key in TIMES:
        return str(limit_minutes(value))
    return ",".join(sorted(value.upper().split(",")))


def has_time_limit(one: SlurmDeployment) -> bool:
    return limit_minutes(one.planned[0].attributes.get("maxtime", "INFINITE")) < 500_000


@scenario("a job beyond the partition's time limit does not start", has_time_limit)
def too_long(fixture: SlurmFixture) -> CheckFinding:
    limit = int(limit_minutes(fixture.partition.attributes["maxtime"])) + 60
    try:
        number = fixture.submit(1, limit)
    except RefusedError:
        return CheckFinding("it does not start", "it does not start")
    # Slurm takes such a job, says why it will never start, and looks at it no more.
    fixture.cluster.wait(
        lambda: not fixture.job(number).waits or fixture.job(number).reason == "PartitionTimeLimit",
        "a job beyond the limit to be refused or started",
    )
    seen = "it starts" if fixture.job(number).has_started else "it does not start"
    return CheckFinding("it does not start", seen)


def is_closed(one: SlurmDeployment) -> bool:
    return "allowgroups" in one.planned[0].attributes


@scenario("users outside AllowGroups are refused", is_closed, as_other_user=True)
def outsiders(fixture: SlurmFixture) -> CheckFinding:
    layout = fixture.deployed.layout
    names = [fixture.partition.name, *(one.name for one in (layout.partitions if layout else ()))]
    answers = []
    for name in names:
        try:
            fixture.submit(1, 1, user=OTHER_USER, partition=name)
            answers.append(f"{name} accepts")
        except RefusedError:
            answers.append(f"{name} refuses")
    return CheckFinding("; ".join(f"{name} refuses" for name in names), "; ".join(answers))
