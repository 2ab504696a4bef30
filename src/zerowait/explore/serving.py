"""Start the explorer on loopback, and end it."""

import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from zerowait.explore.desk import Desk
from zerowait.explore.gate import LOOPBACK
from zerowait.explore.server import application
from zerowait.explore.subject import Subject
from zerowait.model import InputError

GRACE_S = 1  # for pages that still listen when the explorer ends


@dataclass(frozen=True)
class Explorer:
    """One that runs: its address, which holds the token, and where it computes."""

    address: str
    desk: Desk


@contextmanager
def serving(subject: Subject, port: int = 0) -> Iterator[Explorer]:
    """Until the block ends, in a thread of its own; port 0 is any that is free."""
    desk, token = Desk(), secrets.token_urlsafe(24)
    with _bound(port) as bound:
        actual = bound.getsockname()[1]
        app = application(subject, token, actual, desk)
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, lifespan="off", server_header=False,
            ws="none", proxy_headers=False, timeout_graceful_shutdown=GRACE_S,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
        thread.start()
        try:
            yield Explorer(f"http://{LOOPBACK}:{actual}/{token}/", desk)
        finally:
            server.should_exit = True
            thread.join(2 * GRACE_S)
            desk.close()


def _bound(port: int) -> socket.socket:
    """Listening from now on: what asks before the server runs waits for it."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        raise InputError(f"port = {port}: {error.strerror}; choose another, or 0") from None
    return listening
