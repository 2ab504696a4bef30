"""Replay a list of jobs under a policy."""

from collections.abc import Callable

import numpy as np

from zerowait.engine.run import Options, run
from zerowait.engine.stream import JobStream
from zerowait.experiment.replays.log_jobs import stretch, stretched
from zerowait.experiment.results.job_table import job_rows
from zerowait.experiment.results.result import Result
from zerowait.experiment.results.summarise import Setting, summarise_replay
from zerowait.model import Jobs
from zerowait.model.quantities import non_negative, refuse, whole
from zerowait.policies import Policy, parse_policy

BOUND_S = 10.0  # shortest service that bounded slowdown divides by, in seconds


def counted_jobs(n_jobs: int, warmup: float, cooldown: float) -> tuple[int, int]:
    """The first job that is counted, and the first after it that is not."""
    return int(warmup * n_jobs), n_jobs - int(cooldown * n_jobs)


def replay(
    trace: Jobs,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    warmup: float = 0.0,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    jobs: bool = False,
    jit: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Run the jobs of `trace` on `servers` servers.

    At the trace's own load, or with its gaps between arrivals stretched to `load`. Every job is
    counted unless a `warmup` share of the first or a `cooldown` share of the last is left out;
    time averages run from the first counted arrival to the last completion (or, with a
    cool-down, the last counted arrival). Classes are the trace's own, or its distinct needs; the
    slots of a split come from the trace's own demand unless they are given.
    """
    if not isinstance(trace, Jobs):
        raise refuse("trace", trace, "must be zerowait.Jobs(arrival, need, service)")
    chosen = parse_policy(policy)
    servers = whole("servers", servers)
    for name, left_out in (("warmup", warmup), ("cooldown", cooldown)):
        if not 0 <= non_negative(name, left_out) < 1:
            raise refuse(name, left_out, "must be a share of the jobs, at least 0 and below 1")
    first, end = counted_jobs(len(trace), warmup, cooldown)
    if first >= end:
        raise refuse("warmup + cooldown", warmup + cooldown, "leaves no job to count")
    need = np.asarray(trace.need)
    if need.max() > servers:
        at = int(need.argmax())
        raise refuse(
            f"need[{at}]",
            int(need[at]),
            f"exceeds the {servers} servers; give more, or drop the job",
        )
    if load is not None:
        trace = stretched(trace, stretch(trace, servers, load))
    stream = JobStream(trace)
    options = Options(
        warmup=first,
        cooldown=len(trace) - end,
        records=jobs,
        bound=non_negative("bound", bound),
        through_drain=True,
        jit=jit,
    )
    outcome = run(stream, chosen, servers, options, progress)
    frame = None
    if outcome.records is not None:
        labels = trace.class_index if trace.job_class is None else np.asarray(trace.job_class)
        columns = {
            "arrival": trace.arrival, "need": need, "service": trace.service, "job_class": labels,
        }  # fmt: skip
        frame = job_rows(columns, outcome.records)
    names = [
        f"need {label}" if trace.job_class is None else str(label) for label in trace.class_labels
    ]
    parameters = {"jobs": len(trace), "warmup": warmup, "cooldown": cooldown, "bound": bound}
    if load is not None:
        parameters["load"] = load
    spelled = "".join(f", {key}={value!r}" for key, value in parameters.items() if key != "jobs")
    setting = Setting(
        chosen, servers, stream.kinds, names, parameters,
        command=f"zw.replay(trace, {servers}, {chosen.spec!r}{spelled})",
    )  # fmt: skip
    return summarise_replay(setting, outcome, bounded=bound > 0, jobs=frame)
