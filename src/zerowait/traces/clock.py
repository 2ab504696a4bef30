"""What a log's times mean on a calendar."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from zerowait.model.quantities import DAY_S, HOUR_S, Floats, Ints, refuse

# Nothing earlier is a job log: a smaller start time is a count of seconds from nowhere.
FIRST_UNIX_TIME = 3e8


EPOCH = datetime(1970, 1, 1)
UTC_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(NamedTuple):
    """A time in seconds since 1970; a local time without a zone is taken as it stands."""

    seconds: float
    offset: float | None  # seconds east of Greenwich, where the text or its zone says


def read_moment(text: str, zone: tzinfo | None = None) -> Moment:
    """Read an ISO 8601 time: `2024-05-31T23:59:59`, `2024-05-31 23:59:59.5+02:00`, `2024-05-31`.

    `zone` is taken where the text names none. Raises ValueError where it is not a time.
    """
    try:
        read = datetime.fromisoformat(text)
        if read.tzinfo is None:
            if zone is None:
                # Local times are kept local: hours of the day are what people mean by them.
                return Moment((read - EPOCH).total_seconds(), None)
            read = read.replace(tzinfo=zone)
        shift = read.utcoffset() or timedelta()
        return Moment((read - UTC_EPOCH).total_seconds(), shift.total_seconds())
    except (ValueError, OverflowError):
        raise ValueError("not a time such as 2024-05-31T23:59:59") from None


def find_zone(name: str | None) -> tzinfo | None:
    """Return a time zone such as `Europe/Berlin` from the system's table; refuse an unknown one."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise refuse("zone", name, "is not known; give one such as Europe/Berlin") from None


@dataclass(frozen=True)
class Clock:
    """The calendar of a log: arrival 0 is at `origin` (Unix time), in a time zone.

    Without an origin the log has no dates. `printed` says that the origin was read from local
    times, so that it is local time already.
    """

    origin: float | None = None
    zone: str | None = None
    offset: float | None = None  # seconds east of Greenwich
    printed: bool = False

    @property
    def known(self) -> bool:
        return self.origin is not None

    @cached_property
    def _zone(self) -> tzinfo:
        if self.zone and not self.printed:
            try:
                return ZoneInfo(self.zone)
            except (ZoneInfoNotFoundError, ValueError, OSError):
                pass
        if self.offset is not None and abs(self.offset) < DAY_S and not self.printed:
            return timezone(timedelta(seconds=self.offset))
        return UTC

    def __str__(self) -> str:
        if not self.known:
            return "seconds from the start of the log, whose date is not known"
        if self.printed:
            return "local time, as the log prints it"
        return f"local time ({self._zone})" if self._zone is not UTC else "UTC"

    def arrival_of(self, text: str) -> float:
        """Convert a date, local unless it names a zone, to the scale of arrivals.

        Raises ValueError where it is not a date.
        """
        assert self.origin is not None
        return read_moment(text, None if self.printed else self._zone).seconds - self.origin

    def moment(self, arrival: float) -> datetime | None:
        """Return an arrival as a local date and time, or None where the log has no dates."""
        if self.origin is None:
            return None
        try:
            return datetime.fromtimestamp(self.origin + arrival, self._zone)
        except (OverflowError, ValueError, OSError):
            return None

    def date(self, arrival: float) -> str | None:
        """Return an arrival as text, `2000-04-29 21:08`; None where the log has no dates."""
        moment = self.moment(arrival)
        return None if moment is None else moment.strftime("%Y-%m-%d %H:%M")

    def hours_of_week(self, arrival: Floats) -> Ints:
        """Return for each job the local hour it arrived in, 0 (Monday, midnight) to 167.

        A log without dates is taken to start in hour 0.
        """
        if not self.known:
            return np.asarray((arrival // HOUR_S) % 168, dtype=np.int64)
        assert self.origin is not None
        hour = np.floor((arrival + self.origin) / HOUR_S)
        distinct, index = np.unique(hour, return_inverse=True)
        # Half-hour zones exist, so the offset is added to the times and not to the hours.
        shift = np.array([self._offset(h * HOUR_S) for h in distinct])[index]
        local = (arrival + self.origin + shift) / HOUR_S
        # 1 January 1970 was a Thursday.
        return np.asarray(np.floor(local + 72) % 168, dtype=np.int64)

    def _offset(self, unix_time: float) -> float:
        if not math.isfinite(unix_time):
            return 0.0
        try:
            moment = datetime.fromtimestamp(unix_time, self._zone)
        except (OverflowError, ValueError, OSError):
            return 0.0
        shift = moment.utcoffset()
        return shift.total_seconds() if shift else 0.0
