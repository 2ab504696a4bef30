"""What the page offers, before anything is asked: workloads, policies, and where to begin."""

from typing import Any

from zerowait.explore.question import (
    ARRIVALS,
    MOST_POLICIES,
    MOST_SERVERS,
    REPLICATIONS,
)
from zerowait.explore.setting import known_policies
from zerowait.explore.subject import Subject
from zerowait.model import InputError, Workload
from zerowait.model.display import plain
from zerowait.model.jobs import RULES

SERVERS = 256  # to begin with, where nothing says how many
LOAD = 0.8
OF_WORKLOADS = ("fcfs", "first-fit", "balanced-splitting:fcfs")
OF_LOGS = ("easy", "first-fit")


def catalogue(subject: Subject) -> dict[str, Any]:
    return {
        "workloads": [_workload(subject, name) for name in subject.names],
        "policies": known_policies(),
        "most_policies": MOST_POLICIES,
        "most_servers": MOST_SERVERS,
        "overruns": list(RULES),
        "start": _start(subject),
        "plan": _plan(subject),
    }


def _workload(subject: Subject, name: str) -> dict[str, Any]:
    """Its servers, and a load where it has none of its own."""
    if subject.is_log(name):
        assert subject.log is not None
        return {"name": name, "log": True, "servers": subject.log.servers, "load": None}
    servers, found = _fitting(subject, name, subject.servers or SERVERS)
    own = found.arrivals.rate is not None
    return {"name": name, "log": False, "servers": servers, "load": None if own else LOAD}


def _fitting(subject: Subject, name: str, servers: int) -> tuple[int, Workload]:
    """As many servers as wanted, or twice as many again and again until all jobs fit."""
    try:
        found = subject.find_workload(name, servers)
        found.check_fits(servers)
        return servers, found
    except InputError:
        if servers > MOST_SERVERS:
            raise
        return _fitting(subject, name, 2 * servers)


def _start(subject: Subject) -> dict[str, Any]:
    """The first question; `-k` and a plan's policies come before what is usual."""
    first = _workload(subject, subject.name)
    policies: tuple[str, ...] = OF_LOGS if first["log"] else OF_WORKLOADS
    if subject.plan is not None:
        policies = tuple(dict.fromkeys([subject.plan.baseline, subject.plan.policy]))
    question: dict[str, Any] = {
        "workload": subject.name,
        "servers": subject.servers or (None if first["log"] else first["servers"]),
        "load": first["load"],
        "policy": list(policies),
        "seed": 1,
    }
    if not first["log"]:
        question |= {"arrivals": ARRIVALS, "replications": REPLICATIONS}
    elif subject.plan is not None:
        question["overruns"] = subject.plan.overruns
    return question


def _without_cut(candidate: str) -> str:
    """The policy of a candidate whose classes are cut; the plan's own cut is in its log's jobs."""
    return candidate.split(" with classes")[0]


def _plan(subject: Subject) -> dict[str, Any] | None:
    plan = subject.plan
    if plan is None:
        return None
    found: dict[str, Any] = plain(
        {
            "baseline": plan.baseline,
            "front": [{**one, "spec": _without_cut(str(one["policy"]))} for one in plan.front],
        }
    )
    return found
