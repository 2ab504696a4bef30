"""Reading slurm.conf: what Slurm reads, and nothing else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerowait.deploy.slurm.conf import compress_hostlist, expand_hostlist, read_slurm_conf
from zerowait.deploy.slurm.site import limit_minutes, read_slurm_site
from zerowait.model import InputError

CONF = r"""
# a comment
ClusterName=little   # and another
SCHEDULERTYPE = sched/backfill
SchedulerParameters=bf_interval=30,\
bf_continue
MailProg="/bin/no mail"  Epilog=/x\#y
Include more_%c.conf
PriorityWeightAge=1
PriorityWeightAge=2
NodeSet=fat Feature=big
NodeName=DEFAULT CPUs=4
NodeName=n[1-3] Feature=big,red
NodeName=n[08-09] CPUs=2
NodeName=gpu Sockets=2 CoresPerSocket=8 ThreadsPerCore=2
PartitionName=DEFAULT MaxTime=2-0 State=UP
PartitionName=batch Nodes=n[1-3,08] Default=YES
PartitionName=fat Nodes=fat MaxTime=60
PartitionName=all Nodes=ALL
"""


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    (tmp_path / "slurm.conf").write_text(CONF)
    (tmp_path / "more_little.conf").write_text("CompleteWait=3\nPriorityWeightAge=7\n")
    return tmp_path / "slurm.conf"


def test_keys_comments_quotes_and_continued_lines(conf: Path) -> None:
    found = read_slurm_conf(conf)
    assert found.value("ClusterName") == "little"
    assert found.value("SchedulerType") == "sched/backfill"
    assert found.value("schedulerparameters") == "bf_interval=30,bf_continue"
    assert found.value("MailProg") == "/bin/no mail"
    assert found.value("Epilog") == "/x#y"
    assert found.value("Missing", "none") == "none"


def test_includes_stand_where_they_are_included_and_the_last_value_holds(conf: Path) -> None:
    found = read_slurm_conf(conf)
    assert found.value("CompleteWait") == "3"
    assert [one.value for one in found.settings("PriorityWeightAge")] == ["7", "1", "2"]
    setting = found.setting("PriorityWeightAge")
    assert setting is not None
    assert setting.line.place == f"{conf}:10"
    continued = found.setting("SchedulerParameters")
    assert continued is not None
    assert (continued.line.number, continued.line.n_lines) == (5, 2)


def test_nodes_and_partitions_have_their_defaults(conf: Path) -> None:
    site = read_slurm_site(conf)
    assert site.partition("batch").nodes == ("n1", "n2", "n3", "n08")
    assert site.partition("batch").attributes["maxtime"] == "2-0"
    assert site.partition("fat").nodes == ("n1", "n2", "n3")
    assert site.partition("fat").attributes["maxtime"] == "60"
    assert site.partition("all").nodes == ("n1", "n2", "n3", "n08", "n09", "gpu")
    assert [site.cpus(name) for name in ("n1", "n08", "gpu")] == [4, 2, 4]
    assert site.lua is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NodeName=n1\nnonsense here\n", ":2: 'nonsense here' is not of the form Key=Value"),
        ("Key=\n", ":1: 'Key=' is not of the form"),
        ("A=1 B\n", ":1: 'B' is not of the form"),
        ("Include nowhere.conf\n", ":1: include nowhere.conf: "),
        ("NodeName=n[1-\nPartitionName=p Nodes=n1\n", ":1: 'n[1-': brackets"),
        ("NodeName=n[2-1]\nPartitionName=p Nodes=n1\n", ":1: 'n[2-1]': '2-1' is no range"),
        ("NodeName=n1\nPartitionName=p Nodes=n7\n", ":2: Nodes=n7: there is no NodeName n7"),
        (
            "NodeName=n1\nNodeSet=s Nodes=n1,n7\nPartitionName=p Nodes=s\n",
            ":3: Nodes=s: there is no NodeName n7",
        ),
        ("NodeName=n1\n", ": has no PartitionName"),
        ("NodeName=n1\nPartitionName=p Nodes=n1\nJobSubmitPlugins=lua\n", "job_submit.lua: "),
    ],
)
def test_what_slurm_could_not_read_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_slurm_site(path)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_number_of_cpus_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("NodeName=n1 CPUs=many\nPartitionName=p Nodes=n1\n")
    with pytest.raises(InputError, match=r"slurm\.conf: node n1: 'many' is no number of CPUs"):
        read_slurm_site(path).cpus("n1")


def test_an_unknown_partition_is_told_the_known(conf: Path) -> None:
    with pytest.raises(InputError, match=r"partition = 'nope': .*no such partition; batch, fat"):
        read_slurm_site(conf).partition("nope")


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("Include slurm.conf\n")
    with pytest.raises(InputError, match="nested more than"):
        read_slurm_conf(tmp_path / "slurm.conf")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n1", ["n1"]),
        ("n[1-3,7],gpu", ["n1", "n2", "n3", "n7", "gpu"]),
        ("n[08-11]", ["n08", "n09", "n10", "n11"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]),
        ("n[1-2]-ib", ["n1-ib", "n2-ib"]),
    ],
)
def test_lists_of_nodes(text: str, names: list[str]) -> None:
    assert expand_hostlist(text) == names


node_names = st.from_regex(r"[a-z]{1,3}(\d{1,4})?(-[a-z]{1,2})?", fullmatch=True)


@given(st.lists(node_names, min_size=1, max_size=40, unique=True))
def test_compressed_lists_expand_to_the_same(names: list[str]) -> None:
    assert expand_hostlist(compress_hostlist(names)) == names


def test_compressed_lists_are_short() -> None:
    assert compress_hostlist([f"n{i}" for i in range(1, 101)]) == "n[1-100]"
    assert compress_hostlist(["n08", "n09", "n10", "n12", "gpu"]) == "n[08-09],n[10,12],gpu"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90", 90), ("1:30", 1.5), ("1:30:00", 90), ("2-12", 3600), ("2-12:30", 3630),
     ("1-00:00:30", 1440.5), ("INFINITE", float("inf"))],
)  # fmt: skip
def test_time_limits(text: str, expected: float) -> None:
    assert limit_minutes(text) == pytest.approx(expected)
