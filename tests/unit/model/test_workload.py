"""Job classes and workloads: demands, loads and what they refuse."""

import math
import pickle

import numpy as np
import pytest

from zerowait.model import (
    Deterministic,
    Exponential,
    FixedTimes,
    InputError,
    JobClass,
    Jobs,
    Poisson,
    Renewal,
    Workload,
)

SMALL = JobClass(need=1, share=0.75, service=Exponential(2.0), name="small")
LARGE = JobClass(need=8, share=0.25, service=Exponential(4.0), name="large")
BOTH = Workload([SMALL, LARGE])


def test_exact_announcements_are_not_spelled_out() -> None:
    assert repr(SMALL) == (
        "JobClass(need=1, share=0.75, service=Exponential(mean=2.0), name='small')"
    )
    assert repr(JobClass(1, 1, Exponential(1), "", Exponential(2))).endswith(
        "name='', overestimation=Exponential(mean=2.0))"
    )


def test_demands() -> None:
    assert LARGE.mean_service == 4
    assert LARGE.demand == 8
    assert BOTH.needs.dtype == np.int64
    assert BOTH.needs.tolist() == [1, 8]
    assert BOTH.shares.tolist() == [0.75, 0.25]
    assert BOTH.mean_services.tolist() == [2, 4]
    assert BOTH.demands.tolist() == [1.5, 8]
    assert (BOTH.demand, BOTH.mean_service, BOTH.max_need) == (9.5, 2.5, 8)


def test_is_a_value() -> None:
    assert Workload((SMALL, LARGE)) == BOTH
    assert hash(Workload((SMALL, LARGE))) == hash(BOTH)
    assert pickle.loads(pickle.dumps(BOTH)) == BOTH != BOTH.with_arrival_rate(1)
    with pytest.raises(ValueError, match="read-only"):
        BOTH.shares[0] = 1
    assert JobClass(np.int64(3), np.float32(0.5), Exponential(1)) == JobClass(  # type: ignore[arg-type]
        3, 0.5, Exponential(1)
    )


@pytest.mark.parametrize(
    "arrivals", [Poisson(), Poisson(3), Renewal(Exponential(9)), FixedTimes([0, 1, 5])]
)
def test_load_decides_the_rate(arrivals: Poisson) -> None:
    loaded = Workload(BOTH.classes, arrivals).with_load(servers=16, load=0.9)
    assert loaded.arrivals.rate == pytest.approx(0.9 * 16 / 9.5)
    assert loaded.arrivals.rate == pytest.approx(BOTH.arrival_rate(16, 0.9))
    assert loaded.load(16) == pytest.approx(0.9)
    assert loaded.load(32) == pytest.approx(0.45)
    assert type(loaded.arrivals) is type(arrivals)
    assert loaded.classes == BOTH.classes


def test_shares_sum_to_one_up_to_rounding_and_are_kept() -> None:
    thirds = [JobClass(1, 0.1, Exponential(1))] * 10
    assert Workload(thirds).shares.tolist() == [0.1] * 10
    with pytest.raises(InputError, match=r"sum of shares = 0.99"):
        Workload([JobClass(1, 0.99, Exponential(1))])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: JobClass(0, 1, Exponential(1)), "need = 0"),
        (lambda: JobClass(2.0, 1, Exponential(1)), "need = 2.0"),  # type: ignore[arg-type]
        (lambda: JobClass(1, 0, Exponential(1)), "share = 0"),
        (lambda: JobClass(1, 1.1, Exponential(1)), "share = 1.1"),
        (lambda: JobClass(1, math.nan, Exponential(1)), "share = nan"),
        (lambda: JobClass(1, 1, 2.0), "service = 2.0"),  # type: ignore[arg-type]
        (lambda: JobClass(1, 1, Exponential(1), 5), "name = 5"),  # type: ignore[arg-type]
        (lambda: JobClass(1, 1, Exponential(1), "", 2.0), "overestimation = 2.0"),  # type: ignore[arg-type]
        (lambda: Workload([]), r"classes = \[\]"),
        (lambda: Workload(SMALL), "classes = JobClass"),  # type: ignore[arg-type]
        (lambda: Workload([SMALL, "x"]), r"classes\[1\] = 'x'"),  # type: ignore[list-item]
        (lambda: Workload(BOTH.classes, 2.0), "arrivals = 2.0"),  # type: ignore[arg-type]
        (lambda: BOTH.load(8), "arrival rate = None"),
        (lambda: BOTH.with_load(8, 0), "load = 0"),
        (lambda: BOTH.with_load(0, 0.5), "servers = 0"),
        (lambda: BOTH.with_arrival_rate(-1), "rate = -1"),
        (lambda: BOTH.check_fits(7), r"need of classes\[1\] \(large\) = 8: exceeds the 7 servers"),
        (
            lambda: Workload([JobClass(1, 1, Deterministic(0))]).with_load(1, 0.5),
            "demand = 0.0",
        ),
    ],
)
def test_refuses_and_says_why(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()


def test_each_class_has_a_name_of_its_own() -> None:
    law = Exponential(1.0)
    with pytest.raises(InputError, match="name = 'a': stands for 2 classes"):
        Workload([JobClass(1, 0.5, law, "a"), JobClass(2, 0.5, law, "a")])
    unnamed = Workload([JobClass(1, 0.5, law), JobClass(1, 0.25, law), JobClass(2, 0.25, law)])
    assert unnamed.class_names == ["need 1 (class 1)", "need 1 (class 2)", "need 2"]


def test_needs_beyond_the_floats() -> None:
    with pytest.raises(InputError, match=r"need = .*at most"):
        JobClass(10**20, 1.0, Exponential(1.0))
    with pytest.raises(InputError, match=r"need\[0\] = 1e\+20"):
        Jobs([0], [1e20], [1])


def test_large_jobs_set_aside() -> None:
    classes = [JobClass(1, 0.5, Exponential(2.0)), JobClass(64, 0.5, Exponential(1.0))]
    workload = Workload(classes, Poisson(4.0))
    small = workload.up_to(8)
    assert [c.need for c in small.classes] == [1]
    assert small.shares.tolist() == [1.0]
    assert small.arrivals.rate == 2.0  # the others come as often as before
    assert workload.up_to(64) == workload
    with pytest.raises(InputError, match="max_need = 0"):
        workload.up_to(0)
    few = Workload([JobClass(4, 1.0, Exponential(1.0))])
    with pytest.raises(InputError, match="max_need = 2: leaves no class; they need 4 on"):
        few.up_to(2)
