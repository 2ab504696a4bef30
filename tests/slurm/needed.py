"""Where a real Slurm is needed: with $ZEROWAIT_SLURM=required its absence is a failure."""

import os

import pytest

from zerowait.deploy.cluster.processes import missing_programs


def need_slurm() -> None:
    missing = missing_programs()
    if missing:
        reason = f"no Slurm on this machine: {', '.join(missing)} is missing"
        if os.environ.get("ZEROWAIT_SLURM") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
