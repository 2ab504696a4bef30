"""What a user names, opened: a workload (itself, published, a TOML file) or a log (itself, its
file, `zerowait.Jobs`). Nobody else asks which of the two it is by looking at a name.
"""

from pathlib import Path
from typing import TypeGuard

from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.options import CompareOptions
from zerowait.experiment.simulation.log_setup import set_up_log
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.simulation.workload_setup import set_up_workload
from zerowait.model import InputError, Jobs, Workload
from zerowait.model.quantities import refuse
from zerowait.model.workloads import is_published
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace, log_of


def is_log(what: object) -> TypeGuard[Trace]:
    """Say whether something is jobs, a log, or a file that is no TOML; the names of published
    workloads are none."""
    if isinstance(what, (Jobs, Log)):
        return True
    if not isinstance(what, (str, Path)) or str(what).endswith(".toml"):
        return False
    return Path(what).is_file() and not is_published(str(what))


def open_source(what: AnyWorkload | Trace, servers: int | None, function: str) -> Workload | Log:
    """Open what a user names for one of the public functions; refuse what is neither."""
    if is_log(what):
        return log_of(what, function)
    if not isinstance(what, (Workload, str, Path)):
        remedy = (
            "must be a Workload, the name of one, a TOML file, a log, its file, or "
            "zerowait.Jobs(arrival, need, service)"
        )
        raise refuse("what", what, f"{remedy}; {function} takes nothing else")
    if isinstance(what, Workload):
        return what
    if servers is None:
        raise InputError("servers: a workload does not say how many there are; give servers")
    return find_workload(what, servers)


def set_up(what: AnyWorkload | Trace, servers: int | None, options: CompareOptions) -> Setup:
    """Open what a user names, and make its jobs ready; nobody behind this asks what they are."""
    source = open_source(what, servers, "compare")
    if isinstance(source, Log):
        measure = "wait" if options.measure == "response" else options.measure
        return set_up_log(source, servers, options.of_replay(), measure, options.level)
    found = set_up_workload(source, servers, options.of_simulation())
    if found.batches is not None and options.measure not in MEASURES:
        remedy = "quantiles are compared over replications, not batches"
        raise refuse("measure", options.measure, remedy)
    return found
