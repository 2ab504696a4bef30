"""What is told when a Slurm that was started here does not do what it was asked."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from zerowait.cli.output import note


@contextmanager
def slurm_failures() -> Iterator[None]:
    """One line, and exit code 1: it is no mistake in what was given."""
    from zerowait.deploy.cluster.cluster import SlurmError

    try:
        yield
    except SlurmError as error:
        note(f"error: Slurm: {error}")
        raise typer.Exit(1) from None
