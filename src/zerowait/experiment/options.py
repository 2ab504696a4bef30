"""The register of options: name, type, default, meaning and check of each, in one place.

What `simulate`, `compare`, `replay`, `capacity`, `optimise`, `plan` and the readers of logs take,
the keys of a sweep file, the options of the command line and the help of the public functions are
the fields of these classes, and results list those that were chosen. A new option is one entry
here, a line in each signature that takes it (a test says which), and its use.
"""
# ruff: noqa: RUF009 - `option` makes a field, as `dataclasses.field` does

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from zerowait.experiment.checks import (
    POSITIVE,
    PROBABILITY,
    SHARE_OF_JOBS,
    YES_OR_NO,
    MeasureName,
    Number,
    OneOf,
    OptionSet,
    OverrunRule,
    Pairs,
    Price,
    Texts,
    Whole,
    entries_of,
    option,
)

Progress = Callable[[int], None]  # hears how many jobs came in; no option, but many take it
MSER: Literal["mser"] = "mser"
WarmUp = float | Literal["mser"]
MOST_JOBS = 2**53  # beyond it a float does not count them one by one
MOST_RUNS = 1_000_000  # each has a random stream of its own
SMALLEST = 32  # servers, where the need scale of Figure 1 is one
PRICE = (
    "What a job loses by each pause: a time (3, 5min), or a share of its service so far (10%); "
    "ignored by policies that pause nobody."
)
BOUND_S = 10.0  # shortest service that bounded slowdown divides by, in seconds


@dataclass(frozen=True, kw_only=True)
class Offered(OptionSet):
    """The offered work: a load or a rate; neither: as the workload says."""

    load: float | None = option(None, POSITIVE, meaning="Offered work per server; below 1.")
    arrival_rate: float | None = option(None, POSITIVE, meaning="Arrivals per unit of time.")


@dataclass(frozen=True, kw_only=True)
class OfPauses(OptionSet):
    """The option of everything that runs jobs."""

    preemption_cost: str | float = option("0", Price(), unit="TIME|SHARE", meaning=PRICE)


