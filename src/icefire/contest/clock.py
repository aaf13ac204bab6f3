"""Time comes from one clock, which is handed in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> datetime: ...


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock that moves when it is told to: for rehearsals and tests.

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
        """Move on to a moment, never back."""
        self._now = max(self._now, moment)
