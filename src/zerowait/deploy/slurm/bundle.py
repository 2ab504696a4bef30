"""A deployment as a folder: everything that people, Slurm and the check need."""

from pathlib import Path
from typing import Any

from zerowait._version import __version__
from zerowait.deploy.folder import read_folder, write_folder
from zerowait.deploy.slurm.deployment import CONF_FILE, Deployment, deployment, files_of
from zerowait.deploy.slurm.excerpt import site_excerpt
from zerowait.deploy.slurm.page import readme
from zerowait.deploy.slurm.site import LUA_FILE, read_site
from zerowait.experiment.files.plan_file import load_plan, plan_toml
from zerowait.experiment.files.toml_file import TomlFile, toml_value
from zerowait.model import InputError

SCHEMA = "zerowait-deployment/1"
ABOUT_FILE, PLAN_FILE, SITE_FILE, README_FILE = (
    "deployment.toml", "plan.toml", "site.conf", "README.md",
)  # fmt: skip
# What Slurm or the check reads: without one of them there is nothing to check.
NEEDED = (ABOUT_FILE, PLAN_FILE, SITE_FILE, CONF_FILE, LUA_FILE)


def write_deployment(one: Deployment, folder: Path, command: str) -> None:
    about = {
        "schema": SCHEMA,
        "version": __version__,
        "command": command,
        "server": one.server,
        "partitions": [each.name for each in one.planned],
    }
    texts = files_of(one) | {
        README_FILE: readme(one),
        PLAN_FILE: plan_toml(one.plan),
        SITE_FILE: site_excerpt(one.site),
        ABOUT_FILE: "".join(f"{key} = {toml_value(value)}\n" for key, value in about.items()),
    }
    write_folder(folder, texts)


def read_deployment(folder: Path) -> tuple[Deployment, dict[str, str]]:
    """What was planned, and the files as they are now."""
    files = read_folder(folder)
    for name in NEEDED:
        if name not in files:
            raise InputError(f"{folder}: has no {name}; is it from 'zerowait deploy slurm'?")
    about = _about(TomlFile.read(folder / ABOUT_FILE))
    plan = load_plan(folder / PLAN_FILE)
    if plan.choice is None:
        raise InputError(f"{folder / PLAN_FILE}: changes nothing; there is nothing to check")
    site = read_site(folder / SITE_FILE)
    planned = deployment(plan, site, partitions=about["partitions"], server=about["server"])
    return planned, files


def _about(file: TomlFile) -> dict[str, Any]:
    given = file.data.get("schema")
    if given != SCHEMA:
        reason = f"schema = {given!r}: this zerowait reads {SCHEMA!r}; deploy anew"
        raise file.refusal(("schema",), reason)
    for key, kind in (("server", str), ("partitions", list)):
        if not isinstance(file.data.get(key), kind):
            raise file.refusal((key,), f"{key}: is missing; deploy anew")
    return file.data
