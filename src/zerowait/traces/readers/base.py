"""What a reader of logs is, and the register of all readers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zerowait.model.quantities import refuse
from zerowait.model.registers import Register
from zerowait.traces.cleaning import CleaningBook
from zerowait.traces.clock import find_zone
from zerowait.traces.log import Log
from zerowait.traces.unpack import LogFile

UNITS = ("processors", "nodes", "gpus")
ARRIVALS = ("eligible", "submit")


@dataclass(frozen=True)
class Reading:
    """What is wanted from a log."""

    need: str = "processors"
    arrival: str = "eligible"  # where a log has it, else the submit time
    strict: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)  # ours: the file's
    zone: str | None = None  # of local times that do not say

    def __post_init__(self) -> None:
        if self.need not in UNITS:
            raise refuse("need", self.need, f"must be one of {', '.join(UNITS)}")
        if self.arrival not in ARRIVALS:
            raise refuse("arrival", self.arrival, f"must be one of {', '.join(ARRIVALS)}")
        find_zone(self.zone)


@dataclass(frozen=True)
class Reader:
    """A format: how to tell it from its first bytes or its name, and how to read it."""

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[LogFile, Reading, CleaningBook], Log]
    # Tables are made for zerowait, so that a bad row is a mistake; logs are found as they are.
    strict: bool = False


READERS: Register[Reader] = Register("reader")


def register(reader: Reader) -> Reader:
    """Make a format known."""
    return READERS.add(reader.name, reader)
