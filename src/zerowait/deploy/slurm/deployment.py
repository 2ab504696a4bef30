"""All files of a deployment, as text: what a plan makes of a site."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from zerowait._version import __version__
from zerowait.deploy.order import QueueOrder, chosen_order
from zerowait.deploy.slurm.conf import SlurmConf, comment_text, conf_value, read_slurm_conf
from zerowait.deploy.slurm.key_script import (
    HEADING,
    REKEY,
    REKEY_FILE,
    SITE_SCRIPT,
    UNKEY,
    UNKEY_FILE,
    key_script,
)
from zerowait.deploy.slurm.settings import (
    PARAMETERS_AGAINST,
    UNITS,
    Contradiction,
    NeededSetting,
    SchedulerParameter,
    contradictions,
    needed_parameters,
    needed_settings,
    server_counts,
    site_parameters,
)
from zerowait.deploy.slurm.site import LUA_FILE, SlurmPartition, SlurmSite
from zerowait.deploy.slurm.split_partitions import SplitLayout, split_layout
from zerowait.deploy.slurm.trial import TRIAL_CONF_FILE, TRIAL_FILE, trial_conf, trial_script
from zerowait.experiment.files.plan_file import Plan
from zerowait.model import InputError

CONF_FILE = "zerowait.conf"
PATCH_FILE = "slurm.conf.patch"
INCLUDE = f"Include {CONF_FILE}"


@dataclass(frozen=True)
class SlurmDeployment:
    """A plan for a Slurm site: what is written, and what contradicts it."""

    plan: Plan
    order: QueueOrder
    site: SlurmSite
    server: str  # what the plan's servers are: nodes or CPUs
    planned: tuple[SlurmPartition, ...]
    layout: SplitLayout | None
    against: tuple[Contradiction, ...]
    conf_dir: Path  # where slurm.conf lies on the controller, whatever copy was read

    def controller_path(self, path: Path) -> Path:
        """Return where the controller has a file of the site's, which may be a copy here."""
        here = self.site.conf.path.parent
        return self.conf_dir / path.relative_to(here) if path.is_relative_to(here) else path

    @property
    def lines(self) -> list[NeededSetting]:
        return needed_settings(self.order)

    @property
    def parameters(self) -> list[SchedulerParameter]:
        """Return the plan's parameters, then those that the site has beside them."""
        ours = needed_parameters(self.order)
        names = {one.name for one in ours} | PARAMETERS_AGAINST.keys()
        kept = [
            SchedulerParameter(text, None, "as before")
            for text in site_parameters(self.site.conf.value("SchedulerParameters"))
            if text.partition("=")[0] not in names
        ]
        return ours + kept

    @property
    def plugins(self) -> str:
        """Return the value of JobSubmitPlugins: the site's, and lua."""
        listed = site_parameters(self.site.conf.value("JobSubmitPlugins"))
        has = {"lua", "job_submit/lua"} & set(listed)
        return ",".join(listed if has else [*listed, "lua"])


def make_deployment(
    plan: Plan,
    site: SlurmSite,
    *,
    partitions: Sequence[str] = (),
    server: str | None = None,
    conf_dir: Path | None = None,
) -> SlurmDeployment:
    """Put a plan and a site together; nothing is written."""
    _refuse_deployed(site)
    order = chosen_order(plan)
    planned = tuple(map(site.partition, dict.fromkeys(partitions))) or site.partitions
    unit = _server(plan, site, planned, server)
    layout = None
    if order.slots is not None:
        if len(planned) != 1 or unit != "node":
            raise InputError(
                f"policy {order.spelling!r}: a split divides the nodes of one partition; name it "
                "with --partition, and count servers in nodes"
            )
        layout = split_layout(site, order, planned[0], plan.servers)
    against = tuple(contradictions(site, order, planned, unit, plan.servers))
    where = conf_dir or site.conf.path.parent
    if not where.is_absolute():
        raise InputError(f"conf-dir = {where}: must be a path from the root, as /etc/slurm")
    return SlurmDeployment(plan, order, site, unit, planned, layout, against, where)


def _refuse_deployed(site: SlurmSite) -> None:
    if any(path.name == CONF_FILE for path in site.conf.texts):
        raise InputError(
            f"{site.conf.path}: includes {CONF_FILE} already; undo that deployment first (its "
            "README says how)"
        )
    if site.lua is not None and HEADING in site.lua:
        raise InputError(
            f"{site.conf.path.parent / LUA_FILE}: is zerowait's own; undo that deployment first"
        )


