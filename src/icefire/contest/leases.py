"""Leases: which worker does which job. A lease that its worker does not renew expires, and the job is free again.

The queue is fair by team: of the teams with the fewest jobs running, the one that has had the least of the judge's time comes
first, where t seconds count t / 2^(age / HALF). Within a team, jobs keep their order.

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
HALF = 600.0
"""Seconds after which the judge's time that a team has had counts half."""
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
TURNS = sa.Table(
    "turns",
    sa.MetaData(),
    sa.Column("team", sa.String(100), primary_key=True),
    sa.Column("seconds", sa.Float),
    sa.Column("at", sa.Float),
)


class Leases:
    """The leases of one worker process."""

    def __init__(self, store: Store, worker: str, lasts: float = LASTS) -> None:
        self._store, self._worker, self._lasts = store, worker, lasts

    def claim(self, jobs: Sequence[Job], most: int | None = None) -> tuple[Job, int] | None:
        """Take the next of the due jobs, and return it with how often it was lost with its worker; None if all are taken.

        This worker runs at most `most` jobs of a team at the same time, so that others need not wait for their ends.
        """
        return self._store.patiently(lambda: self._claim(jobs, most))

    def renew(self) -> None:
        """Give a sign of life, and keep all leases of this worker for another while."""
        now = time.time()
        self._execute(
            sa.delete(WORKERS).where(sa.or_(WORKERS.c.worker == self._worker, WORKERS.c.seen < now - KEPT)),
            sa.insert(WORKERS).values(worker=self._worker, seen=now),
            sa.update(LEASES).where(LEASES.c.worker == self._worker).values(expires=now + self._lasts),
        )

    def release(self, job: Job) -> None:
        """Give a job back, and count the time it took as its team's."""
        own = (LEASES.c.job == job.key) & (LEASES.c.worker == self._worker)

        def step(connection: sa.Connection) -> None:
            began = connection.execute(sa.select(LEASES.c.began).where(own)).scalar()
            connection.execute(sa.delete(LEASES).where(own))
            if began is not None:
                now = time.time()
                seconds = _spent(connection, now).get(job.team, 0.0) + max(0.0, now - began)
                connection.execute(sa.delete(TURNS).where(TURNS.c.team == job.team))
                connection.execute(sa.insert(TURNS).values(team=job.team, seconds=seconds, at=now))

        self._store.write(step)

    def leave(self) -> None:
        """This worker stops. It does not wait for a database that is away."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(WORKERS).where(WORKERS.c.worker == self._worker))

    def _claim(self, jobs: Sequence[Job], most: int | None) -> tuple[Job, int] | None:
        now = time.time()
        with self._store.writing() as connection:
            held = {row.job: row for row in connection.execute(sa.select(LEASES))}
            alive = {key for key, row in held.items() if self._holds(row.expires, now)}
            taken = [job for job in jobs if job.key in alive]
            # A worker may have died after it had written a result.
            done = held.keys() - alive - {job.key for job in jobs}
            connection.execute(sa.delete(LEASES).where(LEASES.c.job.in_(done)))
            running = Counter(job.team for job in taken)
            here = Counter(job.team for job in taken if held[job.key].worker == self._worker)
            free = [job for job in jobs if job.key not in alive and (most is None or here[job.team] < most)]
            if not free:
                return None
            spent = _spent(connection, now)
            job = min(free, key=lambda job: (running[job.team], spent.get(job.team, 0.0)))
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


def _spent(connection: sa.Connection, now: float) -> dict[str, float]:
    """The seconds of the judge that teams have had, by how long ago that was."""
    rows = connection.execute(sa.select(TURNS))
    return {row.team: row.seconds / 2 ** (max(0.0, now - row.at) / HALF) for row in rows}
