"""Promises about the order in which waiting jobs start."""

from zerowait.deploy.check.bench import Bench
from zerowait.deploy.check.scenario import Finding, scenario, without_split
from zerowait.deploy.order import key_of


def played(bench: Bench, jobs: list[tuple[float, int, int]], restart: bool = False) -> Finding:
    """Jobs (seconds after the one before, nodes, minutes) wait for all nodes, then start one by
    one: any two of them need more than there are."""
    blocker = bench.block()
    names: dict[int, str] = {}
    keys: dict[str, tuple[float, int]] = {}
    for gap, nodes, limit_min in jobs:
        bench.pass_time(gap)
        number = bench.submit(nodes, limit_min)
        name = f"{nodes} x {limit_min} min ({len(names) + 1}.)"
        names[number] = name
        submit = bench.job(number).submit
        keys[name] = key_of(bench.order, submit, nodes, 60.0 * limit_min), number
    if restart:
        bench.cluster.restart_controller()
    bench.let_go(blocker)
    bench.until_ended(names)
    expected = ", ".join(sorted(keys, key=lambda name: keys[name]))
    return Finding(expected, bench.order_of_starts(names))


def various(bench: Bench) -> list[tuple[float, int, int]]:
    """Large and small, long and short, soon and late: the gaps are such that allowances decide
    some of the order, and arrivals the rest."""
    whole, half = bench.n_nodes, bench.n_nodes // 2 + 1
    long, short = bench.longest_min, max(1, bench.longest_min // 16)
    gap = bench.order.patience * 1.5
    return [(0, whole, long), (60, half, long), (60, whole, short), (gap, half, long),
            (60, half, short), (gap, whole, long), (60, half, short)]  # fmt: skip


@scenario("waiting jobs start by their keys", without_split)
def by_key(bench: Bench) -> Finding:
    return played(bench, various(bench))


@scenario("jobs with equal keys start as they were submitted", without_split)
def equal_keys(bench: Bench) -> Finding:
    return played(bench, [(0, bench.n_nodes, bench.longest_min)] * 5)


@scenario("a restart of the controller keeps the order", without_split)
def restarted(bench: Bench) -> Finding:
    return played(bench, various(bench)[::-1], restart=True)
