"""How long simulations take: seconds per million arrivals on one core, measured once.

In single runs of Figures 1 to 3 on one machine, at high load, where policies are slowest. It
decides which points of a sweep come first, and what people are told of the time that is left.
"""

from zerowait.policies import Policy

SECONDS = {
    "fcfs": 0.2,
    "first-fit": 0.2,
    "easy": 0.6,
    "conservative": 3.0,
    "most-servers-first": 0.35,
    "least-servers-first": 0.3,
    "server-filling": 0.45,
    "server-filling-srpt": 0.8,
    "first-fit-srpt": 0.8,
    "maxweight": 1.5,
    "balanced-splitting": 0.25,
    "modified-balanced-splitting": 0.25,
}
OTHERS = (0.3, 1.0)  # without and with preemption
EACH = 0.03  # per point, whatever its length


def estimated_seconds(policy: Policy, n_jobs: int) -> float:
    rate = SECONDS.get(policy.name, OTHERS[policy.preemptive])
    return EACH + rate * n_jobs / 1e6
