"""The files that the how-to about Slurm shows are those that the program writes."""

import re
from pathlib import Path

import pytest

from zerowait.deploy.slurm.deployment import make_deployment
from zerowait.deploy.slurm.folder import write_deployment
from zerowait.deploy.slurm.site import read_slurm_site
from zerowait.experiment.files.plan_file import load_plan

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/how-to/slurm.md").read_text()
SCRIPT = (ROOT / "src/zerowait/deploy/slurm/job_submit.lua").read_text()
BLOCK = r"^<!-- {} -->\n(`{{3,4}})\w+\n(.*?)^\1\n"
SHOWN = ("zerowait.conf", "slurm.conf.patch", "rekey.sh", "unkey.sh", "README.md")


def block(mark: str) -> str:
    (found,) = re.findall(BLOCK.format(re.escape(mark)), PAGE, re.DOTALL | re.MULTILINE)
    return str(found[1])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Name and text of each, as if the site's were in /etc/slurm."""
    folder = tmp_path_factory.mktemp("desk")
    for name in ("plan.toml", "slurm.conf"):
        (folder / name).write_text(block(f"file: {name}"))
    one = make_deployment(load_plan(folder / "plan.toml"), read_slurm_site(folder / "slurm.conf"))
    assert one.against == ()
    write_deployment(one, folder / "deployment", "")
    site = str(folder).lstrip("/")
    return {
        path.name: path.read_text().replace(site, "etc/slurm")
        for path in (folder / "deployment").iterdir()
    }


@pytest.mark.parametrize("name", SHOWN)
def test_files_are_shown_as_they_are(written: dict[str, str], name: str) -> None:
    assert block(f"made: {name}") == written[name]


def test_the_script_is_what_the_plan_says_and_what_is_the_same_everywhere(
    written: dict[str, str],
) -> None:
    rest = SCRIPT.partition("--@PLAN@\n")[2]
    assert ':start-after: "--@PLAN@"' in PAGE
    assert block("made: job_submit.lua") + rest == written["job_submit.lua"]


def test_every_file_is_named(written: dict[str, str]) -> None:
    assert all(f"`{name}`" in PAGE for name in written)
