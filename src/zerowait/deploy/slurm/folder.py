"""The folder of a deployment: written whole or not at all, and read again for the check."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zerowait._version import __version__
from zerowait.deploy.slurm.deployment import (
    CONF_FILE,
    SlurmDeployment,
    deployment_files,
    make_deployment,
)
from zerowait.deploy.slurm.readme import readme_text
from zerowait.deploy.slurm.site import LUA_FILE, read_slurm_site, site_excerpt
from zerowait.experiment.files.plan_file import load_plan, plan_toml
from zerowait.experiment.files.toml_file import TomlFile, toml_value
from zerowait.model import InputError

SCHEMA = "zerowait-deployment/1"
ABOUT_FILE, PLAN_FILE, SITE_FILE, README_FILE = (
    "deployment.toml", "plan.toml", "site.conf", "README.md",
)  # fmt: skip
# What Slurm or the check reads: without one of them there is nothing to check.
NEEDED_FILES = (ABOUT_FILE, PLAN_FILE, SITE_FILE, CONF_FILE, LUA_FILE)


def write_deployment(one: SlurmDeployment, folder: Path, command: str) -> None:
    about = {
        "schema": SCHEMA,
        "version": __version__,
        "command": command,
        "server": one.server,
        "partitions": [each.name for each in one.planned],
    }
    texts = deployment_files(one) | {
        README_FILE: readme_text(one),
        PLAN_FILE: plan_toml(one.plan),
        SITE_FILE: site_excerpt(one.site),
        ABOUT_FILE: "".join(f"{key} = {toml_value(value)}\n" for key, value in about.items()),
    }
    write_folder(folder, texts)


def read_deployment(folder: Path) -> tuple[SlurmDeployment, dict[str, str]]:
    """Read what was planned, and the files as they are now."""
    files = read_folder(folder)
    for name in NEEDED_FILES:
        if name not in files:
            raise InputError(f"{folder}: has no {name}; is it from 'zerowait deploy slurm'?")
    about = _about(TomlFile.read(folder / ABOUT_FILE))
    plan = load_plan(folder / PLAN_FILE)
    if plan.choice is None:
        raise InputError(f"{folder / PLAN_FILE}: changes nothing; there is nothing to check")
    site = read_slurm_site(folder / SITE_FILE)
    planned = make_deployment(plan, site, partitions=about["partitions"], server=about["server"])
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


def check_folder_free(folder: Path) -> None:
    """Refuse a folder that could not be written, before any work is done."""
    parent = folder.absolute().parent
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise InputError(f"{folder}: is there already; choose another --out, or remove it")
    if not parent.is_dir():
        raise InputError(f"{folder}: there is no folder {parent}; make it first")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{folder}: the folder {parent} cannot be written to")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write all files or none: they are written elsewhere, and moved into place together."""
    check_folder_free(folder)
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.absolute().parent))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    try:
        for name, text in files.items():
            target = part / name
            target.write_text(text, encoding="utf-8")
            target.chmod(0o755 if name.endswith(".sh") else 0o644)
        part.chmod(0o755)
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def read_folder(folder: Path) -> dict[str, str]:
    """Read name and text of a folder's files."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder that 'zerowait deploy slurm' has written")
    files = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            try:
                files[path.name] = path.read_text(encoding="utf-8")
            except OSError as error:
                raise InputError(f"{path}: cannot be read: {error.strerror}") from None
            except UnicodeDecodeError as error:
                raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None
    return files
