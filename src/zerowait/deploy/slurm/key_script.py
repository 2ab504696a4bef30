"""The job_submit.lua of a plan: what the plan says as a table, then what is always the same."""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from zerowait.deploy.order import Order
from zerowait.deploy.slurm.quoting import comment, lua_number, lua_string

MARK = "--@PLAN@"
HEADING = "-- Written by zerowait"
SITE_SCRIPT = "job_submit_site.lua"


def key_script(
    order: Order,
    *,
    server: str,
    partitions: list[str],
    routes: Mapping[str, str],
    helpers: str | None,
    wraps: bool,
) -> str:
    """`partitions` are those the plan is for, `routes` the partition of each class by its name,
    `wraps` whether a script of the site comes first."""
    lines = [
        "local PLAN = {",
        f"  -- {comment(order.spelling)}",
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


def _formula(order: Order) -> Iterator[str]:
    """Of the allowance, in seconds."""
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


def _classes(order: Order, routes: Mapping[str, str]) -> Iterator[str]:
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
