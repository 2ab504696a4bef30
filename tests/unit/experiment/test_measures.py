"""The register of measures and everything that is made from it, or held to it."""

import json
import math
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.measures import (
    ESTIMATED,
    MEASURES,
    PARTS,
    measure_of,
    needs_steady_state,
    split_column,
)
from zerowait.experiment.results.result import MeanOf, Measures, Summary

ONE: dict[str, Any] = {"replications": 1, "warmup": 0.0, "jobs": True}


@pytest.fixture(scope="module")
def diverging() -> zw.Result:
    single = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    with pytest.warns(zw.UnstableWarning):
        return zw.simulate(single, 1, load=1.1, arrivals=20_000, allow_unstable=True)


def test_results_spell_the_register_out() -> None:
    assert [one.name for one in fields(Measures)] == ["count", *MEASURES]
    attributes = {name for name, value in vars(zw.Result).items() if isinstance(value, MeanOf)}
    assert attributes == set(MEASURES)
    parts = {one.name for one in fields(Summary)} - {"mean"}
    for name, one in MEASURES.items():
        assert sum(place is not None for place in (one.moment, one.count, one.area)) == 1
        for part in parts:
            assert measure_of(f"{name}_{part}_half_width") is one


def test_columns_of_tables_are_of_measures() -> None:
    result = zw.simulate("figure1", 256, "bs:fcfs", arrivals=2000)
    own = {"job_class", "need", "count"}
    table = result.table()
    assert {name for name in table.columns if measure_of(name) is None} == own
    for name in ESTIMATED:
        mean = table[name][-1]
        assert result.mean(name) == mean or (mean is None and math.isnan(result.mean(name)))


def test_attributes_are_what_the_rows_of_jobs_say() -> None:
    result = zw.simulate("figure1", 256, "bs:fcfs", arrivals=2000, **ONE)
    assert result.jobs is not None
    columns = ("arrival", "need", "service", "start", "end", "helpers")
    arrival, need, service, start, end, helpers = (result.jobs[name].to_numpy() for name in columns)
    response, last = end - arrival, arrival[-1]
    busy = need * (np.minimum(end, last) - np.minimum(start, last))
    by_hand = {
        "response": response, "wait": response - service, "slowdown": response / service,
        "p_wait": start > arrival, "served_by_helpers": helpers, "preemptions": 0, "lost": 0,
        "utilisation": busy.sum() / 256 / (last - arrival[0]),
        "in_system": (np.minimum(end, last) - arrival).sum() / (last - arrival[0]),
    }  # fmt: skip
    assert set(by_hand) == set(MEASURES) - {"bounded_slowdown", "routed_to_helpers"}
    for name, values in by_hand.items():
        assert getattr(result, name) == pytest.approx(np.mean(values), rel=1e-9), name
    assert result.routed_to_helpers > result.served_by_helpers  # jobs waiting there may leave
    paused = zw.simulate("figure1", 256, "server-filling", arrivals=2000, **ONE)
    assert paused.jobs is not None
    assert paused.preemptions == pytest.approx(paused.jobs["preemptions"].mean())
    assert paused.preemptions > 0


def test_columns_are_split_into_measure_and_part() -> None:
    for name in MEASURES:
        assert split_column(name) == (name, "")
        assert [split_column(f"{name}_{part}") for part in PARTS] == [(name, p) for p in PARTS]
    for other in ("seed", "wait_seed", "wait_p98", "p99", "wait_half_width"):
        assert split_column(other) == (other, "")


def test_unmeasured_values_are_not_numbers() -> None:
    """A simulation knows of no seconds, so that its slowdown is not bounded."""
    result = zw.simulate("figure1", 256, arrivals=2000)
    assert math.isnan(result.bounded_slowdown)
    assert math.isnan(result.interval("bounded_slowdown").mean)
    assert "bounded_slowdown_half_width" not in result.table().columns


def test_a_diverging_run_lacks_what_needs_a_steady_state(diverging: zw.Result) -> None:
    found = json.loads(json.dumps(diverging.as_dict(), allow_nan=False))
    table = diverging.table()
    for name, one in MEASURES.items():
        if one.only is not None:
            continue
        value = found["overall"][name]
        lost = value is None or (isinstance(value, dict) and value["mean"] is None)
        assert lost is one.steady, name
        assert math.isnan(getattr(diverging, name)) is one.steady, name
        assert math.isnan(diverging.interval(name).mean) is one.steady, name
        assert math.isnan(diverging.interval(name).half_width)
    for name in table.columns:
        if needs_steady_state(name):
            assert table[name].to_list() == [None, None], name
    assert diverging.utilisation > 0.9
    assert diverging.overall.wait.mean > 0  # what these very runs had, for who wants it


def test_a_measure_that_is_not_known_is_refused_everywhere(diverging: zw.Result) -> None:
    replayed = zw.replay(zw.Jobs([0, 1], [1, 1], [2, 2]), 1)
    for result in (diverging, replayed, zw.simulate("figure1", 256, arrivals=1000)):
        for ask in (result.interval, result.mean):
            with pytest.raises(zw.InputError, match="measure = 'foo': must be one of response"):
                ask("foo")
