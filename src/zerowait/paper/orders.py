"""Orders of the queue on Figure 1's systems and on logs, beside splits and preemption."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import zerowait as zw
from zerowait.experiment.comparisons.comparison import holm
from zerowait.experiment.files.whole_file import whole_file
from zerowait.experiment.statistics.intervals import LEVEL
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.model.workloads import CLASSES
from zerowait.paper.drawing import draw_panel, servers_axis
from zerowait.paper.own_log import own_log
from zerowait.paper.paired_rows import paired_rows, seeded
from zerowait.paper.rows import FIGURE1, critical_sweeps
from zerowait.paper.settings import Settings, Target
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

BASELINE = "easy"
MEASURES = ("wait", "bounded_slowdown")
FIRST = (BASELINE, "first-fit", "smallest-area-first")
PATIENCE = {"quick": ("1h", "10h", "100h"), "full": ("1h", "3h", "10h", "30h", "100h")}
RESERVE_AFTER = {"quick": ("0", "1d", "never"), "full": ("0", "1h", "10h", "1d", "3d", "never")}
SUFFIXES = (".swf", ".swf.gz")
Row = dict[str, Any]


def log_policies(scale: str) -> list[str]:
    """List the policies, the baseline first."""
    due = [
        f"backfill,order=due,patience={patience},reserve_after={after}"
        for patience in PATIENCE[scale]
        for after in RESERVE_AFTER[scale]
    ]
    return [*FIRST, *due]


def named_logs(settings: Settings) -> list[Path]:
    """List the logs named one by one, then those of the folder, each once."""
    found = [log for log in (settings.sdsc_log, settings.kit_log) if log is not None]
    if settings.logs is not None:
        found += [log for log in sorted(settings.logs.iterdir()) if log.name.endswith(SUFFIXES)]
    return list({log.resolve(): log for log in found}.values())


def log_rows(settings: Settings, folder: Path) -> "polars.DataFrame":
    """Return one row per log, policy and measure.

    Those of a log are kept in the folder, and not made again while the file, the policies and the
    code that replays them are the same.
    """
    import polars

    policies = log_policies(settings.scale)
    frames = []
    for path in named_logs(settings):
        kept = folder / f"{_name(path)}-{_key(path, policies, settings)}.parquet"
        if not kept.exists():
            log = own_log(path, settings.columns)
            if log.servers is None:
                continue
            rows = polars.DataFrame(list(_rows(path, log, policies)))
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(kept) as part:
                rows.write_parquet(part)
        frames.append(polars.read_parquet(kept))
    return polars.concat(frames) if frames else polars.DataFrame()


def _rows(path: Path, log: zw.Log, policies: Sequence[str]) -> Iterator[Row]:
    found = zw.compare(log, log.servers, policies, exclude_too_large=True, level=LEVEL)
    for measure in MEASURES:
        yield from _measured(_name(path), found, measure)


def _measured(name: str, found: zw.Comparison, measure: str) -> Iterator[Row]:
    """Return rows with ratios to the baseline, paired week by week."""
    numbers = range(len(found.results))
    differences = [found.difference(number, measure) for number in numbers]
    others = [number for number in numbers if number != found.baseline]
    p_values = dict(zip(others, _holm(differences[one].p_value for one in others), strict=True))
    longest = [getattr(one.overall, measure).max for one in found.results]
    base = found.results[found.baseline].mean(measure)
    for number, result in enumerate(found.results):
        ratio, mean = found.ratio(number, measure), result.mean(measure)
        row: Row = {
            "panel": name, "workload": name, "servers": result.servers,
            "jobs": result.overall.count, "policy": result.policy, "job_class": "all",
            "against": BASELINE, "measure": measure, "mean": mean, "longest": longest[number],
            "difference": differences[number].mean,
            "ratio": mean / base, "ratio_low": ratio.low, "ratio_high": ratio.high,
            "longest_ratio": longest[number] / longest[found.baseline],
            "p_value": p_values.get(number, np.nan),
        }  # fmt: skip
        yield row


def _holm(p_values: Iterable[float]) -> list[float]:
    """Adjust p-values; one that is not known says nothing."""
    return [float(p) for p in holm([1.0 if p != p else p for p in p_values])]


def _name(path: Path) -> str:
    return path.name.partition(".swf")[0]


def _key(path: Path, policies: Sequence[str], settings: Settings) -> str:
    """Hash all that determines the rows of a log."""
    chosen = map(zw.parse_policy, policies)
    workload = zw.Workload(CLASSES)  # a log has no laws; any workload's stand in
    own = Path(__file__)  # how rows are made
    text = [sha256(one.read_bytes()).hexdigest() for one in (path, own)]
    text += [f"{one.spec} {results_version(one, workload)}" for one in chosen]
    text += [str(settings.seed), str(settings.columns)]
    return sha256("\n".join(text).encode()).hexdigest()[:20]


BASELINES = ("first-fit", "balanced-splitting:fcfs")
# Tables of allowances: one typed by hand, and what a search at k = 2048 came to,
#   zw.optimise(figure1(2048), 2048, policies="backfill,order=due,by=class,reserve_after=never",
#               minimise="wait", evaluations=60, arrivals=50_000, replications=2), as a table.
COMPARED = (
    *BASELINES,
    "backfill,order=need",
    "backfill,order=due,reserve_after=never,allowance=0/10/10/-10",
    "backfill,order=due,reserve_after=never,allowance=0/70.5/76.6/82.8",
    "maxweight-myopic",
    "smallest-area-first",
    "maxweight",
    "server-filling-srpt",
    "first-fit-srpt",
)
LOGS = "logs"  # folder beside the points


def _orders_sweeps(settings: Settings) -> list[zw.Sweep]:
    return [seeded(one, settings) for one in critical_sweeps(settings, COMPARED)]


def _orders_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    """Return rows of Figure 1 per system, class, policy and baseline, and rows of logs."""
    import polars

    assert outcome is not None
    logs = log_rows(settings, outcome.agenda.store.folder.parent / LOGS)
    parts = [paired_rows(outcome, BASELINES), logs]
    return polars.concat([one for one in parts if len(one)], how="diagonal_relaxed")


def _orders_says(settings: Settings) -> str:
    names = ", ".join(path.name for path in named_logs(settings))
    logs = (
        f"Logs, replayed with users' estimates and paired with EASY week by week: {names}; those "
        "that do not say how many servers there were are left out."
        if names
        else "No log is replayed; name a folder of them: --logs."
    )
    return (
        "Mean waits at critical load under orders of the queue, First-Fit, Balanced Splitting and "
        "preemptive policies, by class, and their paired differences from First-Fit and bs:fcfs "
        f"(`p_value`: Holm's). {FIGURE1} {logs}"
    )


HEIGHT = 4.6


def _draw_orders(frame: "polars.DataFrame") -> dict[str, Any]:
    simulated = frame.filter(frame["point"].is_not_null(), job_class="all")
    rows = simulated.unique(["policy", "servers"], maintain_order=True).to_dicts()
    panel = Panel("Critical load", "servers", tuple(rows))
    sizes = [row["servers"] for row in rows]
    # Names of orders are long.
    return {"": draw_panel(panel, lambda axes: servers_axis(axes, sizes), HEIGHT, width=6.4)}


TARGETS = (
    Target(
        "orders",
        "Order matters more than the split",
        _orders_says,
        _orders_rows,
        _orders_sweeps,
        _draw_orders,
    ),
)
