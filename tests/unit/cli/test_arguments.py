"""Options of commands that are read without Typer."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from zerowait.cli import app
from zerowait.cli.arguments import PlainCommand, Servers, with_options
from zerowait.experiment.options import SimulationOptions

WORDS = ["12", "-3", "0.5", "-0.25", "1e-3", "1_0", "+4", "", " 7", "0x10", "nan", "9" * 20]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("option", ["--replications", "--load", "--measure", "--warmup"])
def test_plain_values_are_those_that_typer_reads(option: str, word: str) -> None:
    told = []
    for kind in (None, PlainCommand):
        own = typer.Typer(rich_markup_mode=None)
        heard: dict[str, Any] = {}

        @own.command(cls=kind)
        @with_options(servers=SimulationOptions)
        def run(servers: Servers = 3, **options: Any) -> None:
            heard.update(options)  # noqa: B023 - called at once

        done = CliRunner().invoke(own, [option, word])
        told.append((done.exit_code, done.output, heard))
    assert repr(told[0]) == repr(told[1])


def test_an_unknown_command_is_told_with_those_that_are_near() -> None:
    done = CliRunner().invoke(app, ["simulat"])
    assert done.exit_code == 2
    assert "simulate" in done.output
