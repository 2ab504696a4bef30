"""Paired verdicts, seeds and lengths of the places of a figure."""

import json
from pathlib import Path

import polars as pl
import pytest

from zerowait.experiment.sweeps.executors import opened_executor
from zerowait.model.workloads import figure1
from zerowait.paper.rows import BASELINE, figure_rows, with_verdicts
from zerowait.paper.settings import Settings
from zerowait.paper.work import TARGETS, Work


def row(policy: str, replicates: list[float], load: float = 0.9, diverging: bool = False) -> dict:
    return {
        "panel": "p", "servers": 8, "load": load, "policy": policy, "diverging": diverging,
        "response_replicates": None if diverging else json.dumps(replicates),
    }  # fmt: skip


NOISE = [1.0, 9.0, 5.0, 3.0, 7.0]  # what all policies share


def verdicts(*rows: dict) -> list[str | None]:
    return with_verdicts(pl.DataFrame(rows, infer_schema_length=None))["verdict"].to_list()


def test_a_small_difference_is_seen_through_common_noise() -> None:
    """Both intervals are 4 wide, and overlap almost wholly."""
    better = [one - 0.1 + 0.01 * (-1) ** i for i, one in enumerate(NOISE)]
    other = [one + 2 * (-1) ** i for i, one in enumerate(NOISE)]
    found = verdicts(
        row(BASELINE, NOISE), row("fcfs", better), row("easy", other), row("sf", NOISE),
        row("mbs", [], diverging=True),
    )  # fmt: skip
    assert found == [None, "lower", "no clear difference", "no clear difference", "higher"]


def test_many_tests_are_held_to_more() -> None:
    """One p-value of 0.02 is significant alone, and not among ten."""
    off = [one + d for one, d in zip(NOISE, (0.5, 1.5, 0.9, 1.3, 0.1), strict=True)]
    alone = (row(BASELINE, NOISE), row("fcfs", off))
    assert verdicts(*alone)[1] == "higher"
    many = [(row(BASELINE, NOISE, i / 20), row("fcfs", off, i / 20)) for i in range(1, 11)]
    assert "higher" not in verdicts(*(one for pair in many for one in pair))


def test_every_place_has_its_own_seed_and_all_policies_there_the_same() -> None:
    settings = Settings(largest=256, policies=("fcfs", BASELINE))
    points = [one for sweep in TARGETS["fig1"].sweeps(settings) for one in sweep.points()]
    seeds = {point.servers: point.seed for point in points}
    assert len(set(seeds.values())) == len(seeds) == 2
    assert all(point.seed == seeds[point.servers] for point in points)
    shared = {one.key for sweep in TARGETS["theorem2"].sweeps(settings) for one in sweep.points()}
    assert {point.key for point in points if point.policy == BASELINE} <= shared
    assert Settings(seed=2).seed_at(figure1(32), 32, 0.5) != Settings().seed_at(
        figure1(32), 32, 0.5
    )


def test_runs_are_longer_where_they_remember_for_long() -> None:
    full, workload = Settings(full=True), figure1(2048)
    assert full.runs(workload, 2048, 0.5)["arrivals"] == 1_000_000
    high, higher = (full.runs(workload, 2048, load)["arrivals"] for load in (0.98, 0.99))
    assert 3.5 < higher / high < 4.5  # 1 / (1 - load)^2
    assert Settings(full=True, arrivals=10).runs(workload, 2048, 0.99)["arrivals"] == 10


@pytest.fixture(scope="module")
def figure(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    settings = Settings(
        largest=32, policies=("fcfs", BASELINE, "first-fit"), arrivals=5_000, replications=4
    )
    work = Work((TARGETS["fig1"],), settings, tmp_path_factory.mktemp("fig1"))
    with opened_executor(1) as executor:
        return work.finish(TARGETS["fig1"], executor).rows


def test_short_runs_keep_their_note_and_lose_their_interval(figure: pl.DataFrame) -> None:
    """5,000 arrivals are a tenth of what k = 32 at load 0.876 takes."""
    assert figure["notes"].str.contains("runs are short").all()
    assert figure["response"].is_not_null().all()
    widths = [name for name in figure.columns if name in ("response_half_width", "wait_half_width")]
    assert figure.select(widths).null_count().row(0) == (3, 3)
    first_fit = figure.filter(policy="first-fit").to_dicts()[0]
    own, other = (
        json.loads(figure.filter(policy=one)["response_replicates"][0])
        for one in ("first-fit", BASELINE)
    )
    assert first_fit["difference"] == pytest.approx((sum(own) - sum(other)) / 4)
    assert first_fit["p_value"] < 1


def test_a_log_at_hand_is_replayed_with_its_own_arrivals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of its jobs that the paper's tables are of: no need of three here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    log = tmp_path / "log.csv"
    lines = [f"{60 * i},{1 + i % 3},{100 + i}" for i in range(300)]
    log.write_text("arrival,need,service\n" + "\n".join(lines) + "\n")
    settings = Settings(policies=("fcfs", BASELINE), sdsc_log=log, arrivals=500, replications=2)
    sweeps = [one for one in TARGETS["fig3"].sweeps(settings) if "replayed" in one.name]
    assert [one.name for one in sweeps] == [
        "SDSC SP2 replayed, 512 servers",
        "SDSC SP2 replayed, 1024 servers",
    ]
    from zerowait.experiment.sweeps.run import make_agenda, sweep

    with opened_executor(1) as executor:
        outcome = sweep(make_agenda(sweeps[:1], tmp_path / "points"), executor=executor)
    rows = figure_rows(settings, outcome)
    assert len(rows) == 14
    (kept,) = (tmp_path / "cache" / "zerowait" / "replays").iterdir()
    assert set(pl.read_csv(kept)["need"]) == {1, 2}
    assert pl.read_csv(kept)["arrival"].to_list()[:3] == [0.0, 60.0, 180.0]
    assert rows["response"].is_not_null().all()
    assert rows["verdict"].null_count() == len(rows)  # one log is one run
