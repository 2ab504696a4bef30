"""Who cleans up after a cluster whose own process was killed, and could not."""

import subprocess
from pathlib import Path

from zerowait.deploy.cluster.programs import program

# It reads from a pipe that only our process writes to, and that ends with it. The daemons then end
# by themselves; what runs jobs for them does not.
SCRIPT = """\
read -r _
sleep 5
for process in /proc/[0-9]*; do
  tr '\\0' '\\n' < "$process/environ" 2>/dev/null | grep -qxF "SLURM_CONF=$1/slurm.conf" &&
    kill -KILL "${process#/proc/}" 2>/dev/null
done
rm -rf -- "$1"
"""


class Watchdog:
    """A shell that outlives our process by seconds: it ends strays, and removes the folder."""

    def __init__(self, folder: Path) -> None:
        # In a session of its own: what ends our group must not end it.
        self._process = subprocess.Popen(
            [program("sh"), "-c", SCRIPT, "sh", str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
        )  # fmt: skip

    def dismiss(self) -> None:
        """Everything has been cleaned up."""
        self._process.kill()
        self._process.communicate()
