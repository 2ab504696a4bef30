"""A small log made here: twelve weeks of a busy cluster of 64 servers, with users' estimates."""

from pathlib import Path

import numpy as np

SERVERS = 64
WEEK = 604_800.0


def small_log(path: Path, *, weeks: int = 12, load: float = 0.75, seed: int = 1) -> Path:
    """Write the log as CSV: days and nights, small jobs and large ones, generous estimates."""
    rng = np.random.default_rng(seed)
    n = 1000 * weeks
    arrival = np.sort(rng.uniform(0, weeks * WEEK, 3 * n))
    daytime = np.abs((arrival / 3600) % 24 - 14) < 6
    kept = rng.random(3 * n) < np.where(daytime, 1.0, 0.3)
    arrival = np.floor(np.sort(rng.choice(arrival[kept], n, replace=False)))
    need = rng.choice([1, 2, 4, 8, 16, 32, 64], n, p=[0.3, 0.14, 0.16, 0.17, 0.14, 0.06, 0.03])
    service = np.ceil(rng.lognormal(np.log(1800), 1.8, n))
    service *= load * SERVERS * (arrival[-1] - arrival[0]) / float(need @ service)
    service = np.ceil(np.minimum(service, 2 * 86400))
    estimate = np.ceil(service * rng.uniform(1, 8, n) / 600) * 600
    lines = ["arrival,need,service,estimate"]
    lines += [
        f"{a:.0f},{k},{s:.0f},{e:.0f}"
        for a, k, s, e in zip(arrival, need, service, estimate, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path