@dataclass(frozen=True, kw_only=True)
class RunOptions(OfPauses):
    """The options of a simulation, whatever is offered: the same for all points of a sweep."""

    arrivals: int | None = option(
        None, Whole(most=MOST_JOBS), meaning="Arrivals per replication [default: 1000000]."
    )
    replications: int | None = option(
        None, Whole(most=MOST_RUNS),
        meaning="Independent replications [default: 4; 10 with a precision, 1 in batches].",
    )  # fmt: skip
    batches: int | None = option(
        None, Whole(2, most=1000), meaning="Intervals from so many batches of one long run."
    )
    precision: float | None = option(
        None, Number("must be above 0 and below 1, such as 0.01 for 1%", above=0.0, below=1.0),
        meaning="Add replications until half-width / mean is this, such as 0.01.",
    )  # fmt: skip
    measure: str = option(
        "response", MeasureName(),
        meaning="The measure that the precision is of: response, p_wait, wait_p99, ...",
    )  # fmt: skip
    budget: int | None = option(
        None,
        Whole(most=MOST_JOBS),
        meaning="Arrivals at most, for a precision [default: 100 replications].",
    )
    level: float = option(0.95, PROBABILITY, meaning="Level of the intervals.")
    warmup: float | Literal["mser"] = option(
        MSER,
        Number("must be 'mser', or a share of the arrivals, at least 0 and below 1",
               least=0.0, below=1.0, word=MSER),
        meaning="mser, or the share of the arrivals that is not counted.",
    )  # fmt: skip
    allow_unstable: bool = option(
        False, YES_OR_NO, meaning="Simulate loads of 1 and more all the same.",
        flag="--allow-unstable/--no-allow-unstable",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SimulationOptions(RunOptions, Offered):
    """The options of `simulate`."""

    seed: int = option(1, Whole(0), meaning="Seed of the random stream.")


@dataclass(frozen=True, kw_only=True)
class OfLogs(OfPauses):
    """The options of logs, whatever runs them."""

    exclude_too_large: bool = option(
        False, YES_OR_NO, meaning="Leave out jobs that need more than all."
    )
    estimates: str = option(
        "user", OneOf(("user", "exact")),
        meaning="What policies know of service times in a log: user or exact.",
    )  # fmt: skip
    overruns: str = option(
        "extend", OverrunRule(),
        meaning="Jobs that outran their estimates: extend these, kill the jobs, or as-recorded.",
    )  # fmt: skip
    classes: str | None = option(
        None, meaning="Classes of a log: auto[=waste], exact, down, up, bins=1/4/16 "
        "[default: needs].",
    )  # fmt: skip
    cooldown: float = option(
        0.0, SHARE_OF_JOBS, meaning="Share of a log's jobs, the last, that is not counted."
    )
    bound: float = option(
        BOUND_S, Number("must be a finite number, zero or more", least=0.0), unit="SECONDS",
        meaning="Shortest service that bounded slowdown divides by; 0: leave it out.",
    )  # fmt: skip
    resamples: int = option(
        1000, Whole(0, most=MOST_RUNS),
        meaning="0: no intervals over weeks; other numbers change nothing, for none are drawn.",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ReplayOptions(OfLogs):
    """The options of `replay`."""

    load: float | None = option(
        None, POSITIVE, meaning="Stretch the gaps between arrivals to this load."
    )
    warmup: float = option(
        0.0, SHARE_OF_JOBS, meaning="Share of the jobs, the first, that is not counted."
    )
    users: bool = option(False, YES_OR_NO, meaning="Measures of each user as well.")
    seed: int = option(1, Whole(0), meaning="Kept for old calls: a replay draws nothing.")


@dataclass(frozen=True, kw_only=True)
class CompareOptions(OfLogs, SimulationOptions):
    """The options of `compare`, which takes workloads and logs."""

    measure: str = option(
        "response", MeasureName(of_logs=True),
        meaning="What policies are ranked by, and a precision is of: response, p_wait, wait_p99, "
        "...; of logs wait, bounded_slowdown, ...",
    )  # fmt: skip

    def of_simulation(self) -> SimulationOptions:
        """Return the options of a simulation; refuse any that only a log has."""
        only = _names(OfLogs) - _names(SimulationOptions)
        self._refuse(only, "is an option of logs, and this is a workload; leave it out")
        return SimulationOptions.among(vars(self))

    def of_replay(self) -> ReplayOptions:
        """Return the options of a replay; refuse any that only a simulation has."""
        only = _names(SimulationOptions) - _names(ReplayOptions) - {"measure", "level"}
        self._refuse(only, "is an option of simulations, and this is a log; leave it out")
        warmup = 0.0 if self.warmup == MSER else self.warmup
        return ReplayOptions.among(vars(self) | {"warmup": warmup, "users": False})

    def _refuse(self, names: Collection[str], why: str) -> None:
        from zerowait.model.quantities import refuse

        for name, value in self.chosen().items():
            if name in names:
                raise refuse(name, value, why)


def _names(kind: type[OptionSet]) -> set[str]:
    return {one.name for one in entries_of(kind)}


@dataclass(frozen=True, kw_only=True)
class CapacityOptions(OptionSet):
    """The options of `capacity`."""

    tolerance: float = option(
        0.01, Number("must be a load, at least 0.0001 and below 1", least=1e-4, below=1.0),
        meaning="Width of the interval to reach, as a load.",
    )  # fmt: skip
    error: float = option(0.05, PROBABILITY, meaning="Chance that the interval is wrong.")
    arrivals: int = option(
        10_000,
        Whole(1000, most=MOST_JOBS),
        meaning="Arrivals per replication of the first look at a load.",
    )
    max_arrivals: int = option(640_000, Whole(most=MOST_JOBS), meaning="... and of the longest.")
    replications: int = option(
        16, Whole(4, most=MOST_RUNS), meaning="Independent replications per look."
    )
    seed: int = option(1, Whole(0), meaning="Seed of the random stream.")


@dataclass(frozen=True, kw_only=True)
class LogOptions(OptionSet):
    """The options of `read_log`, and of every command that reads a log."""

    need: str = option("processors", meaning="What a need counts: processors, nodes or gpus.")
    arrival: str = option(
        "eligible", meaning="When a job of a Slurm log arrives: eligible, submit."
    )
    strict: bool | None = option(
        None, YES_OR_NO, flag="--strict/--no-strict",
        meaning="Stop at the first malformed row, or leave such rows out and report them "
        "[default: strict for CSV and Parquet only].",
    )  # fmt: skip
    columns: str = option(
        "", meaning="Columns of a table: 'arrival=submit,need=cores,service=runtime'."
    )
    zone: str | None = option(None, meaning="Where its local times are local: Europe/Berlin, ...")
    format: str | None = option(
        None, meaning="swf, sacct, jobcomp, csv or parquet [default: looks at it]."
    )
    max_unpacked: int | None = option(
        None, Whole(), unit="BYTES",
        meaning="Most that a packed log may unpack to [default: 200 times its size, or 256 MiB].",
    )  # fmt: skip
    max_line: int | None = option(
        None, Whole(), unit="BYTES", meaning="Longest line that is read [default: 4 MiB]."
    )


@dataclass(frozen=True, kw_only=True)
class FilterOptions(OptionSet):
    """The options of `filter_log`, and of every command that reads a log."""

    partition: str | None = option(None, meaning="Only jobs of these partitions: 'gpu,long'.")
    queue: str | None = option(None, meaning="Only jobs of these queues.")
    user: str | None = option(None, meaning="Only jobs of these users.")
    begin: str | None = option(
        None, flag="--from", unit="DATE|DAYS",
        meaning="Only jobs that arrive from then on: 2025-02-01, or 30d after the first.",
    )  # fmt: skip
    end: str | None = option(
        None, flag="--to", unit="DATE|DAYS", meaning="Only jobs that arrive before that."
    )
    max_need: int | None = option(
        None, Whole(), meaning="Only jobs that need at most so many servers."
    )


@dataclass(frozen=True, kw_only=True)
class LogFileOptions(LogOptions, FilterOptions):
    """The options of a log on the command line: how to read it, and which of its jobs to keep."""


@dataclass(frozen=True, kw_only=True)
class SweptLogOptions(OfLogs, LogFileOptions):
    """The options of the points of a sweep that are replays."""


@dataclass(frozen=True, kw_only=True)
class SweepOptions(SweptLogOptions, RunOptions):
    """The options of `sweep`: of simulations for its workloads, of logs for its logs."""


@dataclass(frozen=True, kw_only=True)
class ReproductionOptions(OptionSet):
    """The options of `reproduce`: how long and how large, and whose logs."""

    largest: int = option(131_072, Whole(SMALLEST), meaning="Servers at most where they grow.")
    servers: int = option(
        2048, Whole(), flag="--servers -k", meaning="Servers of fig2a and pauses."
    )
    load: float = option(
        0.7, Number("must be above 0 and below 1 for a steady state", above=0.0, below=1.0),
        meaning="Load of fig2b and theorem1.",
    )  # fmt: skip
    law: str = option(
        "lognormal", OneOf(("lognormal", "hyperexponential", "exponential", "resample")),
        meaning="Service times of fig3: lognormal, hyperexponential, exponential, resample.",
    )  # fmt: skip
    sdsc_log: Path | None = option(None, meaning="Your copy of the SDSC SP2 log: table2, fig3.")
    kit_log: Path | None = option(None, meaning="Your copy of the KIT FH2 log: table3, fig3.")
    logs: Path | None = option(None, meaning="A folder of SWF logs: orders.")
    arrivals: int | None = option(
        None,
        Whole(most=MOST_JOBS),
        meaning="Arrivals per replication [default: 200000, or a million and more in full].",
    )
    replications: int | None = option(
        None,
        Whole(2, most=MOST_RUNS),
        meaning="Replications of each point [default: 4, or 10 in full].",
    )
    seed: int = option(1, Whole(0), meaning="Seed of the random streams.")


@dataclass(frozen=True, kw_only=True)
class OptimiseOptions(OptionSet):
    """The options of `optimise`."""

    minimise: Sequence[str] | None = option(
        None, Texts(), several=True,
        meaning="Measure, as wait, wait_p95, wait[small], '2*wait[a] + wait[b]'; two of them give "
        "a front [default: wait; of a log bounded_slowdown].",
    )  # fmt: skip
    subject_to: Sequence[str] = option(
        (), Texts(), several=True,
        meaning="'longest_wait <= 1.25x easy', 'wait[each] <= 1.5x first-fit', "
        "'wait_p95 <= 10min'; may be repeated.",
    )  # fmt: skip
    baseline: str | None = option(
        None,
        meaning="Policy that gains are told against [default: the first that a constraint "
        "names, or first-fit; of a log easy].",
    )
    fix: Mapping[str, str] | None = option(
        None, Pairs(), several=True,
        meaning="Value of an option, as order=due; may be repeated.",
    )  # fmt: skip
    ranges: Mapping[str, str] | None = option(
        None, Pairs(), flag="--range", several=True,
        meaning="Range of an option, as patience=1h:30h; may be repeated.",
    )  # fmt: skip
    cut: bool = option(
        False, YES_OR_NO, flag="--cut",
        meaning="Cut classes by size, too; where is searched as well.",
    )  # fmt: skip
    load: float | None = option(
        None, POSITIVE, meaning="Offered work per server, of a workload; below 1."
    )
    arrivals: int | None = option(
        None, Whole(), meaning="Of a workload: arrivals of each searched run [default: 400000]."
    )
    replications: int | None = option(
        None, Whole(), meaning="Of a workload: runs to search on [default: 5]."
    )
    scored_arrivals: int | None = option(
        None, Whole(), meaning="Of a workload: arrivals of each scored run [default: 1000000]."
    )
    evaluations: int = option(500, Whole(), meaning="Candidates to try.")
    seed: int = option(1, Whole(0), meaning="Seed of streams and of the search.")
    classes: str = option(
        "auto", meaning="Classes of a log: auto[=waste], exact, down, up, bins=1/4/16."
    )
    overruns: str = option(
        "extend", OverrunRule(),
        meaning="Jobs of a log beyond their estimate: extend, kill or as-recorded.",
    )  # fmt: skip
    tune_on: str = option("first", meaning="Half of a log to search on: first or second.")


@dataclass(frozen=True, kw_only=True)
class PlanOptions(OptionSet):
    """The options of `plan`."""

    baseline: str | None = option(
        None,
        meaning="Today's policy [default: easy, unless another explains the waits much better].",
    )
    goal: str = option("bounded_slowdown", meaning="Measure to minimise.")
    protect: Sequence[str] | None = option(
        None, Texts(), several=True,
        meaning="'longest_wait <= 1.25x easy', 'wait[each] <= 1.25x easy'; may be repeated "
        "[default: these two and 'weekly_longest_wait <= 1.25x easy', of the baseline].",
    )  # fmt: skip
    size_for: Sequence[str] = option(
        (), Texts(), several=True,
        meaning="Servers for a promise, as 'wait_p95 <= 10min'; may be repeated.",
    )  # fmt: skip
    overruns: str = option(
        "extend", OverrunRule(), meaning="Jobs beyond their estimate: extend, kill or as-recorded."
    )
    evaluations: int = option(200, Whole(), meaning="Candidates to try on each half of the log.")
    seed: int = option(1, Whole(0), meaning="Seed of streams and of the search.")


@dataclass(frozen=True, kw_only=True)
class ExploreOptions(OptionSet):
    """The options of `explore`."""

    servers: int | None = option(
        None, Whole(), flag="--servers -k", meaning="Servers to begin with."
    )
    port: int = option(
        0, Whole(0, most=65535), meaning="Port on this machine; 0: any that is free."
    )
    browser: bool = option(
        True, YES_OR_NO, flag="--browser/--no-browser", meaning="Open the page in a browser."
    )


@dataclass(frozen=True, kw_only=True)
class ResumeOptions(OptionSet):
    """The option of commands that go on where they were stopped."""

    keep_stale: bool = option(
        False, YES_OR_NO, flag="--keep-stale/--no-keep-stale",
        meaning="Keep points that other code has made, do not run them again.",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FitOptions(OptionSet):
    """The options of `fit_workload`."""

    classes: str = option(
        "auto", meaning="Classes of needs: auto[=waste], exact, down, up or bins=1/4/16."
    )
    needs: str = option(
        "real", meaning="Needs inside a class: real, or rounded to one, which adds load."
    )
    laws: str | None = option(
        None,
        meaning="Laws to choose among, as in 'lognormal,gamma', or 'empirical' to resample "
        "[default: all but empirical].",
    )
    by: str = option("both", meaning="Fit by moments, likelihood or both.")
    criterion: str = option("aic", meaning="Choose by aic or ks.")
    arrivals: str = option(
        "poisson",
        meaning="Arrivals: poisson, resampled (gaps), or rhythm (hours of the week, and gaps).",
    )
    estimates: str = option(
        "user", meaning="Announced times: user, in the users' own ratios by class, or exact."
    )
