"""Gather what the findings page is about: collect.py FOLDER, of `zerowait reproduce ... --full`.

Figure 3 with other laws is taken from FOLDER/fig3-hyperexponential and FOLDER/fig3-resample. The
sweep of `variability.toml` is run, or gone on with, in FOLDER/variability.
"""

import sys
from pathlib import Path

import polars as pl

import zerowait as zw

HERE = Path(__file__).parent
COLUMNS = [
    "panel", "workload", "servers", "load", "policy", "diverging", "arrivals", "replications",
    "notes", "difference", "difference_half_width", "p_value", "verdict",
    *(f"{name}{part}" for name in ("response", "wait", "wait_p99", "p_wait", "served_by_helpers")
      for part in ("", "_half_width")),
]  # fmt: skip
CLASSES = ["servers", "job_class", "need", "policy", "wait", "wait_half_width"]
CLASS_SERVERS = (2048, 131072)
LAWS = ("hyperexponential", "resample")
REPLAYED = pl.col("panel").str.contains("replayed")


def rounded(frame: pl.DataFrame) -> pl.DataFrame:
    """Six digits are more than the intervals allow."""
    floats = [name for name, kind in frame.schema.items() if kind.is_float()]
    return frame.with_columns(pl.col(floats).round_sig_figs(6))


def write_replays(frame: pl.DataFrame) -> None:
    """The panels of Figure 3 that are the logs' own jobs: of those that were at hand."""
    kept = frame.filter(REPLAYED).select("panel", "servers", "load", "policy", "response")
    if len(kept):
        rounded(kept).write_csv(HERE / "fig3-replays.csv")


def collect(folder: Path) -> None:
    for target in ("fig1", "fig2a", "fig2b", "fig3"):
        frame = pl.read_parquet(folder / f"{target}.parquet").select(COLUMNS)
        rounded(frame.filter(~REPLAYED)).write_csv(HERE / f"{target}.csv")
        if target == "fig3":
            write_replays(frame)
    laws = [
        pl.read_parquet(folder / f"fig3-{law}" / "fig3.parquet")
        .filter(~REPLAYED)
        .select(pl.lit(law).alias("law"), *COLUMNS)
        for law in LAWS
    ]
    rounded(pl.concat(laws)).write_csv(HERE / "fig3-laws.csv")
    for target in ("theorem1", "theorem2"):
        frame = pl.read_parquet(folder / f"{target}.parquet")
        kept = [name for name in frame.columns if name in THEOREM]
        rounded(frame.select(kept)).write_csv(HERE / f"{target}.csv")
    points = zw.load(folder / "points")
    chosen = points.filter(
        pl.col("servers").is_in(CLASS_SERVERS), pl.col("workload") == "figure1",
        pl.col("job_class") != "all", ~pl.col("diverging"),
        pl.col("point").is_in(pl.read_parquet(folder / "fig1.parquet")["point"].implode()),
    )  # fmt: skip
    rounded(chosen.select(CLASSES).sort("servers", "need", "policy")).write_csv(
        HERE / "classes.csv"
    )
    zw.sweep(HERE / "variability.toml", folder / "variability")
    rows = zw.load(folder / "variability").filter(job_class="all")
    names = [name for name in COLUMNS if name in rows.columns]
    rounded(rows.select(names).sort("load", "workload", "policy")).write_csv(
        HERE / "variability.csv"
    )


THEOREM = (
    "kind", "servers", "need_scale", "load", "share", "share_half_width", "scaled",
    "scaled_half_width", "limit", "arrivals", "replications",
)  # fmt: skip

if __name__ == "__main__":
    collect(Path(sys.argv[1]))
