"""The published workloads: the paper's parameters, exactly."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from zerowait.model import InputError, Workload, workloads
from zerowait.model.workloads import WORKLOADS, named_workload


def test_register() -> None:
    assert {
        "figure1": workloads.figure1,
        "sdsc-sp2": workloads.sdsc_sp2,
        "kit-fh2": workloads.kit_fh2,
    } == WORKLOADS


def test_figure1() -> None:
    workload = workloads.figure1(2048)
    assert workload.needs.tolist() == [16, 32, 64, 128]
    assert workload.mean_services.tolist() == [1, 40, 20, 10]
    assert workload.shares.tolist() == [0.95, *[0.05 / 3] * 3]
    assert workload.demand == pytest.approx(4.95 * 16)  # 0.95 f_k small, 4 f_k large
    assert workload.load(2048) == pytest.approx(1 - 0.7 / (2048 / 16) ** 0.5)
    assert workloads.figure1(2048, load=0.8).load(2048) == pytest.approx(0.8)
    with pytest.raises(InputError, match="= 8: exceeds the 7 servers"):
        workloads.figure1(7)


@pytest.mark.parametrize(
    ("make", "printed", "first", "last"),
    [
        (workloads.sdsc_sp2, 1.0000, (10519.71, 18267.03, 0.2321), (8302.33, 19074.81, 0.054)),
        (workloads.kit_fh2, 0.9999, (1845.19, 11440.31, 0.7851), (61343.42, 106094.97, 0.0393)),
    ],
)
@pytest.mark.parametrize("law", ["lognormal", "hyperexponential", "exponential"])
def test_tables(
    make: Callable[[str], Workload],
    printed: float,
    first: tuple[float, ...],
    last: tuple[float, ...],
    law: str,
) -> None:
    workload = make(law)
    assert workload.needs.tolist() == [1, 2, 4, 8, 16, 32, 64]
    assert workload.arrivals.rate is None
    for job_class, (mean, std, share) in zip(
        (workload.classes[0], workload.classes[-1]), (first, last), strict=True
    ):
        assert job_class.service.name == law
        assert job_class.mean_service == pytest.approx(mean)
        assert job_class.service.std == pytest.approx(mean if law == "exponential" else std)
        assert job_class.share == pytest.approx(share / printed, rel=1e-12)
    with pytest.raises(InputError, match="law = 'normal'"):
        make("normal")


def test_sdsc_sp2_as_described() -> None:
    workload = workloads.sdsc_sp2(table="described")
    assert workload.needs.tolist() == [1, 2, 4, 8, 16, 32, 64]
    assert workload.classes[0].mean_service == pytest.approx(7434.64)
    assert workload.classes[-1].service.std == pytest.approx(16005.43)
    assert workload.classes[1].share == pytest.approx(0.1607, abs=1e-4)
    assert named_workload("sdsc-sp2,table=described", 512) == workload
    with pytest.raises(InputError, match="table = 'printed'"):
        workloads.sdsc_sp2(table="printed")


def test_the_model_does_not_import_scipy() -> None:
    code = "import sys, zerowait.model; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
