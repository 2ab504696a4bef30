"""The files of a deployment: what they say, what they keep, and what stops them."""

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.deploy.sites import CONF, DUE, SPLIT_CONF, SPLIT_PLAN, deployed, plan, site
from zerowait.deploy.slurm.conf import read_slurm_conf
from zerowait.deploy.slurm.deployment import (
    deployment_files,
    include_text,
    make_deployment,
    patch_text,
    patched_conf,
    script_text,
)
from zerowait.deploy.slurm.folder import read_deployment, write_deployment, write_folder
from zerowait.deploy.slurm.readme import readme_text
from zerowait.deploy.slurm.trial import trial_conf, trial_script
from zerowait.experiment.files.plan_file import PlanClass
from zerowait.model import InputError


def against(folder: Path, more: str, conf: str = CONF) -> list[str]:
    return [str(one) for one in deployed(folder, conf=conf + more).against]


def settings(text: str) -> dict[str, str]:
    """Keys and values of a configuration without its comments."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def test_every_line_has_its_reason(tmp_path: Path) -> None:
    blocks = include_text(deployed(tmp_path)).strip().split("\n\n")
    assert all(block.startswith("# ") for block in blocks)


def test_a_clean_site_has_nothing_against_the_plan(tmp_path: Path) -> None:
    assert deployed(tmp_path).against == ()


@pytest.mark.parametrize(
    ("choice", "wanted", "unwanted"),
    [
        (DUE, "bf_min_age_reserve=86400", "bf_min_prio_reserve"),
        ("easy", "bf_busy_nodes", "bf_min_age_reserve"),
        ("first-fit", "bf_min_prio_reserve=4294967294", "bf_min_age_reserve"),
        ("fcfs", "sched_interval=1", "bf_"),
    ],
)
def test_reservations_follow_the_policy(
    tmp_path: Path, choice: str, wanted: str, unwanted: str
) -> None:
    found = settings(include_text(deployed(tmp_path, plan(choice))))["SchedulerParameters"]
    assert wanted in found.split(",")
    assert unwanted not in found


def test_what_the_site_has_beside_the_plan_is_kept(tmp_path: Path) -> None:
    more = "SchedulerParameters=max_rpc_cnt=150,bf_continue\nJobSubmitPlugins=all_partitions\n"
    one = deployed(tmp_path, conf=CONF + more)
    found = settings(include_text(one))
    assert "max_rpc_cnt=150" in found["SchedulerParameters"].split(",")
    assert found["SchedulerParameters"].count("bf_continue") == 1
    assert found["JobSubmitPlugins"] == "all_partitions,lua"
    assert one.against == ()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("PriorityWeightAge=10\n", r":5: PriorityWeightAge=10: the plan needs PriorityWeightAge=0"),
        ("SchedulerType=sched/builtin\n", r":5: SchedulerType=sched/builtin: the plan needs"),
        ("PriorityWeightTRES=CPU=5\n", r":5: PriorityWeightTRES=CPU=5: the order depends"),
        ("PreemptType=preempt/qos\n", r"running jobs are stopped"),
        ("CompleteWait=0\n", r"CompleteWait=0: the plan needs CompleteWait=10"),
        ("SchedulerParameters=bf_max_job_user=5\n", r"SchedulerParameters bf_max_job_user=5: jobs"),
        ("SchedulerParameters=bf_interval=30\n", r"bf_interval=30: the plan needs bf_interval=1"),
        ("SchedulerParameters=enable_user_top\n", r"users may move their own jobs to the top"),
        ("PartitionName=x Nodes=n1\n", r"PartitionName=x: shares nodes with batch"),
    ],
)
def test_contradictions_name_their_line(tmp_path: Path, more: str, expected: str) -> None:
    (found,) = against(tmp_path, more)
    assert re.search(expected, found), found


def test_settings_of_other_spelling_are_no_contradiction(tmp_path: Path) -> None:
    more = "schedulertype=SCHED/BACKFILL\nPriorityWeightAge=0.0\nPreemptType=preempt/none\n"
    assert against(tmp_path, more) == []


def test_contradictions_of_nodes_and_scripts(tmp_path: Path) -> None:
    fat = CONF.replace("CPUs=1", "CPUs=4")
    assert "jobs may share nodes" in against(tmp_path, "", fat)[0]
    assert "SelectType is not set" in against(tmp_path, "", CONF.replace("SelectType", "#"))[0]
    lua = "function slurm_job_submit(job)\n  job.site_factor = 1 -- mine\nend\n"
    one = deployed(tmp_path, conf=CONF + "JobSubmitPlugins=lua\n", lua=lua)
    assert "job_submit.lua:2: job.site_factor = 1: the plan's key replaces" in str(one.against[0])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_patch_applies_and_is_undone(tmp_path: Path, end: str) -> None:
    conf = CONF + "SchedulerType=sched/builtin PriorityWeightAge=3 MailProg=/bin/true\n"
    conf += "SchedulerParameters=bf_interval=30,\\\nmax_rpc_cnt=7\nInclude more.conf"
    conf = conf.replace("\n", end)
    tmp_path.joinpath("more.conf").write_text("PriorityWeightQOS=4\n")
    one = deployed(tmp_path, conf=conf)
    patch = patch_text(one)
    (tmp_path / "zerowait.conf").write_text(include_text(one))

    def run(*options: str) -> None:
        subprocess.run(
            ["patch", "-s", "-d", "/", "-p1", *options], input=patch.encode(), check=True
        )

    run()
    after = read_slurm_conf(tmp_path / "slurm.conf")
    assert [one.value for one in after.settings("SchedulerType")] == ["sched/backfill"]
    assert [one.value for one in after.settings("PriorityWeightQOS")] == ["0"]
    assert after.value("MailProg") == "/bin/true"
    assert "max_rpc_cnt=7" in after.value("SchedulerParameters")
    run("-R")
    assert (tmp_path / "slurm.conf").read_bytes().decode() == conf
    assert (tmp_path / "more.conf").read_text() == "PriorityWeightQOS=4\n"


def test_the_patch_is_for_the_controller_s_folder(tmp_path: Path) -> None:
    (tmp_path / "more.conf").write_text("PriorityWeightQOS=4\n")
    of = site(tmp_path, CONF + "Include more.conf\n")
    one = make_deployment(plan(), of, conf_dir=Path("/opt/slurm/etc"))
    patch, page = patch_text(one), readme_text(one)
    assert "--- a/opt/slurm/etc/slurm.conf" in patch
    assert "--- a/opt/slurm/etc/more.conf" in patch
    assert "cp -p /opt/slurm/etc/slurm.conf /opt/slurm/etc/more.conf" in page
    assert "/opt/slurm/etc" in trial_script(one.conf_dir)
    assert str(tmp_path) not in patch
    with pytest.raises(InputError, match="conf-dir = etc: must be a path from the root"):
        make_deployment(plan(), of, conf_dir=Path("etc"))


def test_preemption_is_left_as_it_is(tmp_path: Path) -> None:
    one = deployed(tmp_path, conf=CONF + "PreemptType=preempt/qos\nPreemptMode=SUSPEND,GANG\n")
    assert "running jobs are stopped for others (it stays)" in readme_text(one)
    assert "Preempt" not in patch_text(one).replace(" Preempt", "")
    after = patched_conf(one)
    assert (after.value("PreemptType"), after.value("PreemptMode")) == (
        "preempt/qos", "SUSPEND,GANG"
    )  # fmt: skip


def test_a_trial_keeps_all_but_the_machine_s_own_lines(tmp_path: Path) -> None:
    more = "SlurmctldHost=head\nStateSaveLocation=/state\nAccountingStorageHost=db\nKillWait=7\n"
    more += "NodeName=m1 NodeAddr=10.0.0.1 Port=99\nSchedulerType=sched/builtin\n"
    found = trial_conf(patched_conf(deployed(tmp_path, conf=CONF + more)))
    for text in ("killwait=7", "nodename=m1 NodeAddr=127.0.0.1", "schedulertype=sched/backfill"):
        assert text in found.splitlines()
    for text in ("head", "/state\n", "=db", "10.0.0.1", "99", "builtin"):
        assert text not in found.replace("@/state\n", "")


@pytest.mark.parametrize(("name", "done"), [("rekey.sh", "keyed"), ("unkey.sh", "without a key")])
def test_the_scripts_of_the_day_go_on_past_jobs_that_have_ended(
    tmp_path: Path, name: str, done: str
) -> None:
    script = tmp_path / name
    script.write_text(deployment_files(deployed(tmp_path / "site"))[name])
    answers = {2: "Job has already finished", 3: "Invalid job id specified", 4: "Access denied"}
    cases = "".join(rf'*={job}\ *) echo "{text}" >&2; exit 1;;' for job, text in answers.items())
    for program, text in (
        ("squeue", "printf '%s 1 1 OK\\n' '1 1' '2 2' '3 3' '4 4' '5 5_1' '5 5_1' '7 6+1'"),
        ("scontrol", f'case "$* " in {cases} esac\necho "$2" >> {tmp_path}/seen'),
    ):
        (tmp_path / program).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / program).chmod(0o755)
    command, path = ["sh", str(script)], {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    found = subprocess.run(command, env=path, capture_output=True, text=True, check=False)
    assert found.stdout == f"3 jobs {done}, 2 had ended, 1 failed\n"
    assert found.stderr == "job 4: Access denied\n"
    assert found.returncode == 1
    assert (tmp_path / "seen").read_text() == "JobId=1\nJobId=5\nJobId=6+1\n"
    (tmp_path / "squeue").write_text("#!/bin/sh\necho 'no controller' >&2\nexit 1\n")
    assert subprocess.run(command, env=path, check=False, capture_output=True).returncode == 1


def test_a_site_that_is_deployed_already_is_refused(tmp_path: Path) -> None:
    (tmp_path / "zerowait.conf").write_text("CompleteWait=10\n")
    with pytest.raises(InputError, match=r"includes zerowait\.conf already"):
        deployed(tmp_path, conf=CONF + "Include zerowait.conf\n")
    with pytest.raises(InputError, match="is zerowait's own"):
        deployed(
            tmp_path,
            conf=CONF + "JobSubmitPlugins=lua\n",
            lua=script_text(deployed(tmp_path)),
        )


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("maxweight", "Slurm cannot run it"),
        ("bs:first-fit,slots=1", "run fcfs"),
        ("bs:fcfs", "give the slots"),
        ("bs:fcfs,slots=1/2", r"slots has 2 entries and the plan 0 \[\[class\]\]"),
        ("backfill,order=due,allowance=1/2", "allowance has 2 entries"),
        ("backfill,order=due,patience=10h,by=class", "needs a mean_service"),
        ("backfill,order=due,patience=10x", "'10x' is no time"),
        ("backfill,order=size", "order=size: must be one of"),
        ("backfill,reserve_after=40d", "up to 30 days"),
        ("backfill,colour=red", "unknown option 'colour'"),
    ],
)
def test_policies_that_slurm_cannot_run(tmp_path: Path, choice: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        include_text(deployed(tmp_path, plan(choice)))


def test_servers_are_nodes_or_cpus_by_their_number(tmp_path: Path) -> None:
    fat = CONF.replace("CPUs=1", "CPUs=4")
    assert deployed(tmp_path, plan(servers=8), fat).server == "node"
    assert deployed(tmp_path, plan(servers=32), fat).server == "cpu"
    with pytest.raises(InputError, match="the plan is for 9 servers; batch has 8 nodes with 32"):
        deployed(tmp_path, plan(servers=9), fat)
    with pytest.raises(InputError, match="server = 'rack': must be node or cpu"):
        make_deployment(plan(), site(tmp_path), server="rack")


def test_a_plan_for_another_number_of_servers_is_a_contradiction(tmp_path: Path) -> None:
    (found,) = make_deployment(plan(servers=9), site(tmp_path), server="node").against
    assert re.search(r":4: batch: 8 nodes: the plan was chosen for 9: what it gains", str(found))


def test_the_page_says_of_every_scheduler_parameter_what_becomes_of_it(tmp_path: Path) -> None:
    more = "SchedulerParameters=bf_max_job_user=5,bf_window=100,max_rpc_cnt=150\n"
    one = deployed(tmp_path, conf=CONF + more)
    page = readme_text(one)
    for text in ("bf_max_job_user=5: jobs of one user", "bf_window=100: the plan needs bf_window"):
        (line,) = (line for line in page.splitlines() if text in line)
        assert line.endswith("(the patch takes it out)")
    found = settings(include_text(one))["SchedulerParameters"].split(",")
    assert "max_rpc_cnt=150" in found
    assert not any(each.startswith("bf_max_job_user") for each in found)
    assert "#zerowait# SchedulerParameters=bf_max_job_user=5" in patch_text(one)


@pytest.mark.parametrize(
    ("choice", "page_says", "script_says"),
    [
        (DUE, ["short jobs pass long ones and small jobs pass large"], "-- small jobs first"),
        (
            "backfill,order=due,patience=10h,need_weight=-0.5",
            ["ones and large jobs pass small ones; nobody", "Asking for more servers then moves"],
            "need_weight = -0.5, -- large jobs first",
        ),
        (
            "backfill,order=due,patience=10h,need_weight=0,time_weight=-1",
            ["together, long jobs pass short ones; nobody", "Asking for more time then moves"],
            "time_weight = -1, -- long jobs first",
        ),
    ],
)
def test_who_passes_whom_goes_by_the_signs_of_the_weights(
    tmp_path: Path, choice: str, page_says: list[str], script_says: str
) -> None:
    one = deployed(tmp_path, plan(choice))
    page = readme_text(one)
    assert all(text in page for text in page_says)
    assert ("users can exploit" in page) == ("=-" in choice)
    assert script_says in script_text(one)


def test_the_table_of_sizes_reaches_the_largest(tmp_path: Path) -> None:
    conf = CONF.replace("n[1-8]", "n[1-215]").replace("MaxTime=2-0", "MaxTime=3-0")
    page = readme_text(deployed(tmp_path, plan(servers=215), conf))
    sizes = re.findall(r"^\| (\d+) \| (\d+) h \|", page, re.MULTILINE)
    assert sizes == [(need, h) for need in ("1", "8", "64", "215") for h in ("1", "24", "72")]


def test_a_split_divides_the_nodes_and_keeps_the_limits(tmp_path: Path) -> None:
    one = deployed(tmp_path, SPLIT_PLAN, SPLIT_CONF)
    lines = [line for line in include_text(one).splitlines() if line.startswith("PartitionName")]
    assert [line.split()[:3] for line in lines] == [
        ["PartitionName=cls_small", "Nodes=n[1-6]", "PriorityTier=2"],
        ["PartitionName=cls_mid_size", "Nodes=n[7-14]", "PriorityTier=2"],
        ["PartitionName=cls_large", "Nodes=n[15-18]", "PriorityTier=2"],
        ["PartitionName=helpers", "Nodes=n[19-24]", "PriorityTier=1"],
    ]
    assert all("MaxTime=2-0" in line and "AllowGroups=root" in line for line in lines)
    assert not any("Default=" in line for line in lines)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"choice": "bs:fcfs,slots=6/4/3"}, "classes own 26 of 24 servers"),
        ({"choice": "bs:fcfs,slots=6/4/1", "servers": 20}, "24 nodes"),
        ({"classes": (PlanClass("a", (1, 1)), PlanClass("a!", (2, 2)), PlanClass("b", (3, 4)))},
         "cls_a: is there already"),
        ({"classes": (PlanClass("!", (1, 1)), PlanClass("c", (2, 2)), PlanClass("b", (3, 4)))},
         "makes no name of a partition"),
        ({"classes": (PlanClass("a", (1, 1)), PlanClass("c", (2, 2)), PlanClass("b", (3,
          float("inf"))))}, "has no largest need"),
    ],
)  # fmt: skip
def test_splits_that_cannot_be(tmp_path: Path, change: dict[str, object], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        deployed(tmp_path, replace(SPLIT_PLAN, **change), SPLIT_CONF)  # type: ignore[arg-type]


EVIL = 'x"] = os.execute("touch /tmp/evil") --[[ \\ \n]]'


def test_names_cannot_become_code(tmp_path: Path) -> None:
    """Class and partition names reach Lua and slurm.conf as text, whatever is in them."""
    classes = (PlanClass(EVIL, (1, 4)), PlanClass("b", (5, 8)))
    conf = CONF.replace("PartitionName=batch", 'PartitionName="ba]]--t=1"')
    one = deployed(tmp_path, plan("backfill,order=due,allowance=0/5h", classes=classes), conf)
    script = script_text(one)
    assert "os.execute(" not in script
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', script.split("local HIGHEST")[0])
    named = next(text for text in strings if "touch" in text)
    read = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1])), named)
    assert read == EVIL
    for text in deployment_files(one).values():
        assert not any(line.startswith("]]") for line in text.splitlines())
    classes = (PlanClass(EVIL, (1, 1)), PlanClass("b", (2, 4)))
    split = plan("bs:fcfs,slots=6/1", 24, classes)
    lines = include_text(deployed(tmp_path, split, SPLIT_CONF)).splitlines()
    (line,) = (line for line in lines if line.startswith("PartitionName=cls_x"))
    assert re.fullmatch(r"PartitionName=cls_[\w-]+ Nodes=n\[1-6\] .*", line)


def test_a_folder_is_written_whole_and_read_again(tmp_path: Path) -> None:
    one = deployed(tmp_path / "site", SPLIT_PLAN, SPLIT_CONF)
    write_deployment(one, tmp_path / "out", "zerowait deploy slurm")
    again, files = read_deployment(tmp_path / "out")
    assert again.order == one.order
    assert again.layout == one.layout
    assert deployment_files(one).items() <= files.items()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "site"]
    with pytest.raises(InputError, match="is there already"):
        write_deployment(one, tmp_path / "out", "again")


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        write_folder(tmp_path / "none" / "out", {"a": "b"})
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(tmp_path / "out", {"a": "b", "no/such/place": "c"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("deployment.toml", "deployment/1", "deployment/9",
         "toml:1: schema = 'zerowait-deployment/9'"),
        ("deployment.toml", "server =", "server", "toml:4: not TOML"),
        ("deployment.toml", "server", "serve", "server: is missing"),
        ("deployment.toml", '"batch"', '"gone"', "partition = 'gone': .* no such partition; batch"),
        ("plan.toml", "plan/1", "plan/9", "schema = 'zerowait-plan/9'"),
        ("site.conf", "PartitionName", "nonsense PartitionName", "not of the form"),
    ],
)  # fmt: skip
def test_a_folder_that_was_changed(
    tmp_path: Path, name: str, old: str, new: str, expected: str
) -> None:
    write_deployment(deployed(tmp_path / "site"), tmp_path / "out", "")
    path = tmp_path / "out" / name
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=expected):
        read_deployment(tmp_path / "out")
    path.unlink()
    with pytest.raises(InputError, match=f"has no {name}"):
        read_deployment(tmp_path / "out")


def test_the_page_says_how_to_apply_and_undo(tmp_path: Path) -> None:
    lua = "function slurm_job_submit() return slurm.SUCCESS end\n"
    one = deployed(tmp_path, conf=CONF + "PriorityWeightAge=2\nJobSubmitPlugins=lua\n", lua=lua)
    page = readme_text(one)
    for text in ("## Apply", "## Undo", "PriorityWeightAge=2", "job_submit_site.lua", "24 h",
                 f"rm {tmp_path}/zerowait.conf"):  # fmt: skip
        assert text in page
    assert "$" not in page
