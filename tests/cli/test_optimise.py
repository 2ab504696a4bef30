"""`zerowait optimise` end to end, also where it is killed."""

from pathlib import Path

import pytest

from tests.cli.running import answer, killed, ran, refusal
from tests.small_log import SERVERS, small_log
from zerowait.experiment.optimisation.tasks import Lengths

pytestmark = pytest.mark.slow

PROTECT = ("--subject-to", "longest_wait <= 1.25x easy", "--subject-to", "wait[each] <= 1.5x easy")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_log(tmp_path_factory.mktemp("log") / "log.csv")


def test_a_search_that_was_killed_goes_on_to_the_same_answer(log: Path, tmp_path: Path) -> None:
    arguments = ["optimise", log, "-k", SERVERS, *PROTECT, "--evaluations", 40]
    whole = answer(*arguments, "--store", tmp_path / "whole")
    killed(*arguments, store=tmp_path / "part", lines=20)
    again = answer(*arguments, "--store", tmp_path / "part", "--threads", 1)
    for key in ("policy", "objectives", "constraints", "tried", "long_runs"):
        assert again[key] == whole[key]


def test_the_answer_is_the_same_on_a_cluster(log: Path) -> None:
    arguments = ["optimise", log, "-k", SERVERS, *PROTECT, "--evaluations", 16, "--store", "none"]
    threads = answer(*arguments, "--threads", 1)
    cluster = answer(*arguments, "--dask", "local")
    for key in ("policy", "objectives", "constraints", "tried", "long_runs"):
        assert cluster[key] == threads[key]


def test_a_search_says_what_it_found_and_draws_it(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = ran(
        "optimise", log, "-k", SERVERS, "--evaluations", 20, "--fix", "order=due",
        "--range", "patience=1h:12h", "--store", "none", "--report", page,
    )  # fmt: skip
    assert done.stdout.startswith("backfill,order=due")
    assert "bounded_slowdown" in done.stdout
    assert "never saw" in page.read_text()


def test_a_workload_is_searched_by_name(tmp_path: Path) -> None:
    found = answer(
        "optimise", "figure1", "-k", 32, "-p", "backfill,by=class,reserve_after=never",
        "--evaluations", 8, "--store", "none", "--arrivals", 40000, "--replications", 3,
        "--scored-arrivals", 50000,
    )  # fmt: skip
    assert found["baseline"] == "first-fit"
    assert found["objectives"][0]["high"] < 1
    given = Lengths(arrivals=40000, replications=3, scored_arrivals=50000)
    assert found["parameters"].items() >= vars(given).items()
    helped = " ".join(ran("optimise", "--help").stdout.split())
    for length in vars(Lengths()).values():
        assert f"[default: {length}]" in helped


def test_what_makes_no_sense_is_refused(log: Path) -> None:
    start = ("optimise", log, "-k", SERVERS, "--store", "none")
    assert "column 1: there is no measure 'joy'" in refusal(*start, "--minimise", "joy")
    assert "must be of the form option=value" in refusal(*start, "--fix", "order")
    assert "no such option" in refusal(*start, "--range", "hurry=1:2")
    assert "arrivals = 9: is for workloads" in refusal(*start, "--arrivals", 9)
    assert "give servers" in refusal("optimise", "figure1")
    assert "there is no policy" in refusal(*start, "-p", "magic")
