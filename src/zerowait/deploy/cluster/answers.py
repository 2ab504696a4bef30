"""What scontrol and sdiag print, as values."""

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
    state: str
    reason: str
    partition: str
    priority: int
    submit: float
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


def parse_slurm_jobs(text: str) -> list[SlurmJob]:
    """Read what `scontrol --oneliner show jobs` prints, with times in UTC."""
    return [_job(dict(FIELD.findall(line))) for line in text.splitlines() if "JobId=" in line]


def _job(fields: dict[str, str]) -> SlurmJob:
    waits = fields["JobState"] in WAITING
    submit = parse_slurm_time(fields["SubmitTime"])
    assert submit is not None
    return SlurmJob(
        id=int(fields["JobId"]),
        state=fields["JobState"],
        reason=fields["Reason"],
        partition=fields["Partition"],
        priority=int(fields["Priority"]),
        submit=submit,
        # Of a job that waits, Slurm shows when it expects to start it.
        start=None if waits else parse_slurm_time(fields["StartTime"]),
        end=None if waits else parse_slurm_time(fields["EndTime"]),
        nodes=fields.get("NodeList", "").replace("(null)", ""),
        n_nodes=int(fields["NumNodes"].partition("-")[0]),
    )


def parse_slurm_time(text: str) -> float | None:
    """Return seconds since 1970, or None for `Unknown` and the like."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


MAIN = re.compile(r"Main schedule statistics.*?Total cycles:\s*(\d+)", re.DOTALL)
BACKFILL = re.compile(r"Backfilling stats.*?Last cycle when:[^\n(]*\((\d+)\)", re.DOTALL)


ACTIVE = "in the middle of backfilling"


@dataclass(frozen=True)
class SchedulerPasses:
    """Passes of the scheduler through the queue, until now."""

    main: int  # how many there were
    last_backfill: float  # when it began, in the controller's time
    backfills: bool  # whether it still goes on

    def has_backfilled_since(self, moment: float) -> bool:
        return self.last_backfill > moment and not self.backfills


def parse_passes(text: str) -> SchedulerPasses:
    main, backfill = MAIN.search(text), BACKFILL.search(text)
    return SchedulerPasses(
        int(main[1]) if main else 0, float(backfill[1]) if backfill else 0.0, ACTIVE in text
    )
