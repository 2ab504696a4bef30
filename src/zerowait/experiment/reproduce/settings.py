"""What a reproduction may be told: how long, how large, which policies, whose logs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zerowait.model.quantities import positive, refuse, whole
from zerowait.policies import parse_policy

# Those of the paper's figures, then those it left out; spelled as results spell them.
PAPER = (
    "fcfs",
    "most-servers-first",
    "server-filling",
    "server-filling-srpt",
    "first-fit-srpt",
    "balanced-splitting:fcfs",
)
MORE = (
    "first-fit",
    "easy",
    "least-servers-first",
    "maxweight",
    "balanced-splitting:first-fit",
    "modified-balanced-splitting:fcfs",
)
SMALLEST = 32  # servers, where the need scale of Figure 1 is one
LARGEST = 2**17
LAWS = ("lognormal", "hyperexponential", "exponential", "resample")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything a target may depend on."""

    full: bool = False
    arrivals: int = 200_000
    replications: int = 4
    seed: int = 1
    largest: int = LARGEST  # servers of Figures 1 and 2b and the theorems
    servers: int = 2048  # of Figure 2a
    load: float = 0.7  # of Figure 2b and Theorem 1
    law: str = "lognormal"  # of Figure 3
    policies: tuple[str, ...] = PAPER + MORE
    sdsc_log: Path | None = None
    kit_log: Path | None = None
    columns: tuple[tuple[str, str], ...] = ()  # of logs that are tables: ours and theirs

    @property
    def scale(self) -> str:
        return "full" if self.full else "quick"

    @property
    def sizes(self) -> list[int]:
        """Numbers of servers: powers of two, and when quick those alone whose needs are, too."""
        step = 2 if self.full else 8
        sizes = [SMALLEST]
        while sizes[-1] * step <= self.largest:
            sizes.append(sizes[-1] * step)
        return sizes

    def lengths(self) -> dict[str, Any]:
        """Of every run of every sweep."""
        return {
            "seeds": self.seed, "arrivals": self.arrivals, "replications": self.replications,
        }  # fmt: skip


QUICK = Settings()
FULL = Settings(full=True, arrivals=1_000_000, replications=10)


def settings_of(full: bool, policies: Iterable[str] = (), **given: Any) -> Settings:
    """The quick or the full settings, changed where something else is given."""
    changes = {name: value for name, value in given.items() if value is not None}
    chosen = tuple(dict.fromkeys(parse_policy(one).spec for one in policies))
    if chosen:
        changes["policies"] = chosen
    found = replace(FULL if full else QUICK, **changes)
    whole("arrivals", found.arrivals)
    whole("seed", found.seed, least=0)
    whole("servers", found.servers)
    if whole("replications", found.replications) < 2:
        raise refuse(
            "replications", found.replications, "must be 2 or more: figures show intervals"
        )
    if whole("largest", found.largest) < SMALLEST:
        raise refuse("largest", found.largest, f"must be {SMALLEST} servers or more")
    if not positive("load", found.load) < 1:
        raise refuse("load", found.load, "must be below 1 for a steady state")
    if found.law not in LAWS:
        raise refuse("law", found.law, f"must be one of {', '.join(LAWS)}")
    if found.law == "resample" and found.sdsc_log is None and found.kit_log is None:
        raise refuse("law", found.law, "draws from a log; name it with --sdsc-log or --kit-log")
    return found