def _server(
    plan: Plan, site: SlurmSite, planned: Sequence[SlurmPartition], given: str | None
) -> str:
    """Tell whether the plan's servers are nodes or CPUs, from how many there are."""
    if given is not None:
        if given not in UNITS:
            raise InputError(f"server = {given!r}: must be {' or '.join(UNITS)}")
        return given
    counts = server_counts(site, planned)
    for unit, count in counts.items():
        if count == plan.servers:
            return unit
    names = ", ".join(one.name for one in planned)
    raise InputError(
        f"the plan is for {plan.servers} servers; {names} has {counts['node']} nodes with "
        f"{counts['cpu']} CPUs: name the right --partition, or say --server node or cpu"
    )


def include_text(one: SlurmDeployment) -> str:
    """Write the scheduling lines, each with its reason."""
    parts = [
        f"# {comment_text(one.order.spelling)}",
        f"# Written by zerowait {__version__}; README.md says how to apply and how to undo it.",
    ]
    for why, lines in groupby(one.lines, key=lambda line: line.why):
        parts += ["", f"# {why}", *(line.text for line in lines)]
    parts += ["", "# gives each job its key (job_submit.lua)", f"JobSubmitPlugins={one.plugins}"]
    parts += ["", "# SchedulerParameters, one by one:"]
    width = max(len(parameter.text) for parameter in one.parameters)
    parts += [f"#   {each.text:{width}}  {comment_text(each.why)}" for each in one.parameters]
    parts.append("SchedulerParameters=" + ",".join(each.text for each in one.parameters))
    for partition in one.layout.partitions if one.layout else ():
        parts += ["", f"# {comment_text(partition.why)}", partition.text]
    return "\n".join(parts) + "\n"


def script_text(one: SlurmDeployment) -> str:
    names = [partition.name for partition in one.planned]
    layout = one.layout
    return key_script(
        one.order,
        server=one.server,
        partitions=names + ([each.name for each in layout.partitions] if layout else []),
        routes=layout.routes if layout else {},
        helpers=layout.helpers if layout else None,
        wraps=one.site.lua is not None,
    )


def patch_text(one: SlurmDeployment) -> str:
    """Write what changes in the site's own files, for `patch -d / -p1`."""
    return "".join(_diffs(one, changed_files(one)))


def patched_conf(one: SlurmDeployment) -> SlurmConf:
    """Return the configuration as Slurm reads it once the files are applied."""
    path = one.site.conf.path
    return read_slurm_conf(path, changed_files(one) | {path.parent / CONF_FILE: include_text(one)})


def changed_files(one: SlurmDeployment) -> dict[Path, str]:
    """Comment out what the plan replaces in the site's files, and add the include at the end."""
    conf = one.site.conf
    replaced = {line.key.lower() for line in one.lines} | {
        "schedulerparameters",
        "jobsubmitplugins",
    }
    replaced |= {found.setting.key.lower() for found in one.against if found.setting is not None}
    texts = {path: text.split("\n") for path, text in conf.texts.items()}
    for line in conf.lines:
        ours = [key for key, _ in line.pairs if line.table is None and key in replaced]
        if ours:
            rows = texts[line.path]
            at = range(line.number - 1, line.number - 1 + line.n_lines)
            kept = [
                f"{key}={conf_value(value)}" for key, value in line.pairs if key not in replaced
            ]
            for row in at:
                rows[row] = f"#zerowait# {rows[row]}"
            if kept:
                rows[at[-1]] += "\n" + " ".join(kept)
    joined = {path: "\n".join(rows) for path, rows in texts.items()}
    main = joined[conf.path]
    joined[conf.path] = main + ("" if main.endswith("\n") else "\n") + INCLUDE + "\n"
    return {path: text for path, text in joined.items() if text != conf.texts[path]}


def _diffs(one: SlurmDeployment, changed: Mapping[Path, str]) -> Iterator[str]:
    for path, text in changed.items():
        name = str(one.controller_path(path)).lstrip("/")
        before, after = map(_lines, (one.site.conf.texts[path], text))
        for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
            yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Split into lines as `patch` sees them: nothing but a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def deployment_files(one: SlurmDeployment) -> dict[str, str]:
    """Return name and text of the files for Slurm; the README for people is not among them."""
    files = {
        CONF_FILE: include_text(one),
        LUA_FILE: script_text(one),
        PATCH_FILE: patch_text(one),
        REKEY_FILE: REKEY,
        UNKEY_FILE: UNKEY,
        TRIAL_FILE: trial_script(one.conf_dir),
        TRIAL_CONF_FILE: trial_conf(patched_conf(one)),
    }
    if one.site.lua is not None:
        files[SITE_SCRIPT] = one.site.lua
    return files
