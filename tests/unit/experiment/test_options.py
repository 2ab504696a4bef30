"""The register of options and everything that is made from it, or held to it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_overloads

import pytest
import typer
from typer.testing import CliRunner

import zerowait as zw
from zerowait.cli import app
from zerowait.cli.arguments import with_options
from zerowait.experiment.checks import Number, OneOf, OptionSet, entries_of, option
from zerowait.experiment.options import (
    CapacityOptions,
    CompareOptions,
    FilterOptions,
    LogOptions,
    OptimiseOptions,
    PlanOptions,
    ReplayOptions,
    SimulationOptions,
    SweepOptions,
)
from zerowait.experiment.sweeps.sweep import sweep_schema
from zerowait.traces.readers import READERS

# Each function, its options, and what else it takes by name: how it runs, not what.
HOW_SEARCHED = {"executor", "threads", "store", "listener"}
TAKEN: list[tuple[Callable[..., Any], type[OptionSet], set[str]]] = [
    (zw.simulate, SimulationOptions, {"jobs", "jit", "threads", "progress"}),
    (zw.compare, CompareOptions, {"baseline", "jit", "threads", "progress"}),
    (zw.replay, ReplayOptions, {"jobs", "jit", "progress"}),
    (zw.capacity, CapacityOptions, {"threads", "progress"}),
    (zw.optimise, OptimiseOptions, {"policies", *HOW_SEARCHED, "progress"}),
    (zw.plan, PlanOptions, HOW_SEARCHED),
]
NAMES = [function.__name__ for function, *_ in TAKEN]


@pytest.mark.parametrize(("function", "kind", "others"), TAKEN, ids=NAMES)
def test_signatures_spell_the_register_out(
    function: Callable[..., Any], kind: type[OptionSet], others: set[str]
) -> None:
    held = {one.name: one for one in entries_of(kind)}
    spelled = taken(function, others)
    assert {name: default for name, (_, default) in spelled.items()} == {
        name: one.default for name, one in held.items()
    }
    for name, (annotation, _) in spelled.items():
        if not held[name].several and name != "baseline":  # in Python more than texts
            assert annotation == held[name].kind, name


def taken(function: Callable[..., Any], others: set[str]) -> dict[str, tuple[Any, Any]]:
    """Type and default of each keyword, but for how the function runs."""
    return {
        one.name: (one.annotation, one.default)
        for one in inspect.signature(function).parameters.values()
        if one.kind is inspect.Parameter.KEYWORD_ONLY and one.name not in others
    }


def test_type_checkers_hear_what_compare_takes_of_workloads_and_of_logs() -> None:
    of_workloads, of_logs = get_overloads(zw.compare)
    assert taken(of_workloads, {"baseline", "jit", "threads", "progress"}) == {
        one.name: (one.kind, one.default) for one in entries_of(SimulationOptions)
    }
    kinds = {one.name: one.kind for one in entries_of(CompareOptions)}
    replayed = {one.name: one.default for one in entries_of(ReplayOptions)} | {
        "measure": "wait", "level": CompareOptions.level,
    }  # fmt: skip
    assert taken(of_logs, {"baseline", "jit", "progress"}) == {
        name: (kinds[name], default) for name, default in replayed.items() if name != "users"
    }


@pytest.mark.parametrize(("function", "kind", "others"), TAKEN, ids=NAMES)
def test_commands_offer_the_register(
    function: Callable[..., Any], kind: type[OptionSet], others: set[str]
) -> None:
    command: Any = typer.main.get_command(app).commands[function.__name__]  # type: ignore[attr-defined]
    offered = {one.name: one for one in command.params}
    for one in entries_of(kind):
        shown = offered[one.name]
        default = None if one.several else one.default
        assert (shown.help, shown.default) == (one.meaning, default), one.name
        assert {flag.partition("/")[0] for flag in one.flags} <= {*shown.opts}


def test_sweep_files_have_the_options_of_runs() -> None:
    keys = sweep_schema()["properties"]
    sweep = zw.Sweep(workloads="figure1", servers=4, policies="fcfs")
    for one in entries_of(SweepOptions):
        assert keys[one.name]["description"] == one.meaning
        assert getattr(sweep, one.name) == one.default
    assert keys["level"]["anyOf"][0] == {
        "type": "number", "exclusiveMinimum": 0.0, "exclusiveMaximum": 1.0,
    }  # fmt: skip
    assert keys["batches"]["anyOf"][0] == {"type": "integer", "minimum": 2, "maximum": 1000}


def test_reading_a_log_takes_what_commands_offer() -> None:
    parameters = inspect.signature(zw.read_log).parameters
    assert [one.name for one in entries_of(LogOptions)] == [*parameters][1:-1]
    parameters = inspect.signature(zw.filter_log).parameters
    assert [one.name for one in entries_of(FilterOptions)] == [*parameters][1:]


def test_help_names_every_format_of_logs() -> None:
    (meaning,) = (one.meaning for one in entries_of(LogOptions) if one.name == "format")
    named = meaning.partition(" [")[0].replace(" or ", ", ").split(", ")
    assert sorted(named) == sorted(READERS)


@pytest.mark.parametrize("name", ["servers", "colour"])
def test_what_no_function_takes_is_refused_in_its_name(name: str) -> None:
    for function, *_ in TAKEN:
        with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) got"):
            function(zw.workloads.figure1(256), 256, "fcfs", **{name: 1})
    with pytest.raises(TypeError, match=r"^optimise\(\) got"):
        zw.optimise("figure1", 256, colour=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("jit", "no", "must be True or False"), ("jobs", 1, "must be True or False"),
        ("allow_unstable", "no", "must be True or False"), ("users", None, "must be True or False"),
        ("exclude_too_large", "no", "must be True or False"), ("progress", 3, "must be a function"),
    ],
)  # fmt: skip
def test_switches_and_listeners_are_checked_by_name(name: str, value: object, told: str) -> None:
    for function, kind, others in TAKEN:
        if name in {one.name for one in entries_of(kind)} | others:
            policy = () if function is zw.optimise else (["fcfs"],)
            with pytest.raises(zw.InputError, match=rf"^{name} = {value!r}: {told}"):
                function(zw.workloads.figure1(256), 256, *policy, **{name: value})


def test_values_are_checked_by_name() -> None:
    for kind, name, bad in (
        (SimulationOptions, "level", 1.0), (SimulationOptions, "seed", -1),
        (SimulationOptions, "batches", 1001), (SimulationOptions, "warmup", "long"),
        (SimulationOptions, "level", None), (SimulationOptions, "arrivals", True),
        (ReplayOptions, "estimates", "none"), (ReplayOptions, "warmup", 1.0),
        (CapacityOptions, "tolerance", 0.0),
    ):  # fmt: skip
        with pytest.raises(zw.InputError, match=rf"^{name} = {bad!r}: must be"):
            kind(**{name: bad})
    with pytest.raises(zw.InputError, match=r"^warmup = 'long': must be 'mser'"):
        zw.Sweep(workloads="figure1", servers=4, policies="fcfs", warmup="long")  # type: ignore[arg-type]


def test_only_what_was_chosen_is_told() -> None:
    assert SimulationOptions().chosen() == {}
    assert SimulationOptions(level=0.9, warmup="mser", seed=2).chosen() == {"level": 0.9, "seed": 2}
    result = zw.simulate("figure1", 256, arrivals=2000, level=0.9, jit=True)
    assert result.parameters["level"] == 0.9
    assert "level=0.9" in result.command
    assert not {"precision", "measure", "allow_unstable"} & result.parameters.keys()


@dataclass(frozen=True, kw_only=True)
class MoreOptions(SimulationOptions):
    """How an option is added, on a class of its own: these two entries are all there is to it."""

    overruns: str = option(
        "extend", OneOf(("extend", "kill")), meaning="What becomes of jobs that run over."
    )
    preemption_cost: float = option(
        0.0, Number("must be zero or more", least=0.0), unit="SECONDS", meaning="Of each pause."
    )


def test_a_new_option_is_one_entry() -> None:
    seen: dict[str, Any] = {}

    @with_options(servers=MoreOptions)
    def run(servers: int, **options: Any) -> None:
        seen.update(options)

    program = typer.Typer(rich_markup_mode=None)
    program.command()(run)
    shown = CliRunner().invoke(program, ["4", "--overruns", "kill", "--warmup", "0.5"])
    assert shown.exit_code == 0, shown.output
    assert (seen["overruns"], seen["preemption_cost"], seen["warmup"]) == ("kill", 0.0, 0.5)
    assert MoreOptions(**seen).chosen() == {"overruns": "kill", "warmup": 0.5}
    helped = CliRunner().invoke(program, ["--help"]).output
    assert "--preemption-cost SECONDS" in helped
    assert "What becomes of jobs that run over." in helped
    with pytest.raises(zw.InputError, match=r"^overruns = 'hope': must be one of extend, kill"):
        MoreOptions(overruns="hope")


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: zw.simulate("figure1", 10**20), "servers = 1000000"),
        (lambda: zw.compare("figure1", 10**20, ["fcfs", "ff"]), "servers = 1000000"),
        (lambda: zw.replay(zw.Jobs([0.0], [1], [1.0]), 10**20), "servers = 1000000"),
        (lambda: zw.simulate("figure1", 64, arrivals=10**20), "arrivals = 1000000"),
        (lambda: zw.capacity(1.5, 64), "workload = 1.5"),  # type: ignore[arg-type]
        (lambda: zw.capacity("figure1", 1.5), "servers = 1.5"),  # type: ignore[arg-type]
        (lambda: zw.balanced_split(1.5, 64), "workload = 1.5"),  # type: ignore[arg-type]
        (lambda: zw.optimise("figure1"), "servers: a workload does not say"),
        (lambda: zw.optimise("nofigure", 64), "workload 'nofigure'"),
        (lambda: zw.optimise("figure1", 64, minimise="speed"), "speed"),
        (lambda: zw.save_workload("figure1", "none/w.toml"), "workload = 'figure1'"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_arguments_are_named(call: Callable[[], object], named: str) -> None:
    with pytest.raises(zw.InputError, match=named):
        call()
