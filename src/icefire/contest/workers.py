"""Running jobs: one after the other in this process, or by workers that outlive a crash."""

from __future__ import annotations

import logging
import os
import secrets
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from icefire.contest.clock import Jumps, steady
from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.errors import DiskFull
from icefire.contest.events.base import Event
from icefire.contest.jobs.base import Job
from icefire.contest.leases import BEAT, Leases
from icefire.contest.sandbox import JobFailed, Sandbox
from icefire.contest.vault import sweep

PAUSE = 0.1
"""Seconds between two looks at the log."""
MOST_LOSSES = 10
"""Workers that may be lost with a job before the operator is told."""
logger = logging.getLogger(__name__)


def run_inline(contest: Contest) -> int:
    """Run all due jobs in this process, and return how many there were."""
    judge, count = contest.judge(), 0
    contest.submissions.collect(contest.state)
    while jobs := contest.docket.due():
        for job in jobs:
            try:
                contest.docket.record(job, job.run(judge, contest.state()))
            except Exception as error:
                contest.docket.fail(job, f"{type(error).__name__} in {job.label}", traceback.format_exc())
            count += 1
    return count


class Workers(Closing):
    """Opens and closes phases, and runs due jobs, several at a time. Any number of processes may do so."""

    def __init__(self, contest: Contest, name: str = "", number: int = 2) -> None:
        self.contest = contest
        # Unique, so that a process never takes the leases of another one for its own.
        self.machine = (name or os.uname().nodename)[:60]
        self.name = f"{self.machine}-{os.getpid()}-{secrets.token_hex(4)}"
        self._leases = Leases(contest.store, self.name)
        self._idle = [Sandbox(contest.folder) for _ in range(number)]
        self._running: dict[threading.Thread, Sandbox] = {}
        self._stop, self._wake = threading.Event(), threading.Event()
        self._renewed, self._migrated = -2 * BEAT, False
        self._jumps = Jumps(contest.clock)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Work until told to stop."""
        sweep(self.contest.folder)
        for sandbox in self._idle:
            sandbox.warm_up()
        while not self._stop.is_set() and not until():
            try:
                self._turn()
            except Exception:
                # Whatever it is, a contest must not stand still because of it.
                logger.exception("a turn of the workers failed; trying again")
                self._stop.wait(1.0)
            self._wake.wait(PAUSE)
            self._wake.clear()

    def close(self) -> None:
        """End the running jobs; another worker takes them up at once."""
        self._stop.set()
        self._wake.set()
        for thread, sandbox in self._running.items():
            # The thread may be just about to start its process.
            while thread.is_alive():
                sandbox.interrupt()
                thread.join(0.1)
        for sandbox in [*self._idle, *self._running.values()]:
            sandbox.close()
        with suppress(DBAPIError):
            self._leases.leave()

    def idle(self) -> bool:
        """Whether nothing is left to do, now or later."""
        state = self.contest.state()
        return state.final or (state.all_closed and not self.contest.docket.due())

    def _turn(self) -> None:
        if jump := self._jumps.look():
            self.contest.schedule.clock_was_set(self.machine, jump)
        self.contest.schedule.tick()
        if steady() - self._renewed > BEAT:
            self._leases.renew()
            self._renewed = steady()
        for thread in [thread for thread in self._running if not thread.is_alive()]:
            self._idle.append(self._running.pop(thread))
        while self._idle and (jobs := self.contest.docket.due()):
            claim = self._leases.claim(jobs)
            if claim is None:
                break
            job, losses = claim
            if losses > MOST_LOSSES:
                self.contest.docket.fail(job, f"{job.label} was lost with its worker {losses} times", "")
                self._leases.release(job)
                continue
            sandbox = self._idle.pop()
            thread = threading.Thread(target=self._do, args=(job, sandbox), daemon=True)
            self._running[thread] = sandbox
            thread.start()
        # Last, so that a disk without room for it stops nothing else: a job finds its file in the inbox, too.
        self._tidy()

    def _tidy(self) -> None:
        """Move what teams have sent to where the web cannot read it."""
        if not self._migrated:
            self.contest.submissions.migrate(self.contest.log())
            self._migrated = True
        self.contest.submissions.collect(self.contest.state)

    def _do(self, job: Job, sandbox: Sandbox) -> None:
        try:
            self.contest.docket.record(job, self._result(job, sandbox))
        except (DBAPIError, DiskFull):
            logger.exception("the result of %s could not be written; the job is due again", job.key)
            self._stop.wait(BEAT)
        except JobFailed as error:
            # A process that ends because the workers stop says nothing about its job.
            if not self._stop.is_set():
                self.contest.docket.fail(job, f"{job.label} failed", str(error))
        except Exception:
            self.contest.docket.fail(job, f"{job.label} failed", traceback.format_exc())
        finally:
            self._leases.release(job)
            self._wake.set()

    def _result(self, job: Job, sandbox: Sandbox) -> list[Event]:
        """The result of a job, which is tried again once, in a new process."""
        limits = self.contest.state().contest.limits
        try:
            return sandbox.run(job, limits)
        except JobFailed as error:
            if self._stop.is_set():
                raise
            first = str(error)
        try:
            return sandbox.run(job, limits)
        except JobFailed as error:
            raise JobFailed(f"{error}\n\nThe first try: {first}") from error
