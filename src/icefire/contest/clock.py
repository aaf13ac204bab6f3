"""The clock of a contest: injected, so that rehearsals and tests can set the time."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

SMALL = 60.0
"""Seconds by which a clock may be set without further ado."""


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


class Jumps:
    """Notices that a clock was set: it has moved otherwise than time has passed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead = self._measured()

    def look(self) -> float:
        """Seconds by which the clock was set since the last look; 0 if it runs as it should."""
        before, self._ahead = self._ahead, self._measured()
        jump = self._ahead - before
        return jump if abs(jump) > SMALL else 0.0

    def _measured(self) -> float:
        return self._clock.now().timestamp() - steady()


def steady() -> float:
    """Seconds that have passed since some moment, whoever sets the clock; also while the machine sleeps, if it says so."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
