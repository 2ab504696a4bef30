"""`python -m zerowait` is `zerowait`; Ctrl-C ends it in one line, even while it is imported."""

import os
import sys
from types import TracebackType

INTERRUPTED = b"zerowait: interrupted; nothing was written\n"


def main() -> None:
    sys.excepthook = _tell  # until more is imported
    import gc
    import signal

    # What is imported stays: looking it through again and again takes a tenth of a short command.
    gc.set_threshold(100_000)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from zerowait.cli import run_command_line

    sys.excepthook = sys.__excepthook__
    run_command_line()


def _leave(*_: object) -> None:
    os.write(2, INTERRUPTED)
    os._exit(130)


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        _leave()
    sys.__excepthook__(kind, error, trace)


if __name__ == "__main__":
    main()
