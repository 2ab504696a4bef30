"""What is said of input that cannot be accepted, and of policies that break the rules."""


class InputError(ValueError):
    """Bad input. The message is one line: the field, its value and the remedy.

    Where a single value is at fault, programs find the parts in `field`, `value` (a number or a
    text as it was given, anything else as it is shown) and `remedy`.
    """

    field: str | None = None
    value: float | str | None = None
    remedy: str | None = None


class PolicyCodeError(InputError):
    """A mistake in the code of a policy. The message has a few lines: what, where, the remedy."""


class EngineError(RuntimeError):
    """A policy broke a rule. The message is one line: the policy, the time, the job, the rule."""


class WriteError(OSError):
    """A file could not be written. The message is one line: the file, the reason, what is kept."""
