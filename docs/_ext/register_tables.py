"""Parts of the reference that are made from the registers when the site is built.

A page asks for one with a line `<!-- generated: policies -->`; the text takes its place, so that
nothing generated is kept in the repository and nothing can go stale.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from sphinx.application import Sphinx

MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )


def first_paragraph(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def policies() -> str:
    from zerowait.report.documents.policies import LEGEND, policy_rows, spelling

    rows = policy_rows()
    summary = table(
        ["policy", "alias", "preemptive", "size-aware", "throughput-optimal"],
        [
            [
                f"[`{row['name']}`](#{row['name']})",
                f"`{row['alias']}`" if row["alias"] else "",
                "yes" if row["preemptive"] else "no",
                "yes" if row["size_aware"] else "no",
                row["throughput_optimal"],
            ]
            for row in rows
        ],
    )
    details = [
        f"## {row['name']}\n\nSpelled `{row['name']}{spelling(row)}`"
        + (f", or `{row['alias']}` for short" if row["alias"] else "")
        + f".\n\n{row['rule']}\n\nSource: {row['source'] or 'none given'}."
        for row in rows
    ]
    return "\n\n".join([summary, LEGEND, *details])


def laws() -> str:
    from zerowait.model.laws import LAWS

    rows = [
        [f"`{name}`", f"{{py:class}}`~zerowait.{law.__name__}`", _parameters(law), rule]
        for name, law, rule in (
            (name, law, first_paragraph(law)) for name, law in sorted(LAWS.items())
        )
    ]
    return table(["in a file", "in Python", "parameters", "law"], rows)


def _parameters(law: Any) -> str:
    return ", ".join(
        f"`{field.name}`" if field.default is MISSING else f"`{field.name}={field.default!r}`"
        for field in fields(law)
        if field.init
    )


def workloads() -> str:
    from zerowait.model.workloads import WORKLOADS

    def section(name: str, function: Callable[..., Any]) -> Iterator[str]:
        yield f"## {name}"
        yield inspect.getdoc(function) or ""
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name == "servers":
                yield "- `servers`: as given by `--servers`"
            else:
                yield f"- `{parameter.name}`, by default `{parameter.default}`"

    return "\n\n".join(
        part for name, function in sorted(WORKLOADS.items()) for part in section(name, function)
    )


def measures() -> str:
    from zerowait.experiment.measures import MEASURES

    return table(
        ["measure", "what it is", "of a diverging run", "measured"],
        [
            [
                f"`{one.name}`",
                one.meaning,
                "none" if one.steady else "as it was in the run",
                f"{one.only} only" if one.only else "always",
            ]
            for one in MEASURES.values()
        ],
    )


def options() -> str:
    """Those of each function and command, and the keys of a sweep file."""
    from zerowait.experiment import options as register
    from zerowait.experiment.checks import entries_of

    parts = []
    for title, kind in (
        ("simulate", register.SimulationOptions),
        ("compare", register.CompareOptions),
        ("replay", register.ReplayOptions),
        ("capacity", register.CapacityOptions),
        ("optimise", register.OptimiseOptions),
        ("plan", register.PlanOptions),
        ("read_log", register.LogOptions),
        ("filter_log", register.FilterOptions),
        ("fit_workload", register.FitOptions),
    ):
        rows = [
            [f"`{one.name}`", "" if one.default is None else f"`{one.default}`", one.meaning]
            for one in entries_of(kind)
        ]
        parts += [f"## {title}", table(["option", "default", "meaning"], rows)]
    keys = ", ".join(f"`{one.name}`" for one in entries_of(register.SweepOptions))
    parts += ["## sweep", f"A sweep file, and `zw.Sweep`, has {keys}."]
    return "\n\n".join(parts)


def commands() -> str:
    import typer

    from zerowait.cli import app

    return "\n\n".join(_command("zerowait", typer.main.get_command(app), 1))


def _command(path: str, command: Any, depth: int) -> Iterator[str]:
    """A command and those below it, each with its usage, arguments and options."""
    if depth > 1:
        yield f"{'#' * depth} {path}"
        yield command.help or ""
    inner = getattr(command, "commands", {})
    if not inner:
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        names = " ".join(_argument_name(one) for one in arguments)
        yield f"```sh\n{path} {names} [OPTIONS]\n```"
        yield table(["", "default", ""], [_parameter(one) for one in command.params])
    for name, one in inner.items():
        yield from _command(f"{path} {name}", one, depth + 1)


def _argument_name(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return f"{name}..." if argument.nargs == -1 else name


def _parameter(one: Any) -> list[str]:
    if one.param_type_name == "argument":
        name = f"`{_argument_name(one)}`"
    else:
        name = ", ".join(f"`{option}`" for option in [*one.opts, *one.secondary_opts])
    nothing = one.default is None or one.default is False or one.default == ""
    default = "required" if one.required else "" if nothing else f"`{one.default}`"
    text = one.help or ""
    given = re.search(r" ?\[default: (.*?)\]", text)
    if given:
        text, default = text.replace(given[0], ""), given[1]
    return [name, default, text]


LAYERS = {
    "model": "Workloads, laws and splits",
    "policies": "Policies",
    "experiment": "Experiments and results",
    "analysis": "Formulas",
    "traces": "Logs",
}
# Not exported, but what public functions give and take.
PARTS = {
    "policies": ("engine.policy.System", "engine.seats.Seats"),
    "experiment": (
        "experiment.results.result.Measures",
        "experiment.results.result.Summary",
        "experiment.results.result.ClassResult",
        "experiment.simulation.capacity.CapacityLook",
        "experiment.comparisons.fit_check.PolicyCheck",
    ),
    "analysis": ("analysis.small_system.ExactMeasures", "analysis.stability.StableRates"),
    "traces": ("traces.fitting.workload_fit.WorkloadFit", "traces.description.TraceInfo"),
}


def names() -> str:
    """Every public name, under the layer it comes from."""
    import zerowait

    left = [name for name in zerowait.__all__ if name not in ("__version__", "workloads")]
    parts = []
    for layer, title in LAYERS.items():
        home = import_module(f"zerowait.{layer}")
        here = [name for name in left if hasattr(home, name)]
        left = [name for name in left if name not in here]
        parts.append(f"## {title}")
        parts += [_documented(f"zerowait.{name}", getattr(zerowait, name)) for name in here]
        for path in PARTS.get(layer, ()):
            module, name = f"zerowait.{path}".rsplit(".", 1)
            parts.append(_documented(f"{module}.{name}", getattr(import_module(module), name)))
    assert not left, f"no layer has {left}"
    return "\n\n".join(parts)


def _documented(path: str, thing: object) -> str:
    if isinstance(thing, type):
        extra = "\n   :show-inheritance:" if issubclass(thing, Exception) else "\n   :members:"
        text = f".. autoclass:: {path}{extra}"
    elif callable(thing):
        text = f".. autofunction:: {path}"
    else:
        text = f".. py:data:: {path}\n\n   The register of policies, by name and alias."
    return f"```{{eval-rst}}\n{text}\n```"


PARTS_OF_PAGES = {
    part.__name__: part for part in (policies, laws, workloads, measures, options, commands, names)
}


def fill_in(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda found: PARTS_OF_PAGES[found[1]](), source[0])


def outdated(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> Any:
    """Pages with generated parts are read again every time: a register is no file of theirs."""
    return [name for name in env.found_docs if MARK.search(env.doc2path(name).read_text())]


def escape_bars(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: Any) -> None:
    """In a docstring |H| is a number of servers, not a substitution."""
    lines[:] = [
        "`".join(
            part if inside % 2 else part.replace("|", r"\|")
            for inside, part in enumerate(line.split("`"))
        )
        for line in lines
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill_in)
    app.connect("env-get-outdated", outdated)
    app.connect("autodoc-process-docstring", escape_bars)
    return {"parallel_read_safe": True}
