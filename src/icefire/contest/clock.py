"""The clock of a contest: injected, so that rehearsals and tests can set the time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime: ...


class SystemClock:
    """The system time, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock that only moves when told to, for rehearsals and tests.

    >>> clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    >>> clock.advance(minutes=5)
    >>> clock.now().isoformat()
    '2026-01-01T00:05:00+00:00'
    """

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, **step: float) -> None:
        self._now += timedelta(**step)

    def reach(self, moment: datetime) -> None:
        """Advance to a moment; a moment in the past changes nothing."""
        self._now = max(self._now, moment)
