"""What is written is read back, bit for bit."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.files.workload_file import workload_toml
from zerowait.model.laws import LAWS

MANY = np.random.default_rng(1).exponential(3.0, 500)
EXAMPLES: dict[str, zw.Law] = {
    "bounded-pareto": zw.BoundedPareto(1.1, 1.0, 1e5),
    "deterministic": zw.Deterministic(3.0),
    "empirical": zw.Empirical(MANY),
    "erlang": zw.Erlang(3, 2.0),
    "exponential": zw.Exponential(1 / 3),
    "gamma": zw.Gamma(0.123456789012345, 1e-7),
    "hyperexponential": zw.Hyperexponential((0.9, 0.1), (1.0, 50.0)),
    "lognormal": zw.Lognormal(-1.5, 0.7),
    "mixture": zw.Mixture((0.5, 0.5), (zw.Lognormal(1.0, 1.0), zw.Pareto(1.5, 2.0))),
    "pareto": zw.Pareto(1.5, 2.0),
    "uniform": zw.Uniform(0.0, 2.0),
    "weibull": zw.Weibull(0.5, 2.0),
}


def test_every_law_has_an_example() -> None:
    assert set(EXAMPLES) == set(LAWS)


@pytest.mark.parametrize("law", EXAMPLES)
@pytest.mark.parametrize(
    "arrivals",
    [
        zw.Poisson(),
        zw.Poisson(0.1),
        zw.Renewal(zw.Empirical(MANY), 2.0),
        zw.Rhythm(zw.Empirical(MANY), MANY[:168], rate=0.1),
        zw.Rhythm(zw.Exponential(1.0), [1.0, 0.25], period=24.0),
    ],
    ids=["poisson", "rate", "renewal", "rhythm", "days"],
)
def test_round_trip(tmp_path: Path, law: str, arrivals: zw.ArrivalProcess) -> None:
    classes = [
        zw.JobClass(1, 1 / 3, EXAMPLES[law], 'a "name" \\ with é'),
        zw.JobClass(8, 2 / 3, zw.Exponential(1.0), overestimation=EXAMPLES[law]),
    ]
    workload = zw.Workload(classes, arrivals)
    path = tmp_path / "w.toml"
    zw.save_workload(workload, path, note="where it is from\nand how")
    assert zw.load_workload(path) == workload
    assert path.read_text().startswith("# where it is from\n# and how\n")
    assert max(map(len, path.read_text().splitlines())) < 200


def test_workloads_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    workload = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))], zw.FixedTimes([0.0, 1.0]))
    with pytest.raises(zw.InputError, match="arrivals = fixed-times"):
        workload_toml(workload)
    with pytest.raises(zw.InputError, match="cannot be written"):
        zw.save_workload(zw.workloads.sdsc_sp2(), tmp_path / "none" / "w.toml")
