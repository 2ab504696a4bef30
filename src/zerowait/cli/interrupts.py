"""Ctrl-C: heard whatever the program is doing, obeyed within two seconds, told in one line.

Python itself hears a signal only between two of its own steps, and not while the main thread is
in a kernel, in a compiler, or in a wait of a foreign library. So a thread listens as well.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from zerowait.cli.output import INTERRUPTED, InterruptedRun, note

GRACE_S = 1.0  # for a command to end by itself, and tidy up


class _Ending:
    """The message at the end, and the time until then."""

    message = "interrupted; nothing was written"
    grace_s = GRACE_S
    heard = threading.Event()
    once = threading.Lock()
    sockets: "tuple[socket.socket, socket.socket] | None" = None


@contextmanager
def keeping(kept: str, grace_s: float = GRACE_S) -> Iterator[None]:
    """Say on Ctrl-C what is kept of the work; `grace_s` is longer where processes must stop."""
    before = _Ending.message, _Ending.grace_s
    _Ending.message, _Ending.grace_s = f"interrupted; {kept}", grace_s
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRun(f"interrupted; {kept}") from None
    finally:
        _Ending.message, _Ending.grace_s = before


def listen() -> None:
    """Listen for Ctrl-C from now on, unless it is to be ignored, as under nohup."""
    if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
        return
    signal.signal(signal.SIGINT, _interrupt)
    ears, mouth = _Ending.sockets = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_end_after_grace, args=(ears,), daemon=True).start()


def _interrupt(*_: object) -> NoReturn:
    """Raise KeyboardInterrupt as Python does, and note it: other code may replace the error."""
    _Ending.heard.set()
    raise KeyboardInterrupt


def was_interrupted() -> bool:
    return _Ending.heard.is_set()


def end_interrupted(message: str | None = None) -> NoReturn:
    """Say what is kept and end at once, without waiting for threads, whose kernels may run long.

    Files are moved into place when they are whole, so that none is left half-written.
    """
    if not _Ending.once.acquire(blocking=False):
        threading.Event().wait()  # another thread is at it
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[2K\x1b[?25h")  # a bar leaves its line, and the cursor hidden
    note(message or _Ending.message)
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def _end_after_grace(ears: socket.socket) -> None:
    _next_interrupt(ears)
    _Ending.heard.set()
    ears.settimeout(_Ending.grace_s)
    with suppress(TimeoutError):
        _next_interrupt(ears)  # a second one is obeyed at once
    end_interrupted()


def _next_interrupt(ears: socket.socket) -> None:
    while ears.recv(1) != bytes([signal.SIGINT]):
        pass
