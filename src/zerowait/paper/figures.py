"""Figures 1 to 3: mean responses against the servers, the load, and the load of two logs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zerowait as zw
from zerowait.experiment.files.workload_file import find_workload
from zerowait.paper.drawing import draw_by_load, draw_by_servers, draw_by_workload
from zerowait.paper.own_log import resampled_workload, table_jobs
from zerowait.paper.rows import (
    FIGURE1,
    critical_sweeps,
    figure1_sweep,
    figure_rows,
    subcritical_sweeps,
)
from zerowait.paper.settings import Settings, Target


def _fig1_sweeps(settings: Settings) -> list[zw.Sweep]:
    return critical_sweeps(settings, settings.policies)


def _fig1_says(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the critically loaded (Halfin-Whitt) "
        f"regime: the load is 1 - 0.7 / sqrt(k / f_k). {FIGURE1}"
    )


QUICK_LOADS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
FULL_LOADS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99)


def _fig2a_sweeps(settings: Settings) -> list[zw.Sweep]:
    name = f"{settings.servers} servers"
    return [
        figure1_sweep(settings, settings.policies, name, settings.servers, load)
        for load in (FULL_LOADS if settings.full else QUICK_LOADS)
    ]


def _fig2a_says(settings: Settings) -> str:
    return (
        f"Mean response time against the load on k = {settings.servers} servers (heavy traffic). "
        f"{FIGURE1}"
    )


def _fig2b_sweeps(settings: Settings) -> list[zw.Sweep]:
    return subcritical_sweeps(settings, settings.policies)


def _fig2b_says(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the subcritical regime: the load is "
        f"{settings.load:g} throughout. {FIGURE1}"
    )


SERVERS = (512, 1024)
QUICK_LOADS_OF_LOGS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
FULL_LOADS_OF_LOGS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def _fig3_sweeps(settings: Settings) -> list[zw.Sweep]:
    loads = FULL_LOADS_OF_LOGS if settings.full else QUICK_LOADS_OF_LOGS
    drawn = [
        zw.Sweep(
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
        zw.Sweep(
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


def _workload(workload: Any, servers: int) -> zw.Workload:
    return find_workload(workload, servers) if isinstance(workload, str) else _only(workload)


def _only(workloads: dict[str, zw.Workload]) -> zw.Workload:
    (one,) = workloads.values()
    return one


def _workloads(settings: Settings) -> Iterator[tuple[str, Any]]:
    """Name each workload, so that points have a command; a log resampled has none."""
    for title, (name, log) in _logs(settings).items():
        if settings.law != "resample":
            law = "" if settings.law == "lognormal" else f",law={settings.law}"
            yield title, name + law
        elif log is not None:
            yield title, {f"{name} resampled": resampled_workload(log, settings.columns)}


def _fig3_says(settings: Settings) -> str:
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


TARGETS = (
    Target(
        "fig1", "Figure 1: critical load", _fig1_says, figure_rows, _fig1_sweeps, draw_by_servers
    ),
    Target(
        "fig2a", "Figure 2a: heavy traffic", _fig2a_says, figure_rows, _fig2a_sweeps, draw_by_load
    ),
    Target(
        "fig2b",
        "Figure 2b: subcritical load",
        _fig2b_says,
        figure_rows,
        _fig2b_sweeps,
        draw_by_servers,
    ),
    Target(
        "fig3",
        "Figure 3: workloads of two HPC logs",
        _fig3_says,
        figure_rows,
        _fig3_sweeps,
        draw_by_workload,
    ),
)
