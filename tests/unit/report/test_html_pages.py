"""Report pages: well-formed, safe, the same colours everywhere, and honest in words."""

import json
import math
import re
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

import zerowait as zw
from tests.pages import check
from zerowait.experiment.comparisons.compare import Comparison
from zerowait.experiment.results.result import Result
from zerowait.experiment.statistics.intervals import student_interval
from zerowait.paper.work import panel_title
from zerowait.report import page as page_of
from zerowait.report.documents.comparison import Contender, comparison_verdict, contenders_verdict
from zerowait.report.palette import short_name

NASTY = '</script><b onclick="x">**&'


@cache
def compared() -> Comparison:
    classes = [
        zw.JobClass(1, 0.8, zw.Exponential(1.0), NASTY),
        zw.JobClass(4, 0.2, zw.Exponential(2.0), "large"),
    ]
    policies = ["fcfs", "bs:fcfs", "first-fit"]
    return zw.compare(
        zw.Workload(classes), 16, policies, load=0.6, arrivals=1000, replications=3, jit=False
    )


def diverged(result: Result, mean: float) -> Result:
    """The same result of a run that diverged, with another mean response."""
    overall = replace(result.overall, response=replace(result.overall.response, mean=mean))
    return replace(result, overall=overall, diverging=True)


def charts(page: str) -> list[dict[str, object]]:
    found = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    return [json.loads(text) for text in found]


def test_a_comparison_is_one_sound_file() -> None:
    page = page_of(compared(), "zerowait compare '<&>'", NASTY)
    tags = check(page)
    assert tags.count["figure"] == 4
    assert tags.count["table"] == 2
    assert "<b onclick" not in page
    assert "zerowait compare &#x27;&lt;&amp;&gt;&#x27;" in page
    first, _, quantiles, classes = charts(page)
    assert [one["name"] for one in first["series"]] == ["fcfs", "bs:fcfs", "first-fit"]  # type: ignore[attr-defined]
    points = [row["points"][0] for row in first["views"][0]["rows"]]  # type: ignore[index]
    for point, result in zip(points, compared().results, strict=True):
        interval = compared().interval(result)
        assert point["value"] == interval.mean
        assert point["high"] - point["value"] == pytest.approx(interval.half_width)
    assert [view["label"] for view in quantiles["views"]] == ["all jobs", NASTY, "large"]  # type: ignore[attr-defined]
    assert len(classes["views"]) == 4  # type: ignore[arg-type]


def test_the_split_is_drawn_to_scale() -> None:
    split = compared().results[1].split
    assert split is not None
    page = page_of(compared(), "")
    widths = [int(width) for width in re.findall(r"flex-grow:(\d+)", page)]
    assert widths == [servers for servers in (*split.own_servers, split.helpers) if servers]


def test_a_diverging_policy_has_no_number() -> None:
    first, second, third = compared().results
    lost = diverged(second, 1234.5)
    page = page_of(replace(compared(), results=(first, lost, third)), "")
    check(page)
    assert "1234.5" not in page
    assert "1,234" not in page
    assert "1235" not in page
    assert "<td>diverging</td>" in page
    assert "<strong>bs:fcfs</strong> does not keep up" in page


def contender(
    name: str, mean: float, half_width: float = 2.5, best: bool = False, diverging: bool = False
) -> Contender:
    return Contender(name, mean, half_width, best, diverging)


def test_the_verdict_tells_noise_from_difference() -> None:
    base = contender("fcfs", 11.0)
    best = contender("bs:fcfs", 9.0, best=True)
    better = contenders_verdict([base, best], base, 5.0, 0.95)[0]
    assert "**bs:fcfs has the shortest mean response**, 9 ± 2.5" in better
    assert "80% above the 5 of a system where nobody waits, and 18% less than fcfs" in better
    assert "is told apart from it with 95% confidence" in better
    close = contender("fcfs", 11.0, best=True)
    same = contenders_verdict([close, best], close, 5.0, 0.95)[0]
    assert "**No significant difference** from fcfs (11 ± 2.5)." in same
    unknown = [contender("fcfs", 10.0, math.nan), contender("bs:fcfs", 9.0, math.nan)]
    alone = contenders_verdict(unknown, unknown[0], 5.0, 0.95)
    assert "significant" not in alone[0]
    assert alone[-1].startswith("Without intervals nobody can tell policies apart")
    lucky = contender("fcfs", 4.93)
    assert "That is as good as the 5 of a" in contenders_verdict([lucky], lucky, 5.0, 0.95)[0]
    lost = contenders_verdict([base, contender("bs:fcfs", 8.5, diverging=True)], base, 5.0, 0.95)
    assert lost[0].startswith("**fcfs** has a mean response of 11 ± 2.5")
    assert lost[1].startswith("**bs:fcfs** does not keep up")


def test_the_verdict_is_that_of_the_ranking() -> None:
    comparison = compared()
    ranking = comparison.ranking("response")
    sentence = comparison_verdict(comparison)[0]
    assert sentence.startswith(f"**{short_name(ranking.ranks[0].policy)} has the shortest")
    assert ("No significant difference" in sentence) == (sum(one.best for one in ranking.ranks) > 1)


