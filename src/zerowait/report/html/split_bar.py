"""A split drawn as a bar of all servers: each class's own, then the helpers."""

from collections.abc import Sequence

from zerowait.model import Split
from zerowait.report.palette import RAMP
from zerowait.report.text import escaped

SHADES = tuple(f"shade{i}" for i in range(len(RAMP)))


def split_bar(label: str, split: Split, names: Sequence[str], hues: Sequence[str] = SHADES) -> str:
    """Widths are servers; every part has its name and number below, where it is too narrow."""
    parts = [
        (name, own, hues[i % len(hues)], f"{slots} slots of {need}")
        for i, (name, own, slots, need) in enumerate(
            zip(names, split.own_servers, split.slots, split.needs, strict=True)
        )
    ]
    parts.append(("helpers", split.helpers, "grey helpers", "for whatever finds its own busy"))
    spoken = ", ".join(f"{name} {servers}" for name, servers, _, _ in parts)
    bar = "".join(
        f'<span class="{hue}" style="flex-grow:{servers}" '
        f'title="{escaped(f"{name}: {servers} servers, {more}")}"></span>'
        for name, servers, hue, more in parts
        if servers
    )
    key = "".join(
        f'<li><i class="mark {hue}"></i>{escaped(name)} <b>{servers:,}</b> '
        f"<small>{escaped(more)}</small></li>"
        for name, servers, hue, more in parts
    )
    return (
        f'<div class="split"><h3>{escaped(label)}</h3>'
        f'<div class="bar" role="img" aria-label="{escaped(f"servers: {spoken}")}">{bar}</div>'
        f"<ul>{key}</ul></div>"
    )
