"""Logs under orders of the queue: each is replayed under all of them, paired week by week."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.experiment.comparisons.compare import compare
from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.comparisons.ranking import contenders, holm
from zerowait.experiment.files.whole_file import whole_file
from zerowait.experiment.reproduce.own_log import own_log
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.statistics.intervals import LEVEL
from zerowait.experiment.sweeps.results_version import results_version
from zerowait.model import Workload
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
            rows = polars.DataFrame(list(_rows(path, log, policies)))
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(kept) as part:
                rows.write_parquet(part)
        frames.append(polars.read_parquet(kept))
    return polars.concat(frames) if frames else polars.DataFrame()


def _rows(path: Path, log: Log, policies: Sequence[str]) -> Iterator[Row]:
    found = compare(log, log.servers, policies, exclude_too_large=True, level=LEVEL)
    for measure in MEASURES:
        yield from _measured(_name(path), found, measure)


def _measured(name: str, found: Comparison, measure: str) -> Iterator[Row]:
    """With ratios to the baseline, paired week by week."""
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