def test_a_sweep_is_drawn_against_what_varies() -> None:
    rows = [
        {"policy": policy, "servers": 64, "load": load, "job_class": "all", "response": 1 + load,
         "response_half_width": 0.1, "wait": load, "p_wait": load / 2, "diverging": False}
        for policy in ("fcfs", "balanced-splitting:fcfs")
        for load in (0.5, 0.7, 0.9)
    ]  # fmt: skip
    rows[2] |= {"diverging": True, "response": 987.0, "wait": 986.0}
    page = page_of(pl.DataFrame(rows), "zerowait sweep")
    check(page)
    (chart,) = charts(page)
    view = chart["views"][0]  # type: ignore[index]
    assert view["x_axis"] == "load"
    assert [point["x"] for point in view["points"]] == [0.5, 0.7, 0.9] * 2
    assert view["points"][2] | {"series": 0} == {
        "series": 0, "value": None, "low": None, "high": None, "x": 0.9, "diverging": True,
    }  # fmt: skip
    assert view["points"][0]["low"] == pytest.approx(1.4)
    assert "98" not in "".join(re.findall(r"<td.*?</td>", page))
    assert "Diverging somewhere, with no mean there: <strong>fcfs</strong>" in page
    wider = pl.DataFrame(rows).with_columns(servers=pl.Series([1, 8, 131072] * 2))
    assert "servers 1 to 131,072 · load 0.5 to 0.9" in page_of(wider)
    # Said only of what is drawn: sweeps of logs have no intervals.
    assert "<figcaption>Bands and bars are intervals. A cross at the top: diverging" in page
    of_logs = page_of(wider.filter(~pl.col("diverging")).drop("response_half_width"))
    assert "Bands and bars" not in of_logs
    assert "A cross at the top" not in of_logs
    view = charts(page_of(wider))[0]["views"][0]  # type: ignore[index]
    assert (view["x_axis"], view["x_log"]) == ("servers", True)
    with pytest.raises(zw.InputError, match="has no column 'load'"):
        page_of(wider.drop("load"))


def test_a_sweep_of_a_whole_product_has_panels_and_pools_its_seeds() -> None:
    rows = [
        {"workload": "w", "policy": "fcfs", "servers": servers, "load": load, "seed": seed,
         "status": "done", "response": load * seed, "diverging": False,
         "notes": "short\nmuch too short" if load == 0.9 else ""}
        for servers in (16, 32) for load in (0.5, 0.7, 0.9) for seed in (1, 2, 3)
    ]  # fmt: skip
    failed = rows[0] | {"status": "failed", "load": None, "response": None}
    page = page_of(pl.DataFrame([*rows, failed], infer_schema_length=None))
    check(page)
    assert "1 points failed" in page
    assert "Means and intervals are over 3 seeds." in page
    assert page.count("fcfs, 32 servers, load 0.9: short; much too short") == 1
    panels = charts(page)
    assert re.findall("<h2>(w, .*?)</h2>", page) == ["w, 16 servers", "w, 32 servers"]
    first = panels[0]["views"][0]["points"][0]  # type: ignore[index]
    interval = student_interval([0.5, 1.0, 1.5], 0.95)
    assert first["value"] == 1.0
    assert first["high"] == pytest.approx(1.0 + interval.half_width)


def test_a_sweep_tells_policies_apart_by_what_both_saw() -> None:
    """Their intervals overlap almost wholly, for the noise is common."""
    noise = [1.0, 9.0, 5.0, 3.0, 7.0]
    runs = {"fcfs": [one + 0.1 + 0.01 * (-1) ** i for i, one in enumerate(noise)],
            "easy": [one + 3 * (-1) ** i for i, one in enumerate(noise)], "saf": noise}  # fmt: skip

    def page(other: str) -> str:
        rows = [
            {"workload": "w", "policy": policy, "servers": 8, "load": 0.9, "job_class": "all",
             "response": sum(runs[policy]) / 5, "response_half_width": 4.0, "arrivals": 1000,
             "response_replicates": json.dumps(runs[policy]), "diverging": False}
            for policy in ("saf", other)
        ]  # fmt: skip
        return page_of(pl.DataFrame(rows))

    assert "fcfs follows with 5.102 ± 4 (told apart by a paired test, p = " in page("fcfs")
    assert "(a paired test <strong>does not tell them apart</strong>)" in page("easy")


def test_a_replay_draws_the_waits_of_its_jobs(tmp_path: object) -> None:
    day = 86_400
    rows = [f"{job * day / 20},{1 + job % 4},{day / 4}" for job in range(900)]
    path = f"{tmp_path}/log.csv"
    with open(path, "w") as file:
        file.write("\n".join(["arrival,need,service", *rows]))
    outcome = zw.replay(path, 16, "bs:first-fit", jobs=True)
    page = page_of(outcome, "zerowait replay", NASTY)
    check(page)
    waits, times, classes = charts(page)
    found = [one for one in waits["views"][0]["points"] if one["series"] == 0]  # type: ignore[index]
    assert outcome.jobs is not None
    jobs = outcome.jobs
    exact = (jobs["end"] - jobs["arrival"] - jobs["service"]).quantile(0.9, "linear")
    (at,) = [one["value"] for one in found if one["x"] == 1.0]
    assert at == pytest.approx(exact)
    assert len(times["views"][0]["points"]) == 45  # type: ignore[index]
    interval = classes["views"][0]["rows"][0]["points"][0]  # type: ignore[index]
    assert interval["low"] == outcome.interval("wait", job_class=0).low


def test_a_title_does_not_repeat_itself() -> None:
    assert panel_title("Figure 1: critical load", "Critical load") == "Figure 1: critical load"
    assert panel_title("Figure 2a: heavy traffic", "2048 servers") == (
        "Figure 2a: heavy traffic (2048 servers)"
    )
