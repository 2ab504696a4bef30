"""Scenarios about the queue: in which order jobs start, and whom a blocked job holds back."""

from zerowait.deploy.check.fixture import SlurmFixture
from zerowait.deploy.check.scenarios import (
    CheckFinding,
    never_reserves,
    reserves,
    reserves_late,
    scenario,
    without_split,
)
from zerowait.deploy.order import queue_key
from zerowait.deploy.slurm.deployment import SlurmDeployment

MARGIN_S = 120.0


def play_queue(
    fixture: SlurmFixture, jobs: list[tuple[float, int, int]], restart: bool = False
) -> CheckFinding:
    """Let jobs (seconds after the one before, nodes, minutes) wait for all nodes, then start.

    They start one by one, because any two of them need more nodes than there are.
    """
    blocker = fixture.block()
    names: dict[int, str] = {}
    keys: dict[str, tuple[float, int]] = {}
    for gap, nodes, limit_min in jobs:
        fixture.pass_time(gap)
        number = fixture.submit(nodes, limit_min)
        name = f"{nodes} x {limit_min} min ({len(names) + 1}.)"
        names[number] = name
        submit = fixture.job(number).submit
        keys[name] = queue_key(fixture.order, submit, nodes, 60.0 * limit_min), number
    if restart:
        fixture.cluster.restart_controller()
    fixture.let_go(blocker)
    fixture.cluster.wait_for_end(names)
    expected = ", ".join(sorted(keys, key=lambda name: keys[name]))
    return CheckFinding(expected, fixture.order_of_starts(names))


