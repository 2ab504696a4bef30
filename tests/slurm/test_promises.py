"""A real Slurm keeps every promise of a deployment, and broken files are found out."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import CONF, DUE, SPLIT_CONF, SPLIT_PLAN, deployed, plan
from zerowait.deploy.check.scenarios import CheckOutcome, play_scenarios, scenarios_for
from zerowait.deploy.slurm.deployment import SlurmDeployment, deployment_files
from zerowait.deploy.slurm.folder import read_deployment, write_deployment
from zerowait.experiment.files.plan_file import Plan, PlanClass

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]

FAT = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
EnforcePartLimits=ALL
NodeName=n[01-12] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000
PartitionName=batch Nodes=n[01-12] Default=YES MaxTime=10:00:00 OverSubscribe=EXCLUSIVE
PartitionName=debug Nodes=n12 MaxTime=30 AllowGroups=root MaxNodes=1
"""
SITE_SCRIPT = """\
function slurm_job_submit(job, parts, uid)
  if job.comment == "forbidden" then return slurm.ERROR end
  return slurm.SUCCESS
end
function slurm_job_modify(job, record, parts, uid) return slurm.SUCCESS end
return slurm.SUCCESS
"""
KEYED, BASIC = "job.site_factor = priority_at(arrival", "job.priority = priority_at(arrival"
TABLE = (PlanClass("short", (1, 8), (0, 3600)), PlanClass("long", (1, 8), (3600, float("inf"))))


@pytest.fixture(scope="module")
def slurm() -> None:
    need_slurm()


def outcomes(
    one: SlurmDeployment, files: Mapping[str, str] | None = None, only: str = ""
) -> list[CheckOutcome]:
    wanted = [promise for promise in scenarios_for(one) if only in promise.promise]
    assert wanted
    return list(play_scenarios(one, files or deployment_files(one), wanted))


def broken(found: list[CheckOutcome]) -> list[str]:
    return [f"{one.promise}: {one.expected} / {one.seen}" for one in found if not one.holds]


@pytest.mark.parametrize(
    ("choice", "conf", "n_promises"),
    [(DUE, CONF, 15), ("easy", FAT, 12), ("first-fit", CONF, 9)],
    ids=["due", "easy on whole nodes", "first-fit"],
)
def test_every_promise_is_kept(tmp_path: Path, choice: str, conf: str, n_promises: int) -> None:
    servers = 12 if conf == FAT else 8
    found = outcomes(deployed(tmp_path, plan(choice, servers), conf))
    assert broken(found) == []
    assert len(found) == n_promises


def test_a_default_time_above_the_longest_is_the_site_s_own(tmp_path: Path) -> None:
    conf = CONF + "PartitionName=debug Nodes=n8 MaxTime=30 DefaultTime=1-0\n"
    (found,) = outcomes(deployed(tmp_path, conf=conf), only="limits of every")
    assert broken([found]) == []
    assert "debug MaxTime=30.0; debug DefaultTime=inf" in found.seen


def test_a_split_keeps_its_rules(tmp_path: Path) -> None:
    found = outcomes(deployed(tmp_path, SPLIT_PLAN, SPLIT_CONF))
    assert broken(found) == []
    assert sum(one.promise.startswith("rule") for one in found) == 3


@pytest.mark.parametrize(
    "choice",
    ["backfill,order=area,reserve_after=never", "backfill,order=due,allowance=0/20h", "fcfs"],
)
def test_other_orders(tmp_path: Path, choice: str) -> None:
    one = deployed(tmp_path, plan(choice, classes=TABLE))
    assert broken(outcomes(one, only="by their keys")) == []


def test_the_first_that_does_not_fit_blocks_all_under_fcfs(tmp_path: Path) -> None:
    assert broken(outcomes(deployed(tmp_path, plan("fcfs")), only="blocks all")) == []


def changed(**by_file: tuple[str, str]) -> Callable[[Mapping[str, str]], dict[str, str]]:
    """Files with one text in place of another: `conf` and `lua` stand for their names."""

    def change(files: Mapping[str, str]) -> dict[str, str]:
        new = dict(files)
        for short, (old, text) in by_file.items():
            name = {"conf": "zerowait.conf", "lua": "job_submit.lua"}[short]
            assert old in new[name]
            new[name] = new[name].replace(old, text)
        return new

    return change


@pytest.mark.parametrize(
    ("of", "change", "only"),
    [
        (plan(), changed(conf=("bf_busy_nodes,", "")), "but for one"),
        (plan(), changed(conf=("bf_job_part_count_reserve=1,", "")), "first in line"),
        (plan(), changed(conf=("bf_min_age_reserve=86400,", "")), "holds nobody back"),
        (plan(), changed(lua=(KEYED, "priority_at(arrival")), "start by their keys"),
        (plan(), changed(lua=("patience = 36000", "patience = 3600")), "start by their keys"),
        (plan(), changed(conf=("priority/multifactor", "priority/basic"), lua=(KEYED, BASIC)),
         "holds and releases"),
        (SPLIT_PLAN, changed(conf=("sched/builtin", "sched/backfill")), "helpers serve in order"),
        (SPLIT_PLAN, changed(conf=("PriorityTier=1", "PriorityTier=3")), "rule 1"),
        (SPLIT_PLAN, changed(lua=("part == nil or", "")), "AllowGroups"),
        (SPLIT_PLAN, changed(conf=("MaxTime=2-0", "MaxTime=3-0")), "limits of every"),
    ],
    ids=["busy nodes", "one reservation", "late reservation", "no keys", "another patience",
         "basic priority", "back-filling helpers", "helpers first", "open to all", "limits"],
)  # fmt: skip
def test_broken_files_are_found_out(
    tmp_path: Path, of: Plan, change: Callable[[Mapping[str, str]], dict[str, str]], only: str
) -> None:
    one = deployed(tmp_path, of, SPLIT_CONF if of is SPLIT_PLAN else CONF)
    found = outcomes(one, change(deployment_files(one)), only)
    assert len(broken(found)) == 1, found


def test_a_site_with_preemption_is_tried_with_it(tmp_path: Path) -> None:
    conf = CONF + "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
    one = deployed(tmp_path / "site", conf=conf)
    write_deployment(one, tmp_path / "out", "")
    planned, files = read_deployment(tmp_path / "out")
    assert "PreemptType" in files["site.conf"]
    assert broken(outcomes(planned, files, "by their keys")) == []
