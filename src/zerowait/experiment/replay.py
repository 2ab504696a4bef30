"""Replay a list of jobs under a policy."""

from collections.abc import Callable

import numpy as np

from zerowait.engine.run import Options, run
from zerowait.engine.stream import JobStream
from zerowait.experiment.job_table import job_rows
from zerowait.experiment.result import Result
from zerowait.experiment.summarise import summarise
from zerowait.model import Jobs
from zerowait.model.quantities import non_negative, refuse, whole
from zerowait.policies import Policy, parse_policy

BOUND_S = 10.0  # shortest service that bounded slowdown divides by, in seconds


def replay(
    trace: Jobs,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    warmup: float = 0.0,
    bound: float = BOUND_S,
    jobs: bool = False,
    jit: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Run the jobs of `trace` on `servers` servers.

    Every job is counted unless a `warmup` share is asked for, and time averages run from the
    first (counted) arrival to the last completion. Classes are the trace's own, or its distinct
    needs; the slots of a split come from the trace's own demand unless they are given.
    """
    if not isinstance(trace, Jobs):
        raise refuse("trace", trace, "must be zerowait.Jobs(arrival, need, service)")
    chosen = parse_policy(policy)
    servers = whole("servers", servers)
    if not 0 <= non_negative("warmup", warmup) < 1:
        raise refuse("warmup", warmup, "must be a share of the jobs, at least 0 and below 1")
    need = np.asarray(trace.need)
    if need.max() > servers:
        at = int(need.argmax())
        raise refuse(
            f"need[{at}]",
            int(need[at]),
            f"exceeds the {servers} servers; give more, or drop the job",
        )
    stream = JobStream(trace)
    options = Options(
        warmup=int(warmup * len(trace)),
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
    parameters = {"jobs": len(trace), "warmup": warmup, "bound": bound}
    return summarise(
        chosen,
        servers,
        stream.kinds,
        [outcome],
        names,
        parameters,
        command=f"zw.replay(trace, {servers}, {chosen.spec!r}, warmup={warmup!r}, bound={bound!r})",
        jobs=frame,
        bounded=bound > 0,
    )
