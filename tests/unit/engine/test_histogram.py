import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerowait.engine.sums import N_BUCKETS, bucket_edges, histogram_origin, quantile, time_bucket

UNITS = [1e-3, 1.0, 17.75, 86400.0]


@pytest.mark.parametrize("unit", UNITS)
@given(share=st.floats(1e-9, 1e9))
def test_a_bucket_holds_its_times_and_is_narrow(unit: float, share: float) -> None:
    time, origin = unit * share, histogram_origin(unit)
    edges = bucket_edges(origin)
    bucket = time_bucket(time, origin)
    assert edges[bucket] <= time < edges[bucket + 1]
    middle = (edges[bucket] + edges[bucket + 1]) / 2
    assert abs(middle - time) <= 0.008 * time


def test_what_is_out_of_range_goes_to_the_ends() -> None:
    origin = histogram_origin(1.0)
    assert time_bucket(0.0, origin) == 0
    assert time_bucket(1e-300, origin) == 0
    assert time_bucket(1e300, origin) == N_BUCKETS - 1
    assert time_bucket(math.inf, origin) == N_BUCKETS - 1


def test_quantiles_of_a_sample() -> None:
    values = np.random.default_rng(1).lognormal(2.0, 2.0, 20_000)
    values[:5_000] = 0.0
    origin = histogram_origin(7.0)
    counts = np.zeros(N_BUCKETS, np.int64)
    for value in values:
        counts[time_bucket(value, origin)] += 1
    for probability in (0.2, 0.5, 0.95, 0.999):
        exact = np.quantile(values, probability, method="inverted_cdf")
        assert quantile(counts, origin, probability, values.max()) == pytest.approx(exact, rel=0.01)
    assert quantile(counts, origin, 1.0, values.max()) == values.max()
    assert math.isnan(quantile(np.zeros(N_BUCKETS, np.int64), origin, 0.5, 0.0))
