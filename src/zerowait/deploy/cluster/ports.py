"""Free ports of the loopback interface."""

import random
import socket

# Below the range from which the system takes ports of its own for outgoing connections.
LOWEST, HIGHEST = 10_000, 32_000


def free_ports(n: int) -> list[int]:
    """Ports that nobody listens on now, found by trying; from a random place on."""
    found: list[int] = []
    port = random.randrange(LOWEST, HIGHEST)
    while len(found) < n:
        if _is_free(port):
            found.append(port)
        port = port + 1 if port < HIGHEST else LOWEST
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
