"""Which tests use the same compiled kernel: in one worker it is compiled once."""

from zerowait.policies import parse_policy


def kernel_of(spec: str) -> str:
    """Return the policy that a kernel is compiled for; options are numbers in its state."""
    return parse_policy(spec.partition(",")[0]).spec
