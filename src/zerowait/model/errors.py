"""What the model says about input it cannot accept."""


class InputError(ValueError):
    """Bad input. The message is one line: the field, its value and the remedy."""


class WriteError(OSError):
    """A file could not be written. The message is one line: the file, the reason, what is kept."""
