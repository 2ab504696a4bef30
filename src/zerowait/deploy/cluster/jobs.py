"""Jobs as the controller tells of them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

FIELD = re.compile(r"(?:^| )([A-Z][\w/:]*)=(\S*)")
WAITING = ("PENDING",)
ENDED = ("COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL")


@dataclass(frozen=True)
class SlurmJob:
    """One job; times are seconds of the controller's clock, None where there is none yet."""

    id: int
    name: str
    state: str
    reason: str
    partition: str
    priority: int
    submit: float
    eligible: float | None
    start: float | None
    end: float | None
    nodes: str
    n_nodes: int

    @property
    def waits(self) -> bool:
        return self.state in WAITING

    @property
    def has_started(self) -> bool:
        return not self.waits and self.start is not None and self.nodes != ""

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED


def parse_jobs(text: str) -> list[SlurmJob]:
    """What `scontrol --oneliner show jobs` prints, with times in UTC."""
    return [_job(dict(FIELD.findall(line))) for line in text.splitlines() if "JobId=" in line]


def _job(fields: dict[str, str]) -> SlurmJob:
    waits = fields["JobState"] in WAITING
    submit = parse_time(fields["SubmitTime"])
    assert submit is not None
    return SlurmJob(
        id=int(fields["JobId"]),
        name=fields["JobName"],
        state=fields["JobState"],
        reason=fields["Reason"],
        partition=fields["Partition"],
        priority=int(fields["Priority"]),
        submit=submit,
        eligible=parse_time(fields.get("EligibleTime", "")),
        # Of a job that waits, Slurm shows when it expects to start it.
        start=None if waits else parse_time(fields["StartTime"]),
        end=None if waits else parse_time(fields["EndTime"]),
        nodes=fields.get("NodeList", "").replace("(null)", ""),
        n_nodes=int(fields["NumNodes"].partition("-")[0]),
    )


def parse_time(text: str) -> float | None:
    """Seconds since 1970, or None for `Unknown` and the like."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
