from dataclasses import replace

import numpy as np
import pytest

import zerowait as zw
from zerowait.engine.loop import Chunk
from zerowait.engine.stream import JobStream, WorkloadStream

LAWS = [
    zw.Exponential(1.0),
    zw.Gamma(0.3, 2.0),
    zw.Mixture([0.5, 0.5], [zw.Lognormal(0.0, 2.0), zw.Deterministic(3.0)]),
    zw.Hyperexponential.from_mean_std(1.0, 4.0),
]


def workload(n_classes: int) -> zw.Workload:
    classes = [
        zw.JobClass(1 + number, 1 / n_classes, LAWS[number % len(LAWS)])
        for number in range(n_classes)
    ]
    return zw.Workload(classes, zw.Renewal(zw.Erlang(2, 1.0), rate=3.0))


def drawn(described: zw.Workload, n_jobs: int, chunk_size: int, seed: int = 1) -> list[np.ndarray]:
    stream = WorkloadStream(described, n_jobs, np.random.SeedSequence(seed))
    none = np.zeros(0, np.int64)
    parts = []
    while True:
        chunk = Chunk(
            *(np.zeros(chunk_size) for _ in range(3)), np.zeros(chunk_size, np.int64),
            none, none, none,
        )  # fmt: skip
        n = stream.fill(chunk, chunk_size)
        if n == 0:
            return [np.concatenate(column) for column in zip(*parts, strict=True)]
        parts.append([column[:n] for column in chunk[:4]])


@pytest.mark.parametrize("n_classes", [1, 4, 30])
def test_chunks_do_not_matter(n_classes: int) -> None:
    expected = drawn(workload(n_classes), 10_000, 10_000)
    for chunk_size in (1_111, 64):
        for one, other in zip(
            expected, drawn(workload(n_classes), 10_000, chunk_size), strict=True
        ):
            assert np.array_equal(one, other)
    arrival, service, estimate, kind = expected
    assert len(arrival) == 10_000
    assert (np.diff(arrival) >= 0).all()
    assert np.array_equal(service, estimate)
    assert set(kind) == set(range(n_classes))


def test_the_first_jobs_do_not_depend_on_how_many_follow() -> None:
    short, long = drawn(workload(4), 1_000, 256), drawn(workload(4), 5_000, 256)
    assert all(np.array_equal(a, b[:1_000]) for a, b in zip(short, long, strict=True))


def test_a_class_is_not_disturbed_by_the_laws_of_the_others() -> None:
    """Each class draws from a generator of its own: sensitivity studies stay paired."""
    one = workload(2)
    changed = zw.Workload([one.classes[0], zw.JobClass(2, 0.5, zw.Uniform(0.0, 2.0))], one.arrivals)
    before, after = drawn(one, 3_000, 512), drawn(changed, 3_000, 512)
    assert np.array_equal(before[3], after[3])
    assert np.array_equal(before[1][before[3] == 0], after[1][after[3] == 0])


def test_overestimates_change_nothing_else() -> None:
    """Services, arrivals and classes stay bit for bit; each class is announced by its own law."""
    one = workload(3)
    laws = [zw.Uniform(0.5, 3.0), None, zw.Deterministic(2.0)]
    told = zw.Workload(
        [replace(c, overestimation=law) for c, law in zip(one.classes, laws, strict=True)],
        one.arrivals,
    )
    exact, over = drawn(one, 6_000, 512), drawn(told, 6_000, 777)
    for column in (0, 1, 3):
        assert np.array_equal(exact[column], over[column])
    _, service, estimate, kind = over
    first, second, third = (kind == number for number in range(3))
    ratio = estimate[first] / service[first]
    assert ratio.min() == 1  # a fifth of the ratios is below 1, and raised to it
    assert 2.9 < ratio.max() <= 3 * (1 + 1e-12)
    # E[max(1, U)] = (0.5 + (9 - 1) / 2) / 2.5 = 1.8, std 0.69
    assert ratio.mean() == pytest.approx(1.8, abs=4 * 0.69 / np.sqrt(first.sum()))
    assert np.array_equal(estimate[second], service[second])
    assert np.array_equal(estimate[third], 2 * service[third])


def test_mixed_needs_make_kinds() -> None:
    jobs = zw.Jobs([0, 1, 2, 3], [4, 2, 4, 8], [1.5, 1.0, 2.0, 1.0], job_class=["b", "a", "a", "b"])
    kinds = JobStream(jobs).kinds
    assert kinds.class_of.tolist() == [0, 0, 1, 1]
    assert kinds.need_of.tolist() == [2, 4, 4, 8]
    assert kinds.needs.tolist() == [2, 4, 8]
    assert kinds.class_needs.tolist() == [4, 8]
    assert kinds.class_demands == [10.0, 14.0]
    assert kinds.class_services.tolist() == [1.5, 1.25]
