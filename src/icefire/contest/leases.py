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
BEAT, DEAD = 2.0, 6.0
"""Seconds between two signs of life of a worker, and without one after which it is taken for dead."""
KEPT = 86_400.0
"""Seconds for which dead workers are remembered."""
LEASES = sa.Table(
    "leases",
    sa.MetaData(),
    sa.Column("job", sa.String(300), primary_key=True),
    sa.Column("worker", sa.String(100)),
    sa.Column("expires", sa.Float),
    sa.Column("losses", sa.Integer),
    sa.Column("began", sa.Float),
)
WORKERS = sa.Table(
    "workers", sa.MetaData(), sa.Column("worker", sa.String(100), primary_key=True), sa.Column("seen", sa.Float)
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
        """Give a sign of life, and keep all leases of this worker for another while."""
        now = time.time()
        self._execute(
            sa.delete(WORKERS).where(sa.or_(WORKERS.c.worker == self._worker, WORKERS.c.seen < now - KEPT)),
            sa.insert(WORKERS).values(worker=self._worker, seen=now),
            sa.update(LEASES).where(LEASES.c.worker == self._worker).values(expires=now + self._lasts),
        )

    def release(self, job: Job) -> None:
        self._execute(sa.delete(LEASES).where(LEASES.c.job == job.key, LEASES.c.worker == self._worker))

    def leave(self) -> None:
        """This worker stops. It does not wait for a database that is away."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(WORKERS).where(WORKERS.c.worker == self._worker))

    def _claim(self, jobs: Sequence[Job]) -> tuple[Job, int] | None:
        now = time.time()
        with self._store.writing() as connection:
            held = {row.job: row for row in connection.execute(sa.select(LEASES))}
            before: Counter[str] = Counter()
            free: list[tuple[int, Job]] = []
            for job in jobs:
                before[job.team] += 1
                if job.key not in held or not self._holds(held[job.key].expires, now):
                    free.append((before[job.team], job))
            # A worker may have died after it had written a result.
            done = {key for key, row in held.items() if not self._holds(row.expires, now)} - {job.key for job in jobs}
            connection.execute(sa.delete(LEASES).where(LEASES.c.job.in_(done)))
            if not free:
                return None
            _, job = min(free, key=lambda pair: pair[0])
            losses = held[job.key].losses + 1 if job.key in held else 0
            connection.execute(sa.delete(LEASES).where(LEASES.c.job == job.key))
            lease = {
                "job": job.key,
                "worker": self._worker,
                "expires": now + self._lasts,
                "losses": losses,
                "began": now,
            }
            connection.execute(sa.insert(LEASES).values(lease))
        return job, losses

    @staticmethod
    def _holds(expires: float, now: float) -> bool:
        """Whether a lease has not expired. One that lasts too long is from before the clock was set back."""
        return now <= expires <= now + 4 * LASTS

    def _execute(self, *statements: sa.Update | sa.Delete | sa.Insert) -> None:
        def step(connection: sa.Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        self._store.write(step)
