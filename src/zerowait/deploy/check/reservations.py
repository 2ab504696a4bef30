"""Promises about a job that does not fit: whom it holds back, and from when on."""

from zerowait.deploy.check.bench import Bench
from zerowait.deploy.check.scenario import (
    Finding,
    never_reserves,
    reserves,
    reserves_late,
    scenario,
)
from zerowait.deploy.slurm.deployment import Deployment

MARGIN_S = 120.0


class Blocked:
    """All nodes but some are held by a job with two units of time left; another, the head of the
    line, waits for them. A unit is a quarter of the longest limit that jobs may ask for, and the
    head asks for a minute: it goes before whatever comes later, be it by arrival or by size."""

    def __init__(self, bench: Bench, idle: int = 1, left_over: int = 0) -> None:
        self.bench, self.unit_min = bench, max(1, bench.longest_min // 4)
        self.blocker = bench.block(bench.n_nodes - idle)
        self.head = bench.submit(bench.n_nodes - left_over, 1)
        bench.until_looked_at(self.head)

    def wait_for_reservation(self) -> None:
        """Until the head has waited long enough; then the blocker has two units left."""
        self.pass_time(self.bench.order.reserve_after + MARGIN_S)
        self.bench.until_looked_at(self.head)

    def pass_time(self, seconds: float) -> None:
        """The blocker does not run into its limit meanwhile; afterwards it has two units left."""
        self.limit_blocker(seconds)
        self.bench.pass_time(seconds)

    def limit_blocker(self, ahead: float = 0.0) -> None:
        """Two units more than it has run, `ahead` seconds from now. Never without a limit once it
        has one: of a limit, none, and a limit again Slurm makes another end."""
        elapsed = self.bench.cluster.clock.now() - (self.bench.job(self.blocker).start or 0.0)
        self.bench.set_limit(self.blocker, str(int((elapsed + ahead) / 60) + 2 * self.unit_min))

    def starts(self, nodes: int, limit_min: int) -> str:
        """Does a job that is submitted now start while the head waits?"""
        number = self.bench.submit(nodes, limit_min, real_s=30.0)
        self.bench.until_looked_at(number)
        started = self.bench.job(number).has_started
        self.bench.let_go(number)
        self.bench.until_ended([number])
        return "starts" if started else "waits"


@scenario("before reserve_after a blocked job holds nobody back", reserves_late)
def holds_nobody_back(bench: Bench) -> Finding:
    blocked = Blocked(bench)
    blocked.limit_blocker()
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return Finding("a job that would delay it starts", f"a job that would delay it {seen}")


@scenario("a blocked job never holds anybody back", never_reserves)
def never_holds_back(bench: Bench) -> Finding:
    blocked = Blocked(bench)
    blocked.pass_time(20 * 86_400.0)
    bench.until_looked_at(blocked.head)
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return Finding("a job that would delay it starts", f"a job that would delay it {seen}")


# By need alone, whoever fits while the head does not is smaller, and goes before it.
def holds_back(one: Deployment) -> bool:
    return reserves(one) and one.order.key != "need"


@scenario("after reserve_after a blocked job is not delayed, and others pass it", holds_back)
def is_not_delayed(bench: Bench) -> Finding:
    blocked = Blocked(bench)
    blocked.wait_for_reservation()
    long, short = (blocked.starts(1, n * blocked.unit_min) for n in (4, 1))
    return Finding(
        "a job that would delay it waits, one that ends in time starts",
        f"a job that would delay it {long}, one that ends in time {short}",
    )


@scenario("servers that a blocked job will not need are free for others, but for one", holds_back)
def spare_servers(bench: Bench) -> Finding:
    """Slurm reserves an idle node without need (docs/decisions/0702): of two, one is free."""
    blocked = Blocked(bench, idle=2, left_over=2)
    blocked.wait_for_reservation()
    one, two = (blocked.starts(nodes, 4 * blocked.unit_min) for nodes in (1, 2))
    return Finding(
        "of two spare servers a long job of one starts, of two waits",
        f"of two spare servers a long job of one {one}, of two {two}",
    )


@scenario("where a blocked job needs idle servers, it takes no more than that", holds_back)
def needed_servers(bench: Bench) -> Finding:
    """The idle node that Slurm reserves without need is one of those it needs, then."""
    blocked = Blocked(bench, idle=2, left_over=1)
    blocked.wait_for_reservation()
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return Finding(
        "a long job of the one server left over starts",
        f"a long job of the one server left over {seen}",
    )


@scenario("a reservation is for the first in line alone", holds_back)
def one_reservation(bench: Bench) -> Finding:
    """A second blocked job, less urgent, reserves nothing: a job that delays only it starts."""
    blocked = Blocked(bench, idle=3, left_over=3)
    blocked.wait_for_reservation()
    second = bench.submit(bench.n_nodes, 4 * blocked.unit_min)
    # The next one stands behind the second as well: nobody gains three patiences by being small.
    blocked.pass_time(bench.order.reserve_after + 3 * bench.order.patience + MARGIN_S)
    bench.until_looked_at(second)
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return Finding(
        "a job that delays only the second starts", f"a job that delays only the second {seen}"
    )


def is_fcfs(one: Deployment) -> bool:
    return one.layout is None and not one.order.backfills


@scenario("the first job that does not fit blocks all behind it", is_fcfs)
def blocks_all(bench: Bench) -> Finding:
    seen = Blocked(bench).starts(1, 1)
    return Finding("a later job that fits waits", f"a later job that fits {seen}")
