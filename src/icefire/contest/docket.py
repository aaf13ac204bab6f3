"""The docket: jobs that are due, and their results in the log."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from icefire.contest.events.alarms import AlarmRaised
from icefire.contest.events.base import Event
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.registry import due
from icefire.contest.schedule import ENGINE
from icefire.contest.state import State
from icefire.contest.store import Store

JUDGE = "judge"
"""Who causes the results of jobs."""


class Docket:
    """The jobs of a contest, for those who run them."""

    def __init__(self, store: Store, alarms: Path) -> None:
        self._store, self._alarms = store, alarms

    def due(self) -> list[Job]:
        """Due jobs without an open alarm."""
        state = self._store.state()
        return [job for job in due(state) if state.alarm_of(job.key) is None]

    def record(self, job: Job, result: Sequence[Event]) -> None:
        """Write the result of a job, once, however often it was done."""
        self._store.append(lambda state: [] if job.done(state) else [(JUDGE, event) for event in result])

    def fail(self, job: Job, message: str, detail: str) -> str:
        """Raise an alarm, and return its reference. The detail may hold secrets: it goes into a file of the operator."""
        reference = secrets.token_hex(4)
        # On a full disk, the alarm itself matters more than its detail.
        with suppress(OSError):
            self._alarms.mkdir(mode=0o700, exist_ok=True)
            (self._alarms / f"{reference}.txt").write_text(f"{job.key}\n{message}\n\n{detail}\n", encoding="utf-8")

        def entries(state: State) -> list[tuple[str, Event]]:
            if job.done(state) or state.alarm_of(job.key) is not None:
                return []
            return [(ENGINE, AlarmRaised(reference=reference, job=job.key, message=message))]

        self._store.append(entries)
        return reference
