"""What a policy of your own may import. These names stay; what lies behind them may move.

from zerowait.kit import NONE, Policy, Queues, empty_queues, join, leave, register
"""

from zerowait.engine.kernel import called
from zerowait.engine.policy import Policy, System
from zerowait.engine.seats import RUNNING, WAITING, Seats, remaining_of
from zerowait.engine.structures.queues import (
    NONE,
    Lines,
    Queues,
    empty_lines,
    empty_queues,
    first_outside,
    join,
    leave,
    leave_line,
    plan_count,
    plan_fewer,
    plan_more,
)
from zerowait.engine.structures.trees import (
    JobTrees,
    empty_job_trees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.base import register
from zerowait.policies.families.options import COUNT, NUMBER, TIME, Choice, Range, chosen_from
from zerowait.policies.families.preemptive import Preemptive

__all__ = [
    "COUNT",
    "NONE",
    "NUMBER",
    "RUNNING",
    "TIME",
    "WAITING",
    "Choice",
    "Floats",
    "Ints",
    "JobTrees",
    "Lines",
    "Policy",
    "Preemptive",
    "Queues",
    "Range",
    "Seats",
    "System",
    "called",
    "chosen_from",
    "empty_job_trees",
    "empty_lines",
    "empty_queues",
    "first_in_time",
    "first_outside",
    "first_to_free",
    "insert",
    "join",
    "leave",
    "leave_line",
    "need_up_to",
    "plan_count",
    "plan_fewer",
    "plan_more",
    "register",
    "remaining_of",
    "remove",
]
