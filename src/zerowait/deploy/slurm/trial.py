"""A trial start: does a real slurmctld take the new configuration, before anybody applies it?"""

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from zerowait.deploy.cluster.processes import Watchdog, find_program
from zerowait.deploy.slurm.conf import SlurmConf, conf_value
from zerowait.model import InputError

TRIAL_FILE, TRIAL_CONF_FILE = "trial.sh", "trial.conf"
TIMEOUT_S = 120.0
NOT_INSTALLED = "slurmctld is not installed here"
# Of the machine that the controller runs on, and of its accounting database.
LOCAL_KEYS = frozenset((
    "slurmctldhost", "controlmachine", "controladdr", "backupcontroller", "backupaddr",
    "slurmuser", "slurmduser", "authtype", "authinfo", "authalttypes", "authaltparameters",
    "credtype", "cryptotype", "jobcredentialprivatekey", "jobcredentialpubliccertificate",
    "slurmctldport", "slurmdport", "communicationparameters", "slurmctldparameters",
    "statesavelocation", "slurmctldlogfile", "slurmdlogfile", "slurmdspooldir", "slurmschedlogfile",
    "slurmctldpidfile", "slurmdpidfile", "plugindir", "plugstackconfig", "mailprog", "mpidefault",
    "mpiparams", "prologslurmctld", "epilogslurmctld", "slurmctldprimaryonprog",
    "slurmctldprimaryoffprog", "priorityweighttres",
))  # fmt: skip
LOCAL_BEGINNINGS = ("accountingstor", "jobcomp", "federation")
NODE_PLACES = ("nodeaddr", "nodehostname", "port", "bcastaddr")
# In place of them; trial.sh knows what stands for the capitals.
LOCAL_LINES = """\
SlurmctldHost=@HOST@(127.0.0.1)
SlurmctldPort=@PORT@
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/@AUTH@
SlurmUser=@USER@
StateSaveLocation=@FOLDER@/state
SlurmctldPidFile=@FOLDER@/pid
SlurmSchedLogFile=@FOLDER@/sched
MailProg=/bin/true
MpiDefault=none
"""
TRIAL = f"""\
#!/bin/sh
# Before the files are applied, on the controller: does slurmctld take the new configuration? One is
# started beside yours, on another port, with folders of its own and without nodes, and ended again.
# Usage: trial.sh [CONFIGURATION [FOLDER OF SLURM.CONF]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
conf=${{1:-$here/{TRIAL_CONF_FILE}}}
beside=@CONF_DIR@
[ $# -lt 2 ] || beside=$2
folder=$(mktemp -d) || exit 2
pid=
end() {{
  [ -z "$pid" ] || {{ kill -KILL "$pid"; wait "$pid"; }} 2>/dev/null
  rm -rf "$folder"
}}
trap end EXIT
trap 'exit 2' HUP INT TERM PIPE
mkdir "$folder/state"
cp "$here"/job_submit*.lua "$folder"
for name in topology gres cgroup acct_gather; do
  [ ! -f "$beside/$name.conf" ] || cp "$beside/$name.conf" "$folder"
done
auth=none
[ ! -S /run/munge/munge.socket.2 ] || auth=munge
sed -e "s#@FOLDER@#$folder#; s#@HOST@#$(hostname -s)#; s#@PORT@#$((20000 + $$ % 10000))#" \\
  -e "s#@USER@#$(id -un)#; s#@AUTH@#$auth#" "$conf" > "$folder/slurm.conf"
export SLURM_CONF="$folder/slurm.conf"
slurmctld -D -c -f "$SLURM_CONF" > "$folder/log" 2>&1 &
pid=$!
for _ in $(seq 150); do
  if scontrol ping 2>/dev/null | grep -q 'is UP'; then
    sleep 1 # some settings are looked at last
    kill -0 "$pid" 2>/dev/null || break
    echo "slurmctld takes the configuration"
    exit 0
  fi
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
echo "slurmctld does not take the configuration:"
grep -E 'error|fatal' "$folder/log" | tail -n 2
exit 1
"""


def trial_script(conf_dir: Path) -> str:
    """Write the script that tries a configuration, for a controller with its files in a folder."""
    return TRIAL.replace("@CONF_DIR@", shlex.quote(str(conf_dir)))


def trial_conf(conf: SlurmConf) -> str:
    """Write a configuration as one file, without what only holds on the controller's machine."""
    return "\n".join(_lines(conf)) + "\n" + LOCAL_LINES


def _lines(conf: SlurmConf) -> Iterator[str]:
    for line in conf.lines:
        if line.table == "frontendname":
            continue
        left_out = NODE_PLACES if line.table == "nodename" else ()
        kept = [
            f"{key}={conf_value(value)}"
            for key, value in line.pairs
            if key not in left_out and (line.table is not None or not _is_local(key))
        ]
        if line.table == "nodename" and line.pairs[0][1].upper() != "DEFAULT":
            kept.append("NodeAddr=127.0.0.1")
        if kept:
            yield " ".join(kept)


def _is_local(key: str) -> bool:
    return key in LOCAL_KEYS or key.startswith(LOCAL_BEGINNINGS)


def try_start(files: Mapping[str, str], present: SlurmConf) -> str:
    """Have slurmctld read the new files; return what came of it, or refuse them.

    Where it does not take the `present` configuration either, this machine cannot tell.
    """
    if None in map(find_program, ("slurmctld", "scontrol")):
        return NOT_INSTALLED
    folder = Path(tempfile.mkdtemp(prefix="zerowait-trial-"))
    watchdog = Watchdog(folder)
    try:
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        reason = _failure(folder, TRIAL_CONF_FILE, present)
        if not reason:
            return "slurmctld takes the new configuration"
        (folder / "present.conf").write_text(trial_conf(present), encoding="utf-8")
        other = _failure(folder, "present.conf", present)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        watchdog.dismiss()
    if other:
        return f"slurmctld does not even take your present configuration here: {other}"
    raise InputError(f"{present.path}: with the plan's changes slurmctld would not start: {reason}")


def _failure(folder: Path, conf: str, present: SlurmConf) -> str:
    """Try one configuration; return why it was not taken, or nothing."""
    command = ["sh", str(folder / TRIAL_FILE), str(folder / conf), str(present.path.parent)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, cwd="/",
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    words = " ".join(done.stdout.splitlines()[1:]) or done.stderr.strip()[-200:]
    return "" if done.returncode == 0 else words.replace("slurmctld: ", "") or "no reason given"
