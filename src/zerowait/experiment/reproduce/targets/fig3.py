"""Figure 3: mean response of the KIT FH2 and SDSC SP2 workloads against the load."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zerowait.experiment.files.workload_file import find_workload
from zerowait.experiment.reproduce.models import figure_rows
from zerowait.experiment.reproduce.own_log import resampled_workload, table_jobs
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model import Workload

SERVERS = (512, 1024)
QUICK_LOADS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
FULL_LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def sweeps(settings: Settings) -> list[Sweep]:
    loads = FULL_LOADS if settings.full else QUICK_LOADS
    drawn = [
        Sweep(
            name=f"{title}, {servers} servers",
            workloads=workload,
            servers=servers,
            loads=load,
            policies=settings.policies,
            **settings.runs(_workload(workload, servers), servers, load),
        )
        for title, workload in _workloads(settings)
        for servers in SERVERS
        for load in loads
    ]
    replayed = [
        Sweep(
            name=f"{title} replayed, {servers} servers",
            workloads=str(table_jobs(log, settings.columns)),
            servers=servers,
            loads=loads,
            policies=settings.policies,
            resamples=0,
        )
        for title, (_, log) in _logs(settings).items()
        if log is not None
        for servers in SERVERS
    ]
    return drawn + replayed


def _logs(settings: Settings) -> dict[str, tuple[str, Path | None]]:
    return {
        "KIT FH2": ("kit-fh2", settings.kit_log),
        "SDSC SP2": ("sdsc-sp2", settings.sdsc_log),
    }


def _workload(workload: Any, servers: int) -> Workload:
    return find_workload(workload, servers) if isinstance(workload, str) else _only(workload)


def _only(workloads: dict[str, Workload]) -> Workload:
    (one,) = workloads.values()
    return one


def _workloads(settings: Settings) -> Iterator[tuple[str, Any]]:
    """By name, so that points have a command; a log resampled has none."""
    for title, (name, log) in _logs(settings).items():
        if settings.law != "resample":
            law = "" if settings.law == "lognormal" else f",law={settings.law}"
            yield title, name + law
        elif log is not None:
            yield title, {f"{name} resampled": resampled_workload(log, settings.columns)}


def says(settings: Settings) -> str:
    laws = {
        "resample": "are drawn from the jobs of the log itself",
        "exponential": "are exponential with the published means",
    }
    law = laws.get(
        settings.law, f"are {settings.law}, fitted to the published means and standard deviations"
    )
    return (
        "Mean response time (seconds) against the load, for the seven classes of Table 3 (KIT FH2) "
        f"and Table 2 (SDSC SP2) on {SERVERS[0]} and {SERVERS[1]} servers. Service times {law} "
        "(the paper does not say which law it used). Poisson arrivals. Panels named replayed are "
        "the log's own jobs of needs 1, 2, 4, ..., 64 at their own submit times, stretched to the "
        "load. One log is one run: there are no intervals."
    )


TARGET = Target("fig3", "Figure 3: workloads of two HPC logs", says, figure_rows, sweeps)
