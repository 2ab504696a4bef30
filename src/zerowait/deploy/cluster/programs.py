"""Where the programs of Slurm are, and what to say where they are not."""

import os
import shutil
import subprocess

from zerowait.model import InputError

PACKAGES = "slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge"
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "sdiag", "setpriv")
COMPILERS = ("cc", "gcc", "clang")
# Daemons are not on the path of every user.
FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")


def find_program(name: str) -> str | None:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *FOLDERS])
    return shutil.which(name, path=path)


def program(name: str) -> str:
    """The path of a program that `require_slurm` has found."""
    found = find_program(name)
    if found is None:
        raise InputError(_advice([name]))
    return found


def slurm_version() -> str:
    """As the controller says: `slurm-wlm 22.05.8`."""
    done = subprocess.run([program("slurmctld"), "-V"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "Slurm"


def missing_programs() -> list[str]:
    missing = [name for name in NEEDED if find_program(name) is None]
    if not any(map(find_program, COMPILERS)):
        missing.append("cc")
    return missing


def require_slurm() -> None:
    """Refuse, before anything is started, where a real Slurm cannot be started."""
    missing = missing_programs()
    if missing:
        raise InputError(_advice(missing))


def _advice(missing: list[str]) -> str:
    packages = [] if missing == ["cc"] else [PACKAGES]
    if "cc" in missing:
        packages.append("gcc libc6-dev")  # for the clock that the controller is given
    return (
        f"a real Slurm cannot be started here: {', '.join(missing)} is missing; "
        f"on Debian: apt-get install {' '.join(packages)}"
    )