def varied_jobs(fixture: SlurmFixture) -> list[tuple[float, int, int]]:
    """Return jobs of different sizes, with gaps such that both allowances and arrivals matter."""
    whole, half = fixture.n_nodes, fixture.n_nodes // 2 + 1
    long, short = fixture.longest_min, max(1, fixture.longest_min // 16)
    gap = fixture.order.patience * 1.5
    return [(0, whole, long), (60, half, long), (60, whole, short), (gap, half, long),
            (60, half, short), (gap, whole, long), (60, half, short)]  # fmt: skip


@scenario("waiting jobs start by their keys", without_split)
def by_key(fixture: SlurmFixture) -> CheckFinding:
    return play_queue(fixture, varied_jobs(fixture))


@scenario("jobs with equal keys start as they were submitted", without_split)
def equal_keys(fixture: SlurmFixture) -> CheckFinding:
    return play_queue(fixture, [(0, fixture.n_nodes, fixture.longest_min)] * 5)


@scenario("a restart of the controller keeps the order", without_split)
def order_survives_restart(fixture: SlurmFixture) -> CheckFinding:
    return play_queue(fixture, varied_jobs(fixture)[::-1], restart=True)


HIGHEST, EPOCH = 2_147_483_645, 1_700_000_000  # as in job_submit.lua


class Blocked:
    """A job that holds all nodes but `idle`, and the head of the line, which waits for them.

    The first has two units of time left; a unit is a quarter of the longest limit that jobs may
    ask for. The head asks for a minute, so that it goes before whatever comes later.
    """

    def __init__(self, fixture: SlurmFixture, idle: int = 1, left_over: int = 0) -> None:
        self.fixture, self.unit_min = fixture, max(1, fixture.longest_min // 4)
        self.blocker = fixture.block(fixture.n_nodes - idle)
        self.head = fixture.submit(fixture.n_nodes - left_over, 1)
        fixture.until_looked_at(self.head)

    def wait_for_reservation(self) -> None:
        """Wait until the head has a reservation, with two units left to the blocker."""
        self.pass_time(self.fixture.order.reserve_after + MARGIN_S)
        self.fixture.until_looked_at(self.head)

    def pass_time(self, seconds: float) -> None:
        """Put time forward; the blocker has two units left afterwards."""
        self.limit_blocker(seconds)
        self.fixture.pass_time(seconds)

    def limit_blocker(self, ahead: float = 0.0) -> None:
        """Limit the blocker to two units more than it will have run `ahead` seconds from now."""
        # Once it has a limit it keeps one: Slurm computes another end if it is taken away.
        elapsed = self.fixture.cluster.clock.now() - (self.fixture.job(self.blocker).start or 0.0)
        self.fixture.set_limit(self.blocker, str(int((elapsed + ahead) / 60) + 2 * self.unit_min))

    def starts(self, nodes: int, limit_min: int) -> str:
        """Submit a job, and tell whether it starts while the head waits."""
        number = self.fixture.submit(nodes, limit_min, real_s=30.0)
        self.fixture.until_looked_at(number)
        started = self.fixture.job(number).has_started
        self.fixture.let_go(number)
        self.fixture.cluster.wait_for_end([number])
        return "starts" if started else "waits"


@scenario("before reserve_after a blocked job holds nobody back", reserves_late)
def holds_nobody_back(fixture: SlurmFixture) -> CheckFinding:
    blocked = Blocked(fixture)
    blocked.limit_blocker()
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return CheckFinding("a job that would delay it starts", f"a job that would delay it {seen}")


@scenario("a blocked job never holds anybody back", never_reserves)
def never_holds_back(fixture: SlurmFixture) -> CheckFinding:
    blocked = Blocked(fixture)
    blocked.pass_time(20 * 86_400.0)
    fixture.until_looked_at(blocked.head)
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return CheckFinding("a job that would delay it starts", f"a job that would delay it {seen}")


# By need alone, whoever fits while the head does not is smaller, and goes before it.
def holds_back(one: SlurmDeployment) -> bool:
    return reserves(one) and one.order.key != "need"


@scenario("after reserve_after a blocked job is not delayed, and others pass it", holds_back)
def is_not_delayed(fixture: SlurmFixture) -> CheckFinding:
    blocked = Blocked(fixture)
    blocked.wait_for_reservation()
    long, short = (blocked.starts(1, n * blocked.unit_min) for n in (4, 1))
    return CheckFinding(
        "a job that would delay it waits, one that ends in time starts",
        f"a job that would delay it {long}, one that ends in time {short}",
    )


@scenario("servers that a blocked job will not need are free for others, but for one", holds_back)
def spare_servers(fixture: SlurmFixture) -> CheckFinding:
    """Expect one of two to be free: Slurm reserves an idle node without need (decision 0702)."""
    blocked = Blocked(fixture, idle=2, left_over=2)
    blocked.wait_for_reservation()
    one, two = (blocked.starts(nodes, 4 * blocked.unit_min) for nodes in (1, 2))
    return CheckFinding(
        "of two spare servers a long job of one starts, of two waits",
        f"of two spare servers a long job of one {one}, of two {two}",
    )


@scenario("where a blocked job needs idle servers, it takes no more than that", holds_back)
def needed_servers(fixture: SlurmFixture) -> CheckFinding:
    """Expect no loss: the idle node that Slurm reserves without need is one that is needed."""
    blocked = Blocked(fixture, idle=2, left_over=1)
    blocked.wait_for_reservation()
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return CheckFinding(
        "a long job of the one server left over starts",
        f"a long job of the one server left over {seen}",
    )


@scenario("a reservation is for the first in line alone", holds_back)
def one_reservation(fixture: SlurmFixture) -> CheckFinding:
    """Expect that a second blocked job reserves nothing: a job that delays only it starts."""
    blocked = Blocked(fixture, idle=3, left_over=3)
    blocked.wait_for_reservation()
    second = fixture.submit(fixture.n_nodes, 4 * blocked.unit_min)
    # The next one stands behind the second as well: nobody gains three patiences by being small.
    blocked.pass_time(fixture.order.reserve_after + 3 * fixture.order.patience + MARGIN_S)
    fixture.until_looked_at(second)
    seen = blocked.starts(1, 4 * blocked.unit_min)
    return CheckFinding(
        "a job that delays only the second starts", f"a job that delays only the second {seen}"
    )


def is_fcfs(one: SlurmDeployment) -> bool:
    return one.layout is None and not one.order.backfills


@scenario("the first job that does not fit blocks all behind it", is_fcfs)
def blocks_all(fixture: SlurmFixture) -> CheckFinding:
    seen = Blocked(fixture).starts(1, 1)
    return CheckFinding("a later job that fits waits", f"a later job that fits {seen}")
