"""Leases: which worker does which job. A lease that its worker does not renew expires, and the job is free again.

Which jobs there are follows from the log, and a result is written once, so a lease is no more than an agreement not to work
twice: whatever goes wrong with it costs time, never a result. The clocks of the machines should agree to a few seconds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import sqlalchemy as sa

from icefire.contest.jobs.base import Job
from icefire.contest.store import Store

LASTS = 15.0
"""Seconds after which a lease that was not renewed expires."""
LEASES = sa.Table(
    "leases",
    sa.MetaData(),
    sa.Column("job", sa.String(300), primary_key=True),
    sa.Column("worker", sa.String(100)),
    sa.Column("expires", sa.Float),
    sa.Column("losses", sa.Integer),
)


class Leases:
    """The leases of one worker process."""

    def __init__(self, store: Store, worker: str, lasts: float = LASTS) -> None:
        self._store, self._worker, self._lasts = store, worker, lasts

    def claim(self, jobs: Sequence[Job]) -> tuple[Job, int] | None:
        """Take the next of the due jobs, and return it with how often it was lost with its worker; None if all are taken.

        The more jobs of a team come before it, running or waiting, the later a job's turn: no team starves the others.
        """
        return self._store.patiently(lambda: self._claim(jobs))

    def renew(self) -> None:
        """Keep all leases of this worker for another while."""
        statement = sa.update(LEASES).where(LEASES.c.worker == self._worker).values(expires=time.time() + self._lasts)
        self._execute(statement)

    def release(self, job: Job) -> None:
        self._execute(sa.delete(LEASES).where(LEASES.c.job == job.key, LEASES.c.worker == self._worker))

    def _claim(self, jobs: Sequence[Job]) -> tuple[Job, int] | None:
        now = time.time()
        with self._store.writing() as connection:
            held = {row.job: row for row in connection.execute(sa.select(LEASES))}
            before: Counter[str] = Counter()
            free: list[tuple[int, Job]] = []
            for job in jobs:
                before[job.team] += 1
                if job.key not in held or held[job.key].expires < now:
                    free.append((before[job.team], job))
            # A worker may have died after it had written a result.
            done = {key for key, row in held.items() if row.expires < now} - {job.key for job in jobs}
            connection.execute(sa.delete(LEASES).where(LEASES.c.job.in_(done)))
            if not free:
                return None
            _, job = min(free, key=lambda pair: pair[0])
            losses = held[job.key].losses + 1 if job.key in held else 0
            connection.execute(sa.delete(LEASES).where(LEASES.c.job == job.key))
            lease = {"job": job.key, "worker": self._worker, "expires": now + self._lasts, "losses": losses}
            connection.execute(sa.insert(LEASES).values(lease))
        return job, losses

    def _execute(self, statement: sa.Update | sa.Delete) -> None:
        def step() -> None:
            with self._store.writing() as connection:
                connection.execute(statement)

        self._store.patiently(step)
