"""README.md of a deployment: what changes, for whom, how to apply it, check it and undo it."""

import math
from collections.abc import Iterator, Sequence
from importlib.resources import files
from string import Template

from zerowait.deploy.order import NEVER, QueueOrder, queue_key
from zerowait.deploy.slurm.conf import comment_text
from zerowait.deploy.slurm.deployment import CONF_FILE, INCLUDE, SlurmDeployment
from zerowait.deploy.slurm.key_script import SITE_SCRIPT
from zerowait.deploy.slurm.settings import UNITS
from zerowait.deploy.slurm.site import LUA_FILE, limit_minutes
from zerowait.policies.backfill import exploits, who_passes

HOUR_S = 3600.0
EXAMPLE_NEEDS, EXAMPLE_HOURS = (1, 8, 64, 512, 4096), (1, 24)  # below the largest
LOSES = "changing it loses all jobs"


def readme_text(one: SlurmDeployment) -> str:
    folder = one.conf_dir
    wraps = one.site.lua is not None
    kept = [*map(one.controller_path, one.site.conf.texts), *([folder / LUA_FILE] if wraps else [])]
    new = [CONF_FILE, LUA_FILE, *([SITE_SCRIPT] if wraps else [])]
    loses = any(LOSES in each.why for each in one.against)
    return _template().substitute(
        plan=comment_text(one.order.spelling),
        servers=one.plan.servers,
        unit=UNITS[one.server],
        partitions=_names(each.name for each in one.planned),
        reason=f"Why: {comment_text(one.plan.reason)}" if one.plan.reason else "",
        changes="".join(f"- {text}\n" for text in _changes(one)) + _examples(one),
        against="\n".join(_against(one)),
        site_script=f"- `{SITE_SCRIPT}`: {SCRIPT_KEPT}\n" if wraps else "",
        loses=LOSES_ALL if loses else "",
        folder=folder,
        kept=" ".join(map(str, kept)),
        new=" ".join(new),
        include=INCLUDE,
        put_back=f"mv {folder}/{SITE_SCRIPT} {folder}/{LUA_FILE}\n" if wraps else "",
        inexact=INEXACT if one.order.reserves else "",
    )


SCRIPT_KEPT = f"your own {LUA_FILE}, unchanged; it is asked first, and obeyed."
LOSES_ALL = (
    "**Changing SelectType loses all jobs, running and waiting: drain the cluster first.**\n\n"
)
INEXACT = """\
- A reservation takes an idle node even where busy ones are enough, a flaw of Slurm's.
- Waiting counts from when a job is eligible: not while it is held or depends on others.
"""
ORDERS = {
    "arrival": "Waiting jobs are looked at in order of arrival.",
    "need": "Waiting jobs are looked at by size: those that need fewest servers first.",
    "estimate": "Waiting jobs are looked at by time limit: the shortest first.",
    "area": "Waiting jobs are looked at by servers x time limit: the smallest first.",
    "due": "Waiting jobs are looked at by when they are due: submission plus an allowance.",
}


def _changes(one: SlurmDeployment) -> Iterator[str]:
    order = one.order
    yield f"{ORDERS[order.key]}{_passing(order)}"
    if order.has_formula:
        yield from exploits(order.need_weight, order.time_weight)
    yield "Users cannot set their own key. Among equal keys the earlier submission goes first."
    if one.layout is not None:
        for each in one.layout.partitions:
            yield f"`{each.name}`, {len(each.nodes)} nodes: {comment_text(each.why)}."
        yield "Users submit as before: the script sends a job to its class's servers, and helpers."
    elif not order.backfills:
        yield "A job that does not fit blocks all that come after it."
    elif order.reserve_after == NEVER:
        yield (
            "A job that does not fit holds nobody back, however long it waits: large jobs may wait "
            "for ever while small ones keep coming."
        )
    else:
        yield (
            f"A job that does not fit holds nobody back until it has waited "
            f"{_hours(order.reserve_after)}. Then it gets a reservation: whoever comes after it in "
            "line starts only where that does not delay it."
        )
    others = [each.name for each in one.site.partitions if each not in one.planned]
    if others:
        yield f"Jobs of {_names(others)} start in order of arrival: keys are the whole priority."


def _passing(order: QueueOrder) -> str:
    if order.key != "due":
        return ""
    who = "those of classes with smaller allowances pass others"
    if order.has_formula:
        who = who_passes(order.need_weight, order.time_weight)
    return f" Of jobs that come together, {who}; nobody passes those that came long before."


def _examples(one: SlurmDeployment) -> str:
    """Write a table of what the formula of the allowance means, for some sizes."""
    if not one.order.has_formula or one.order.per_class:
        return ""
    base = _allowance(one.order, 1, 1)
    rows = [
        f"| {need} | {hours:.3g} h | {(_allowance(one.order, need, hours) - base) / HOUR_S:.1f} h |"
        for need in _up_to(EXAMPLE_NEEDS, one.plan.servers)
        for hours in _up_to(EXAMPLE_HOURS, _longest_h(one))
    ]
    return "\n".join([
        "", "Due later than a job of one server for an hour that comes at the same time:", "",
        "| servers | time limit | by |", "|---:|---:|---:|", *rows, "",
    ])  # fmt: skip


def _up_to(sizes: Sequence[int], largest: float) -> list[float]:
    """Return the sizes below the largest, and that one."""
    return [*(size for size in sizes if size < largest), largest]


def _longest_h(one: SlurmDeployment) -> float:
    """Return the longest time limit of the plan's partitions; a day where there is none."""
    limits = [limit_minutes(each.attributes.get("maxtime", "INFINITE")) for each in one.planned]
    return max((limit / 60 for limit in limits if limit < math.inf), default=EXAMPLE_HOURS[-1])


def _allowance(order: QueueOrder, need: float, hours: float) -> float:
    return queue_key(order, 0.0, int(need), hours * HOUR_S)


def _against(one: SlurmDeployment) -> Iterator[str]:
    if one.against:
        yield "\n## What in your configuration stands against the plan\n"
        yield "You have said to go on all the same.\n"
    for each in one.against:
        done = "the patch takes it out" if each.setting is not None else "it stays"
        yield f"- {comment_text(str(each))} ({done})"
    yield ""


def _names(names: Iterator[str] | list[str]) -> str:
    return ", ".join(f"`{comment_text(name)}`" for name in names)


def _hours(seconds: float) -> str:
    return f"{seconds / 60:.3g} min" if seconds < HOUR_S else f"{seconds / HOUR_S:.3g} h"


def _template() -> Template:
    text = files("zerowait.deploy.slurm").joinpath("readme.md").read_text(encoding="utf-8")
    return Template(text)
