"""What the model says about input it cannot accept."""


class InputError(ValueError):
    """Bad input. The message is one line: the field, its value and the remedy."""
