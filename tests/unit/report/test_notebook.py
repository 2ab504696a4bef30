"""Notebooks: every result as a table and as a figure, with nothing lost and nothing clipped."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from matplotlib.figure import Figure

import zerowait as zw
from tests.pages import check_fragment
from zerowait.experiment.simulation.simulate import replay
from zerowait.report import figure_of, html_of
from zerowait.report.document import Document
from zerowait.report.documents import DOCUMENTS, document_of
from zerowait.report.numbers import escaped

pytestmark = pytest.mark.slow

NASTY = '</script><b onclick="x">&$a_1$\x1b[31m'


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One of each kind that notebooks know."""
    folder = tmp_path_factory.mktemp("notebook")
    classes = [
        zw.JobClass(1, 0.8, zw.Exponential(1.0), NASTY),
        zw.JobClass(4, 0.2, zw.Exponential(2.0), "large"),
    ]
    workload = zw.Workload(classes)
    rows = [f"{job * 40_000},{1 + job % 3},{100_000},u$ {job % 3}" for job in range(300)]
    (folder / "log.csv").write_text("\n".join(["arrival,need,service,user", *rows]))
    log = zw.read_log(folder / "log.csv")
    given = {"load": 0.6, "arrivals": 500, "replications": 3, "jit": False}
    return {
        "Result": zw.simulate(workload, 16, "bs:fcfs", **given),
        "Comparison": zw.compare(workload, 16, ["fcfs", "bs:fcfs", "first-fit"], **given),
        "LogComparison": zw.compare(log, 4, ["easy", "first-fit"]),
        "Replay": replay(log, 4, "first-fit"),
        "Split": zw.balanced_split(workload, 16),
        "Log": log,
        "SweepOutcome": zw.sweep(
            zw.Sweep(workloads="figure1", servers=[64, 256], policies=["fcfs"], arrivals=500),
            folder / "out",
        ),
        "Optimisation": zw.optimise(log, 4, evaluations=8, minimise=("wait", "wait_p95")),
        "Advice": zw.plan(log, 4, baseline="easy", evaluations=8),
    }


KINDS = ["Result", "Comparison", "LogComparison", "Replay", "Split", "Log", "SweepOutcome",
         "Optimisation", "Advice"]  # fmt: skip


def test_every_kind_has_its_document(things: dict[str, Any]) -> None:
    for kind in KINDS:
        document = type(document_of(things[kind])).__name__
        assert document == kind.removesuffix("Outcome") + "Document"
    for module, name in DOCUMENTS.values():
        made = getattr(import_module(f"zerowait.report.documents.{module}"), name)
        assert issubclass(made, Document)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_small_sound_and_safe(things: dict[str, Any], kind: str) -> None:
    html = html_of(things[kind])
    tags = check_fragment(html)
    assert "script" not in tags.count
    assert tags.count["table"] >= 1
    assert "onclick=" not in html.replace("onclick=&quot;", "")
    assert "\x1b" not in html
    assert len(html) < 10_000


def test_tables_have_the_numbers(things: dict[str, Any]) -> None:
    result = things["Result"]
    assert f"<td>{result.interval('response').mean:.4g} ± " in html_of(result)
    assert f"<td>{result.overall.count:,}</td>" in html_of(result)
    assert "bs:fcfs" in html_of(things["Comparison"])
    assert f"<td>{things['Split'].helpers}</td>" in html_of(things["Split"])


def test_searches_and_plans_begin_with_the_answer(things: dict[str, Any]) -> None:
    found, advice = things["Optimisation"], things["Advice"]
    for thing in (found, advice):
        assert thing._repr_html_() == html_of(thing)
        assert len(repr(thing)) < 300
    assert f"<p><b>{found.choice.candidate.spelling}</b></p>" in html_of(found)
    assert repr(found).startswith(f"<Optimisation: {found.policy} has ")
    assert escaped(advice.verdict.sentences[0]) in html_of(advice)
    assert repr(advice).startswith("<Advice on 4 servers: change ")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_in_a_figure_is_clipped(things: dict[str, Any], kind: str) -> None:
    figure = figure_of(things[kind])
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox()
    assert (drawn.min >= -0.01).all()
    assert (drawn.max <= figure.get_size_inches() + 0.01).all()


def test_figures_show_the_means_with_their_intervals(things: dict[str, Any]) -> None:
    comparison = things["Comparison"]
    axes, by_class = figure_of(comparison).axes
    drawn = [tuple(line.get_xdata()) for line in axes.lines]
    for result in comparison.results:
        found = comparison.interval(result)
        ends = (found.mean - found.half_width, found.mean + found.half_width)
        assert pytest.approx(ends) in drawn
        assert (found.mean,) in drawn
    assert len({line.get_color() for line in axes.lines}) == 4  # and where nobody waits
    assert len(by_class.get_yticks()) == 2


def test_waits_of_logs_are_durations_from_zero_up(things: dict[str, Any]) -> None:
    figure = figure_of(things["LogComparison"])
    figure.draw_without_rendering()
    left, right = figure.axes
    for axis in (left.xaxis, right.yaxis):
        words = [one.get_text() for one in axis.get_ticklabels() if one.get_text()]
        assert words
        assert all(word.endswith((" s", " min", " h", " d")) for word in words)
    assert right.get_ylim()[0] == 0
    assert [one.get_text() for one in right.get_xticklabels()][:2] == ["50%", "90%"]


def test_a_diverging_result_says_why_there_is_nothing_to_draw(things: dict[str, Any]) -> None:
    left, right = figure_of(replace(things["Result"], diverging=True)).axes
    assert right.texts[0].get_text().startswith("diverging: the queue grew throughout")
    for axis in (left.xaxis, right.yaxis):
        assert not list(axis.get_majorticklocs())


def test_unknown_objects_are_refused() -> None:
    for show in (html_of, figure_of):
        with pytest.raises(zw.InputError, match="str: reports do not know how to show it"):
            show("mine")
