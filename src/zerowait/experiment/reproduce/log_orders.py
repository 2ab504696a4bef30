"""Logs under orders of the queue: each is replayed under all of them, paired week by week."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.experiment.comparisons.log_comparison import LogComparison, compare_on_log
from zerowait.experiment.comparisons.ranking import contenders, holm
from zerowait.experiment.files.whole_file import whole_file
from zerowait.experiment.options import ReplayOptions
from zerowait.experiment.reproduce.own_log import own_log
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.statistics.intervals import LEVEL
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.model import Workload
from zerowait.model.quantities import Floats
from zerowait.model.workloads import CLASSES
from zerowait.traces import Log

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
    """The baseline first."""
    due = [
        f"backfill,order=due,patience={patience},reserve_after={after}"
        for patience in PATIENCE[scale]
        for after in RESERVE_AFTER[scale]
    ]
    return [*FIRST, *due]


def named_logs(settings: Settings) -> list[Path]:
    """Those named one by one, then those of the folder; each once."""
    found = [log for log in (settings.sdsc_log, settings.kit_log) if log is not None]
    if settings.logs is not None:
        found += [log for log in sorted(settings.logs.iterdir()) if log.name.endswith(SUFFIXES)]
    return list({log.resolve(): log for log in found}.values())


def log_rows(settings: Settings, folder: Path) -> "polars.DataFrame":
    """One row per log, policy and measure. Those of a log are kept in the folder, and not made
    again while the file, the policies and the code that replays them are the same."""
    import polars

    policies = log_policies(settings.scale)
    frames = []
    for path in named_logs(settings):
        kept = folder / f"{_name(path)}-{_key(path, policies, settings)}.parquet"
        if not kept.exists():
            log = own_log(path, settings.columns)
            if log.servers is None:
                continue
            rows = polars.DataFrame(list(_rows(path, log, policies, settings.seed)))
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(kept) as part:
                rows.write_parquet(part)
        frames.append(polars.read_parquet(kept))
    return polars.concat(frames) if frames else polars.DataFrame()


def _rows(path: Path, log: Log, policies: Sequence[str], seed: int) -> Iterator[Row]:
    chosen, baseline = contenders(policies)
    options = ReplayOptions(seed=seed, exclude_too_large=True)
    found = compare_on_log(log, log.servers, chosen, baseline, options, level=LEVEL)
    for measure in MEASURES:
        yield from _measured(_name(path), found, measure)


def _measured(name: str, found: LogComparison, measure: str) -> Iterator[Row]:
    """With ratios to the baseline, in logs whose weeks are drawn again for both."""
    values = [one[measure] for one in found.values]
    base = values[found.baseline]
    differences = [found.difference(number, measure) for number in range(len(values))]
    others = [number for number in range(len(values)) if number != found.baseline]
    p_values = dict(zip(others, _holm(differences[one].p_value for one in others), strict=True))
    for number, result in enumerate(found.results):
        own, change = values[number], differences[number]
        low, high = _ratio_ends(found, own, base)
        row: Row = {
            "panel": name, "workload": name, "servers": result.servers, "jobs": len(own),
            "policy": result.policy, "job_class": "all", "against": BASELINE, "measure": measure,
            "mean": float(own.mean()), "longest": float(own.max()),
            "difference": change.mean,
            "ratio": float(own.mean() / base.mean()), "ratio_low": low, "ratio_high": high,
            "longest_ratio": float(own.max() / base.max()),
            "p_value": p_values.get(number, np.nan),
        }  # fmt: skip
        yield row


def _ratio_ends(found: LogComparison, own: Floats, base: Floats) -> tuple[float, float]:
    """Percentiles; not known where weeks are too few."""
    if found.blocks is None:
        return np.nan, np.nan
    everybody = np.ones(len(own), bool)
    sums = (found.blocks.sums(values, everybody) for values in (own, base))
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = np.divide(*(found.blocks.times @ one for one in sums))
    low, high = np.nanquantile(drawn, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)


def _holm(p_values: Iterable[float]) -> list[float]:
    """One that is not known says nothing."""
    return [float(p) for p in holm([1.0 if p != p else p for p in p_values])]


def _name(path: Path) -> str:
    return path.name.partition(".swf")[0]


def _key(path: Path, policies: Sequence[str], settings: Settings) -> str:
    """Of all that determines the rows of a log."""
    chosen, _ = contenders(policies)
    workload = Workload(CLASSES)  # a log has no laws; any workload's stand in
    own = Path(__file__)  # how rows are made
    text = [sha256(one.read_bytes()).hexdigest() for one in (path, own)]
    text += [f"{one.spec} {results_version(one, workload)}" for one in chosen]
    text += [str(settings.seed), str(settings.columns)]
    return sha256("\n".join(text).encode()).hexdigest()[:20]
