"""The job_submit.lua of a plan, and the scripts that give and take keys of waiting jobs."""

import math
import string
from collections.abc import Iterator, Mapping
from importlib.resources import files

from zerowait.deploy.order import QueueOrder
from zerowait.deploy.slurm.conf import comment_text

MARK = "--@PLAN@"
HEADING = "-- Written by zerowait"
SITE_SCRIPT = "job_submit_site.lua"


def key_script(
    order: QueueOrder,
    *,
    server: str,
    partitions: list[str],
    routes: Mapping[str, str],
    helpers: str | None,
    wraps: bool,
) -> str:
    """Write job_submit.lua: the plan as a table, then what is always the same.

    `partitions` are those the plan is for, `routes` the partition of each class by its name,
    `wraps` whether a script of the site comes first.
    """
    lines = [
        "local PLAN = {",
        f"  -- {comment_text(order.spelling)}",
        f"  key = {lua_string(order.key)}, -- {KEYS[order.key]}",
        *_formula(order),
        f"  server = {lua_string(server)}, -- what the plan's needs count",
        "  partitions = { -- that the plan is for; jobs elsewhere start in order of arrival",
        *(f"    [{lua_string(name)}] = true," for name in partitions),
        "  },",
        *_classes(order, routes),
    ]
    if helpers is not None:
        lines.append(f"  helpers = {lua_string(helpers)}, -- the partition for all classes")
    if wraps:
        lines.append(f"  site_script = {lua_string(SITE_SCRIPT)}, -- asked first, and obeyed")
    return _template().replace(MARK, "\n".join([*lines, "}"]))


KEYS = {
    "arrival": "in order of arrival",
    "need": "the smallest need first",
    "estimate": "the shortest time limit first",
    "area": "the smallest need x time limit first",
    "due": "arrival plus an allowance",
}


def _formula(order: QueueOrder) -> Iterator[str]:
    """Write what the allowance is computed from, in seconds."""
    yield f"  patience = {lua_number(order.patience)}, -- seconds for each e-fold of size"
    for name, first in (("need_weight", ("small", "large")), ("time_weight", ("short", "long"))):
        weight = getattr(order, name)
        yield f"  {name} = {lua_number(weight)}, -- {_first(weight, *first)}"
    if order.per_class:
        yield "  per_class = true, -- the mean service of its class stands for a job's time limit"
    if order.allowance is not None:
        yield "  has_allowances = true,"
        largest = lua_number(max(order.allowance))
        yield f"  largest_allowance = {largest}, -- of a job that is in no class"


def _first(weight: float, little: str, much: str) -> str:
    if weight == 0:
        return f"{little} or {much} is all one"
    return f"{little if weight > 0 else much} jobs first"


def _classes(order: QueueOrder, routes: Mapping[str, str]) -> Iterator[str]:
    yield "  classes = { -- by need (both ends belong) and time limit in seconds (below the second)"
    for number, one in enumerate(order.classes):
        parts = [
            f"name = {lua_string(one.name)}",
            f"need = {{ {lua_number(one.need[0])}, {lua_number(one.need[1])} }}",
            f"estimate = {{ {lua_number(one.estimate[0])}, {lua_number(one.estimate[1])} }}",
        ]
        if order.allowance is not None:
            parts.append(f"allowance = {lua_number(order.allowance[number])}")
        if one.mean_service is not None:
            parts.append(f"mean_service = {lua_number(one.mean_service)}")
        if one.name in routes:
            parts.append(f"partition = {lua_string(routes[one.name])}")
        yield f"    {{ {', '.join(parts)} }},"
    yield "  },"


def _template() -> str:
    return files("zerowait.deploy.slurm").joinpath("job_submit.lua").read_text(encoding="utf-8")


PLAIN = string.ascii_letters + string.digits + " _-.:=/,+"


def lua_string(text: str) -> str:
    """Write a Lua string; all but plain letters, digits and harmless signs become bytes."""
    quoted = [chr(byte) if chr(byte) in PLAIN else f"\\{byte:03d}" for byte in text.encode()]
    return '"' + "".join(quoted) + '"'


def lua_number(value: float) -> str:
    if value == math.inf:
        return "math.huge"
    return repr(int(value)) if value == int(value) else repr(float(value))


REKEY_FILE, UNKEY_FILE = "rekey.sh", "unkey.sh"

# As job_submit.lua reads it.
NOTE = "zerowait: ${nodes%%-*} nodes, $cpus CPUs, OverSubscribe=$share"
_EACH = """\
set -u
jobs=$(squeue --noheader --states=PENDING --format='%F %i %D %C %h') || exit 1
jobs=$(echo "$jobs" | sort -u)
n_done=0 n_ended=0 n_failed=0
while read -r job part nodes cpus share; do
  [ -n "$job" ] || continue
  case $part in *+*) job=$part ;; esac # of a heterogeneous job; its first part stands for all
  if answer=$(scontrol update JobId="$job" @CHANGE@ 2>&1 < /dev/null); then
    n_done=$((n_done + 1))
  else
    case $answer in
      *"already finished"* | *"Invalid job id"*) n_ended=$((n_ended + 1)) ;;
      *) n_failed=$((n_failed + 1)); echo "job $job: $answer" >&2 ;;
    esac
  fi
done <<LIST
$jobs
LIST
echo "$n_done jobs @DONE@, $n_ended had ended, $n_failed failed"
[ "$n_failed" -eq 0 ]
"""
REKEY = """\
#!/bin/sh
# After the files are applied: jobs that wait already get keys, from their submission. It may be run
# again. (Any change of a job without a key gives it one; the change is a note of what the job asks
# for, which Slurm does not tell its scripts.)
""" + _EACH.replace("@CHANGE@", f'AdminComment="{NOTE}"').replace("@DONE@", "keyed")
UNKEY = """\
#!/bin/sh
# After the files are taken back: jobs that wait lose their keys, and are ordered as before. It may
# be run again.
""" + _EACH.replace("@CHANGE@", "SiteFactor=0").replace("@DONE@", "without a key")
