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


def test_mixed_needs_make_kinds() -> None:
    jobs = zw.Jobs([0, 1, 2, 3], [4, 2, 4, 8], [1.5, 1.0, 2.0, 1.0], job_class=["b", "a", "a", "b"])
    kinds = JobStream(jobs).kinds
    assert kinds.class_of.tolist() == [0, 0, 1, 1]
    assert kinds.need_of.tolist() == [2, 4, 4, 8]
    assert kinds.needs.tolist() == [2, 4, 8]
    assert kinds.class_needs.tolist() == [4, 8]
    assert kinds.class_demands == [10.0, 14.0]
    assert kinds.class_services.tolist() == [1.5, 1.25]
