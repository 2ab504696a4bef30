import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.simulation.divergence import is_diverging


def test_growth_is_told_from_noise() -> None:
    rng = np.random.default_rng(1)
    assert is_diverging(np.arange(1.0, 17.0))
    assert not is_diverging(100 + 10 * rng.standard_normal(16))
    assert not is_diverging(100 + np.arange(16.0))  # a trend, but hardly any growth
    assert not is_diverging(np.full(16, np.nan))
    assert not is_diverging(np.arange(1.0, 5.0))  # too few parts to say


@pytest.mark.parametrize(("load", "diverging"), [(0.5, False), (0.95, False), (1.3, True)])
def test_a_single_server(load: float, diverging: bool) -> None:
    workload = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))]).with_load(1, load)
    if diverging:
        with pytest.warns(zw.UnstableWarning):
            result = zw.simulate(workload, 1, arrivals=200_000, seed=3, allow_unstable=True)
    else:
        result = zw.simulate(workload, 1, arrivals=200_000, seed=3)
    assert result.diverging is diverging
