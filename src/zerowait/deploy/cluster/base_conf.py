"""The lines of slurm.conf that let a Slurm run by hand on one machine, on loopback only."""

import getpass
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class VirtualNode:
    """A node that is a process; `attributes` as in slurm.conf, `CPUs=4` for one."""

    name: str
    attributes: str = "CPUs=1"


def base_conf(folder: Path, nodes: Sequence[VirtualNode], ports: Sequence[int]) -> str:
    """Everything but partitions and scheduling; the first port is the controller's."""
    user = getpass.getuser()
    host = socket.gethostname().partition(".")[0]
    lines = [
        "ClusterName=zerowait",
        f"SlurmctldHost={host}(127.0.0.1)",
        f"SlurmctldPort={ports[0]}",
        # Without these the daemons listen on every interface of the machine.
        "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny",
        "AuthType=auth/munge",
        f"AuthInfo=socket={folder}/munge/socket",
        f"SlurmUser={user}",
        f"SlurmdUser={user}",
        f"StateSaveLocation={folder}/state",
        f"SlurmdSpoolDir={folder}/spool/%n",
        f"SlurmctldPidFile={folder}/slurmctld.pid",
        f"SlurmdPidFile={folder}/spool/%n.pid",
        f"SlurmctldLogFile={folder}/log/slurmctld",
        f"SlurmdLogFile={folder}/log/%n",
        "MailProg=/bin/true",
        "ProctrackType=proctrack/linuxproc",
        "TaskPlugin=task/none",
        "SwitchType=switch/none",
        "MpiDefault=none",
        "AccountingStorageType=accounting_storage/none",
        "JobAcctGatherType=jobacct_gather/none",
        "JobCompType=jobcomp/filetxt",
        f"JobCompLoc={folder}/jobcomp.txt",
        # Nodes have the CPUs that the configuration says, not those of this machine.
        "SlurmdParameters=config_overrides",
        "ReturnToService=2",
        # A clock that is put forward must not make nodes look dead, nor jobs be forgotten.
        "SlurmdTimeout=0",
        "MinJobAge=400000000",
        "MaxJobCount=50000",
        "MessageTimeout=60",
        # With an epilog nodes come back in 0.03 s; without one, Slurm waits for a second.
        "Epilog=/bin/true",
    ]
    return "\n".join([*lines, *_node_lines(nodes, ports[1:], host)]) + "\n"


def _node_lines(nodes: Sequence[VirtualNode], ports: Sequence[int], host: str) -> Iterator[str]:
    for node, port in zip(nodes, ports, strict=True):
        yield (
            f"NodeName={node.name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
            f"{node.attributes} State=UNKNOWN"
        )
