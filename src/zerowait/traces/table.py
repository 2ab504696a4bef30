"""Logs as tables with named columns: `arrival,need,service[,job_class,estimate]`."""

import csv
from pathlib import Path
from typing import Any

from zerowait.model import InputError, Jobs
from zerowait.traces.log import Log, lines_of

REQUIRED = ("arrival", "need", "service")
OPTIONAL = ("job_class", "estimate")


def read_table(path: str | Path) -> Log:
    """A CSV (gzipped or not) or Parquet file; other columns are ignored."""
    columns = _parquet(path) if str(path).endswith(".parquet") else _csv(path)
    for name in REQUIRED:
        if name not in columns:
            raise InputError(f"{path}: column {name!r} is missing; the header must name it")
    if not columns["arrival"]:
        raise InputError(f"{path}: holds no jobs")
    try:
        return Log(
            Jobs(
                columns["arrival"], columns["need"], columns["service"],
                columns.get("job_class"), columns.get("estimate"),
            )
        )  # fmt: skip
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _csv(path: str | Path) -> dict[str, list[Any]]:
    rows = csv.reader(line for _, line in lines_of(path))
    try:
        header = [name.strip() for name in next(rows, [])]
        places = {n: header.index(n) for n in (*REQUIRED, *OPTIONAL) if n in header}
        columns: dict[str, list[Any]] = {name: [] for name in places}
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path}: line {rows.line_num}: has {len(row)} fields, the header {len(header)}"
                )
            for name, place in places.items():
                value = _value(path, rows.line_num, name, row[place].strip())
                if name == "arrival" and columns[name] and value < columns[name][-1]:
                    raise InputError(
                        f"{path}: line {rows.line_num}: arrival = {row[place].strip()}: is before "
                        "the arrival above it; sort the file by arrival"
                    )
                columns[name].append(value)
    except csv.Error as error:
        raise InputError(f"{path}: line {rows.line_num}: {error}") from None
    if "job_class" in columns:
        columns["job_class"] = _labels(columns["job_class"])
    return columns


def _value(path: str | Path, line: int, name: str, text: str) -> float | str:
    if name == "job_class":
        return text
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < float("inf") or (name == "need" and (value < 1 or value % 1)):
        wanted = "a whole number, 1 or more" if name == "need" else "a number, zero or more"
        raise InputError(f"{path}: line {line}: {name} = {text!r}: must be {wanted}")
    return value


def _labels(texts: list[str]) -> list[Any]:
    """Numbers where all labels are whole numbers, so that class 10 comes after class 9."""
    try:
        return [int(text) for text in texts]
    except ValueError:
        return texts


def _parquet(path: str | Path) -> dict[str, list[Any]]:
    import polars

    try:
        frame = polars.read_parquet(path)
    except (OSError, polars.exceptions.PolarsError) as error:
        raise InputError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from None
    return {name: frame[name].to_list() for name in frame.columns}
