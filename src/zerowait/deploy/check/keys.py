"""Promises about a job's key: it follows the job, and nobody but the plan gives it."""

import os

from zerowait.deploy.check.bench import OTHER_USER, Bench
from zerowait.deploy.check.scenario import Finding, scenario, without_split
from zerowait.deploy.cluster.cluster import RefusedError
from zerowait.deploy.order import Order, key_of
from zerowait.deploy.slurm.deployment import Deployment
from zerowait.deploy.slurm.scripts import REKEY_FILE

HIGHEST, EPOCH = 2_147_483_645, 1_700_000_000  # as in job_submit.lua


def by_size(one: Deployment) -> bool:
    return without_split(one) and one.order.key != "arrival"


def expected_priority(order: Order, arrival: float, need: int, limit_min: int) -> int:
    """The site factor that job_submit.lua has to give."""
    key = key_of(order, arrival, need, 60.0 * limit_min)
    if order.key in ("due", "arrival"):
        key -= EPOCH
    elif order.key in ("estimate", "area"):
        key /= 60
    return HIGHEST - int(key + 0.5)


def told(seen: int, expected: int) -> Finding:
    """The script looks at the clock a moment before Slurm notes the submission, and the clock
    runs fast here: keys that differ by less than a minute are the same."""
    shown = expected if abs(seen - expected) < 60 else seen
    return Finding(f"priority {expected}", f"priority {shown}")


@scenario("a job that asks for tasks alone has the key of the servers it needs", by_size)
def tasks_alone(bench: Bench) -> Finding:
    blocker = bench.block()
    cpus = bench.deployed.site.cpus(bench.partition.nodes[0])
    need = 3 if bench.deployed.server == "node" else 3 * cpus
    number = bench.submit(None, 30, f"--ntasks={3 * cpus}")
    job = bench.job(number)
    bench.let_go(blocker)
    return told(job.priority, expected_priority(bench.order, job.submit, need, 30))


@scenario("another time limit is another key, counted from the same arrival", by_size)
def changed_limit(bench: Bench) -> Finding:
    bench.block()
    number = bench.submit(bench.n_nodes, bench.longest_min)
    submit = bench.job(number).submit
    shorter = max(1, bench.longest_min // 8)
    bench.set_limit(number, str(shorter))
    expected = expected_priority(bench.order, submit, _servers(bench), shorter)
    bench.settle(lambda: abs(bench.job(number).priority - expected) < 60)
    return told(bench.job(number).priority, expected)


def _servers(bench: Bench) -> int:
    """What a job on all nodes needs."""
    nodes = bench.partition.nodes[: bench.n_nodes]
    site = bench.deployed.site
    return len(nodes) if bench.deployed.server == "node" else sum(map(site.cpus, nodes))


@scenario("a job that its user holds and releases keeps its place", without_split)
def held_and_released(bench: Bench) -> Finding:
    blocker = bench.block()
    user = OTHER_USER if os.getuid() == 0 and is_open(bench.deployed) else None
    numbers = [
        bench.submit(bench.n_nodes, bench.longest_min, real_s=0.2, user=user) for _ in range(3)
    ]
    last = numbers[-1]
    bench.cluster.call("scontrol", "hold", str(last), user=user)
    bench.cluster.call("scontrol", "release", str(last), user=user)
    bench.let_go(blocker)
    bench.until_ended(numbers)
    names = dict(zip(numbers, "ABC", strict=True))
    return Finding("A, B, C", bench.order_of_starts(names))


def is_open(one: Deployment) -> bool:
    return not {"allowgroups", "allowaccounts"} & set(one.planned[0].attributes)


@scenario("users cannot set a priority of their own", is_open, as_other_user=True)
def own_priority(bench: Bench) -> Finding:
    held = bench.submit(1, 1, "--hold")
    waits = f"--dependency=afterany:{held}"
    asked = bench.submit(1, 1, waits, "--priority=4000000000", user=OTHER_USER)
    plain = bench.submit(1, 1, waits, user=OTHER_USER)
    jobs = bench.cluster.jobs()
    # As they came: some seconds may have passed between them.
    gained = "nothing" if 0 <= jobs[asked].priority - jobs[plain].priority < 1000 else "a place"
    changes = ("Priority=4000000000", "SiteFactor=2000000000", "Nice=-100")
    answers = [f"{change} {_answer(bench, asked, change)}" for change in changes]
    try:
        bench.submit(1, 1, waits, "--nice=-100", user=OTHER_USER)
        answers.append("--nice=-100 accepted")
    except RefusedError:
        answers.append("--nice=-100 refused")
    return Finding(
        "--priority gains nothing; Priority=4000000000 refused; SiteFactor=2000000000 refused; "
        "Nice=-100 refused; --nice=-100 refused",
        "; ".join([f"--priority gains {gained}", *answers]),
    )


def _answer(bench: Bench, number: int, change: str) -> str:
    try:
        bench.update(number, change, user=OTHER_USER)
    except RefusedError:
        return "refused"
    return "accepted"


@scenario("rekey.sh gives jobs that waited before the plan the keys of their submission")
def rekeyed(bench: Bench) -> Finding:
    held = bench.submit(1, 1, "--hold")
    number = bench.submit(1, 30, f"--dependency=afterany:{held}")
    before = bench.job(number).priority
    bench.update(number, "SiteFactor=0")
    lost = bench.job(number).priority
    bench.cluster.run_script(REKEY_FILE)
    kept = "its key" if abs(bench.job(number).priority - before) < 60 else "another key"
    without = "1 or less" if lost <= 1 else str(lost)
    return Finding(
        "without it, 1 or less; with it, its key", f"without it, {without}; with it, {kept}"
    )
