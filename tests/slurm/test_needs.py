"""The key counts the servers that Slurm gives a job, whatever its request looks like."""

from collections.abc import Iterator

import pytest

from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import plan, site
from zerowait.deploy.check.keys_and_limits import HIGHEST
from zerowait.deploy.cluster.cluster import SlurmCluster, SlurmSetup, VirtualNode
from zerowait.deploy.slurm.deployment import deployment_files, make_deployment
from zerowait.deploy.slurm.key_script import REKEY_FILE, UNKEY_FILE

pytestmark = pytest.mark.slow

N_NODES, N_CPUS = 4, 8  # CPUs of a node
NODE = "Sockets=2 CoresPerSocket=4 RealMemory=16000"
PARTITIONS = """\
PartitionName=batch Nodes=n[1-4] Default=YES DefMemPerCPU=100
PartitionName=whole Nodes=n[1-4] OverSubscribe=EXCLUSIVE
"""
# A request: what it holds, in nodes and in CPUs.
REQUESTS = {
    "-n5": (1, 5),
    "-n12": (2, 12),
    "-N2": (2, 2),
    "-N2 -n5": (2, 5),
    "-n3 -c3": (2, 9),
    "-c3": (1, 3),
    "-n4 -c2 --exclusive": (1, 8),
    "--exclusive": (1, 8),
    "-N2 --exclusive": (2, 16),
    "-n12 --exclusive": (2, 16),
    "-N2 -n3 --exclusive": (2, 16),
    "-p whole -n3": (1, 8),
    "-p whole -N2": (2, 16),
    "-n6 --ntasks-per-node=2": (3, 6),
    "-N2 --mincpus=3": (2, 6),
    "--gres=gpu:1": (1, 1),
    "-N2 --gres=gpu:2": (2, 2),
    "-n2 --array=1-3": (1, 2),
    "--array=1-3 --exclusive": (1, 8),
    "-n4 --mem-per-cpu=3000": (1, 4),
    "-N2 --mem=9000": (2, 2),
}
FIRST_PART, SECOND_PART = "-n2 :", ": -N2 --exclusive"  # of a heterogeneous job
PARTS = {FIRST_PART: (1, 2), SECOND_PART: (2, 16)}


@pytest.fixture(scope="module", params=["node", "cpu"])
def waiting(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[SlurmCluster, dict[str, int], int]]:
    """Every request, waiting behind a job that holds all nodes; 0 or 1: nodes or CPUs count."""
    need_slurm()
    conf = f"SelectType=select/cons_tres\nNodeName=n[1-4] {NODE}\n{PARTITIONS}"
    of = site(tmp_path_factory.mktemp("site"), conf)
    servers = N_NODES * (N_CPUS if request.param == "cpu" else 1)
    partitions = ["batch", "whole"]
    chosen = plan("backfill,order=need", servers)
    one = make_deployment(chosen, of, partitions=partitions, server=request.param)
    gpus = "Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n"
    files = deployment_files(one) | {"gres.conf": gpus}
    nodes = [VirtualNode(f"n{number}", f"{NODE} Gres=gpu:2") for number in range(1, N_NODES + 1)]
    lines = f"GresTypes=gpu\nSelectTypeParameters=CR_Core_Memory\n{PARTITIONS}"
    with SlurmCluster(SlurmSetup(nodes, f"{lines}Include zerowait.conf\n", files)) as cluster:
        blocker = cluster.submit("sleep 600", f"-N{N_NODES}", "--exclusive")
        cluster.wait_for_start([blocker])
        jobs = {text: cluster.submit("sleep 0.1", "-t5", *text.split()) for text in REQUESTS}
        several = ("-t5", "-n2", ":", "-N2", "--exclusive", "--output=/dev/null")
        number = int(cluster.call("sbatch", "--parsable", *several, "--wrap=sleep 0.1"))
        jobs |= {FIRST_PART: number, SECOND_PART: number + 1}
        yield cluster, jobs, ("node", "cpu").index(request.param)


def keyed(cluster: SlurmCluster, jobs: dict[str, int]) -> dict[str, int]:
    """The need in each job's key; 0: it has none."""
    found = cluster.jobs()
    return {
        text: HIGHEST - found[number].priority if found[number].priority > 1 else 0
        for text, number in jobs.items()
    }


def test_the_key_has_the_servers_that_the_job_will_hold(
    waiting: tuple[SlurmCluster, dict[str, int], int],
) -> None:
    cluster, jobs, unit = waiting
    expected = {text: held[unit] for text, held in (REQUESTS | PARTS).items()}
    assert keyed(cluster, jobs) == expected
    for number in jobs.values():  # another limit is another key, for as many servers
        cluster.call("scontrol", "update", f"JobId={number}", "TimeLimit=4")
    assert keyed(cluster, jobs) == expected
    # As if they had waited before there were keys.
    for number in jobs.values():
        cluster.call("scontrol", "update", f"JobId={number}", "AdminComment=ours")
    cluster.run_script(UNKEY_FILE)
    assert set(keyed(cluster, jobs).values()) == {0}
    cluster.run_script(REKEY_FILE)
    assert keyed(cluster, jobs) == expected
    cluster.run_script(REKEY_FILE)
    assert keyed(cluster, jobs) == expected
