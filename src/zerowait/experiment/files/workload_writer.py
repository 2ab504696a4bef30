"""Workloads written as the TOML files that `load_workload` reads."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zerowait.experiment.files.whole_file import whole_file
from zerowait.model import ArrivalProcess, InputError, Law, Workload
from zerowait.model.arrivals import ARRIVALS
from zerowait.model.errors import WriteError
from zerowait.model.quantities import refuse

LINE_WIDTH = 100


def save_workload(workload: Workload, path: str | Path, note: str = "") -> None:
    """Write a workload; `note` goes on top as comments. Numbers keep every bit."""
    if not isinstance(workload, Workload):
        raise refuse("workload", workload, "must be a Workload; a name stands for one already")
    text = workload_toml(workload, note)
    try:
        with whole_file(Path(path)) as part:
            part.write_text(text, encoding="utf-8")
    except WriteError as error:
        raise InputError(str(error)) from None


def workload_toml(workload: Workload, note: str = "") -> str:
    lines = [f"# {line}".rstrip() for line in note.splitlines()]
    for one in workload.classes:
        lines += ["", "[[class]]"]
        if one.name:
            lines.append(f"name = {_value(one.name)}")
        lines += [f"need = {one.need}", f"share = {_value(one.share)}"]
        lines.append(f"service = {_law(one.service)}")
        if one.overestimation is not None:
            lines.append(f"overestimation = {_law(one.overestimation)}")
    lines += ["", "[arrivals]", *_arrivals(workload.arrivals)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _arrivals(process: ArrivalProcess) -> Iterator[str]:
    if ARRIVALS.get(process.name) is not type(process) or not process.in_files:
        raise InputError(f"arrivals = {process.name}: cannot be written to a file; use poisson")
    yield f"process = {_value(process.name)}"
    for field in dataclasses.fields(process):  # type: ignore[arg-type]
        value = getattr(process, field.name)
        if value is not None:
            yield f"{field.name} = {_value(value)}"


def _law(law: Law) -> str:
    names = [field.name for field in dataclasses.fields(law)]  # type: ignore[arg-type]
    parts = [f"{name} = {_value(getattr(law, name))}" for name in names]
    return "{ " + ", ".join([f"law = {_value(law.name)}", *parts]) + " }"


def _value(value: Any) -> str:
    if isinstance(value, Law):
        return _law(value)
    if isinstance(value, str):
        # TOML's basic strings escape as JSON's do.
        import json

        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value))
    return _array([_value(item) for item in (v if isinstance(v, Law) else float(v) for v in value)])


def _array(items: list[str]) -> str:
    """On one line if it fits, else filled: an inline table may hold an array over many lines."""
    whole = "[" + ", ".join(items) + "]"
    if len(whole) <= LINE_WIDTH:
        return whole
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > LINE_WIDTH and line.strip():
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "[\n" + "\n".join([*lines, line]) + "\n]"
